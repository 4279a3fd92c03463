"""Judges: each turns the responses of a collection into judgments of the same shape."""
