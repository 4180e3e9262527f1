"""Decisions that follow from stored values: for arrays, by NumPy alone, and beside it the same in SQL.

keeps and placements yield what each action is worth, ranking says which one is best; <name>_sql.py says so in SQL.
"""
