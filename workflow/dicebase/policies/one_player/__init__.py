"""Policies of one player: as text or files, followed from the start, and what they lose."""
