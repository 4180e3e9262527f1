"""Solvers of games against a dealer."""
