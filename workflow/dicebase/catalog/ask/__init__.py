"""One position in, its ranked actions out; and many positions at once."""
