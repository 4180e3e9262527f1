"""Helpers for a duel's turns: variants, their certified rows, and one turn played out in plain Python."""

import pyarrow.parquet as pq

from reference.matches import BUST, WIN, WIPE, endings, pig
from reference.matches_ten_thousand import ten_thousand
from support import grids
from support.papers_crocce_mordecki import TABLE

DEFINITIONS = {"rules": {"crocce_mordecki": TABLE}}
DUELS = [
    ("pig", {"sides": 6, "dice": 1, "target": 12}, pig()),
    ("pig", {"sides": 2, "dice": 1, "target": 8}, pig(2)),
    ("pig", {"sides": 6, "dice": 2, "target": 10}, pig(6, 2)),
    ("ten_thousand", {"rules": "crocce_mordecki", "target": 200}, ten_thousand()),
    # No total meets this target exactly.
    ("ten_thousand", {"rules": "crocce_mordecki", "target": 175}, ten_thousand()),
]


def solved(name, given, folder):
    """(certified files of one variant, its rows without parameters)."""
    place, (certificate,) = grids.certified(name, given, folder, DEFINITIONS)
    rows = pq.read_table(place.rows).to_pylist()
    return place, [{k: v for k, v in row.items() if k not in certificate.parameters} for row in rows]


def plays(turn, decisions, me, opponent, target):
    """{end of a turn: probability} if the player makes the better decisions and banks on ties."""
    here = {state[2:]: worths for state, worths in decisions.items() if state[:2] == (me, opponent)}
    ends = endings(turn, target - me, here, lambda _: 1)
    return {target - me if end == WIN else end: float(p) for end, p in ends.items()}


def scores(ends, me):
    """{change of the mover's total: probability} by the endings of a turn."""
    found = {}
    for end, p in ends.items():
        score = {BUST: 0, WIPE: -me}.get(end, end)
        found[score] = found.get(score, 0.0) + p
    return found
