"""The rows of tables as arrays in files, mapped into memory."""
