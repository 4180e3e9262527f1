"""Decisions that follow from stored values, computed with NumPy; templates/catalog.sql has the same in SQL.

keeps and placements give the values of actions, ranking finds the best.
"""
