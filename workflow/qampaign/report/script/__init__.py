"""The page's own script: a file for each thing it does."""

FILES = ("text", "records", "downloads", "charts", "tables", "collection", "main")
"""Its files in the order in which they are put together."""
