"""The certifier: check the claims of a published table using only the rules and the Parquet files."""
