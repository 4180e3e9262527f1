"""Checks of tables of scorecards."""
