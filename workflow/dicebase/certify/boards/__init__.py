"""Checks of distributions and matchups on boards."""
