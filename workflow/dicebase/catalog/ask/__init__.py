"""Rank the actions of one position, of a frame of positions, or of a file of them."""
