"""Solvers of games that state their own positions: all of them as arrays, and their values."""
