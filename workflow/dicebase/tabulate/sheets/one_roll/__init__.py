"""Rows of tables of scorecards."""
