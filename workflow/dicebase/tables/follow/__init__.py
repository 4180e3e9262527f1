"""Decisions that follow from stored values: for arrays, by NumPy alone, and beside it the same in SQL.

keeps and placements yield what each action is worth, ranking says which is best; templates/catalog.sql says the same.
"""
