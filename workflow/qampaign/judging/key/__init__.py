"""Answers compared with an answer key: its grammar, its words, numbers and dates."""
