"""From a variant to its rows: which solver, which columns."""
