"""Score sheets filled turn by turn: the checks of their tables."""
