"""Solvers of single throws."""
