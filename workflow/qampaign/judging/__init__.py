"""Judges: each turns the responses of a collection into judgments of the same shape.

Judgments have a row per response; beside them stand the questions that the judge covers, each with
the number of its known answers.
"""
