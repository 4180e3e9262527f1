"""Checks of the tables of games of hidden information."""
