"""Checks of what policies come to on boards."""
