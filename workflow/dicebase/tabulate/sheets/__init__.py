"""Rows of tables of score sheets."""
