"""Solvers of score sheets."""
