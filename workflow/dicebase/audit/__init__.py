"""The audit: numbers that others have printed about these games, cell by cell beside ours.

printed/ holds the record as data: printed cells, where ours is found, findings on cells that disagree, and sources.
Ours is the answer to a query of the catalogue, or comes from a function in the source's module if SQL cannot express
it. Verdicts are computed; only the reasons for disagreement are written by hand.
"""
