"""The audit: what other people have printed of these games, cell by cell beside ours.

printed/ has the record as data: the printed cells, the findings on those that do not agree, the sources. A module per
source lists its places, and says for every cell what ours is: a query of the catalogue, or a computation from the rules
where no table has the number. Verdicts are computed; only why a cell disagrees is written down.
"""
