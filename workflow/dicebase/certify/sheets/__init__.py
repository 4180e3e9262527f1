"""Checks of score sheets that are filled turn by turn."""
