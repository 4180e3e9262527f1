"""Checks of the tables of games against a dealer."""
