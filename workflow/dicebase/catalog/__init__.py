"""A position in, ranked actions out: DuckDB over the tables, and their rows as arrays by row number."""
