"""Decisions that follow from stored values, by NumPy alone."""
