"""Solvers of scorecards."""
