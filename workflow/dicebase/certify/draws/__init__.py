"""Checks of the tables of draw games."""
