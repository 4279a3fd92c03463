"""The charts of the report, a file for each section; `theme` says how they look."""
