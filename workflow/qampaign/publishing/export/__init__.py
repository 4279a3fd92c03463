"""Results in the formats of others: Every Eval Ever, TREC, CSV, Parquet."""

FORMATS = ("eee", "trec", "csv", "parquet")
"""Their names. The command lists them, and loads what writes them only to export."""
