"""Tables as files: names, schemas, provenance, and the writer that leaves no half table."""
