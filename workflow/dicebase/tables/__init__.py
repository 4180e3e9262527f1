"""Tables as files: names, schemas, provenance, and a writer that never leaves half a table."""
