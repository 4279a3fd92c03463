"""The page's script, in one file for each of its tasks."""

FILES = (
    "settings",
    "views",
    "chart_data",
    "downloads",
    "chart_table",
    "charts",
    "keyboard",
    "tables",
    "collection",
    "search",
    "navigation",
    "main",
)
"""Its files in the order in which they are put together."""
