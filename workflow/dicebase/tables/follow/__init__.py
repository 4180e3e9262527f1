"""Decisions that follow from stored values, computed with NumPy; templates/catalog.sql has the same in SQL.

keeps.py and placements.py give the values of actions, and ranking.py finds the best.
"""
