"""Games that were written down, read turn by turn."""
