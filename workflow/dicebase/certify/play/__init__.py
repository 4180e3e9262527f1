"""Games played by a published table with seeded dice."""
