"""Solvers of games of hidden information, in sequence form."""
