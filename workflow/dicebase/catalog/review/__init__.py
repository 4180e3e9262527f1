"""Replay recorded games and split their results into luck and mistakes."""
