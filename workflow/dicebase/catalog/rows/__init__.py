"""The rows of tables as arrays in memory-mapped files, found by row number."""
