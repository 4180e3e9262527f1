"""Make the rows of a variant: choose its solver and fill its columns."""
