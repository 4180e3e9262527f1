"""Answer questions about positions: lookups over mapped rows, SQL through DuckDB, and reviews of recorded games."""
