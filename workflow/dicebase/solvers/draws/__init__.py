"""Solvers of draw games."""
