"""Helpers for a duel's turns: variants, their certified rows, and one turn played out in plain Python."""

import pyarrow.parquet as pq

from reference.matches import BUST, WIPE, pig
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

    def worth(option):
        total, mode = option
        return 1.0 if me + total >= target else max(decisions[me, opponent, total, mode])

    ends, here = {}, {(0, turn.start): 1.0}
    while here:
        after = {}
        for (total, mode), p in here.items():
            weights = sum(weight for weight, _ in turn.rolls[mode])
            for weight, outcome in turn.rolls[mode]:
                chance, place = p * weight / weights, after
                if outcome in (BUST, WIPE):
                    end, place = outcome, ends
                else:
                    end = max(((total + gain, following) for gain, following in outcome), key=worth)
                    roll, bank = (0.0, 1.0) if me + end[0] >= target else decisions[(me, opponent, *end)]
                    if roll - bank <= 1e-12:
                        end, place = min(end[0], target - me), ends
                place[end] = place.get(end, 0.0) + chance
        here = after
    return ends


def scores(ends, me):
    """{change of the mover's total: probability} by the endings of a turn."""
    found = {}
    for end, p in ends.items():
        score = {BUST: 0, WIPE: -me}.get(end, end)
        found[score] = found.get(score, 0.0) + p
    return found
