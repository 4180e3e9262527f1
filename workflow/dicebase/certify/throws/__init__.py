"""Checks of tables of single throws."""
