"""Certifiers of turns, and of matches of turns."""
