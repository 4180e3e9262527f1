"""The audit: a comparison, cell by cell, of numbers that others have printed about these games with ours.

printed/ holds the record as data: printed cells, where to find our numbers, findings on cells that disagree, and
sources. Our number is the answer to a query of the catalogue, or comes from a function in the source's module if SQL
cannot express it. Verdicts are computed; only the reasons for disagreement are written by hand.
"""
