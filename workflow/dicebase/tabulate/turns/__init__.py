"""Rows of tables of turns."""
