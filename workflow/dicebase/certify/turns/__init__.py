"""Checks of tables of turns."""
