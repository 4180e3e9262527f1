"""The second witness: what a published table claims, checked from the rules and the Parquet files alone."""
