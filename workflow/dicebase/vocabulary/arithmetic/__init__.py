"""Arithmetic without rules: rationals, numbering, sparse systems, rankings and compiled kernels."""
