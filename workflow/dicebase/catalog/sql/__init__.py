"""The DuckDB catalogue: its tables, views and macros."""
