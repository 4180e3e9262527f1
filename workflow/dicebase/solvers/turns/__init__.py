"""Solvers of turns, and of matches of turns."""
