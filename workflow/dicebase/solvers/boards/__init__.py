"""Solvers of games that state their own positions: positions as arrays, and their values."""
