"""The audit: what other people have printed of these games, cell by cell beside ours.

printed/ has the record as data: the printed cells, where ours is, the findings on those that do not agree, the sources.
Ours is the answer to a query of the catalogue; where SQL cannot say it, a function in the module of the source
computes it from the rules. Verdicts are computed; only why a cell disagrees is written down.
"""
