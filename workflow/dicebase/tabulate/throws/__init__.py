"""Rows of tables of single throws."""
