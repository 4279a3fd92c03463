"""Results in the formats of others: Every Eval Ever, TREC, CSV, Parquet."""
