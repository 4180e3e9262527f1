"""Rows of games that state their own positions."""
