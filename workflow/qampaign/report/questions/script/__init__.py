"""The script of the pages of questions, in one file for each of its tasks."""

FILES = ("elements", "data", "words", "list", "matrix", "question", "run", "pair", "main")
"""Its files in the order in which they are put together."""
