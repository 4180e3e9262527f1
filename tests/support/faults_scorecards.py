"""Deliberate faults in tables of scorecards: each is something that a certificate must rule out."""

import math

from dicebase.tables.layout import ACTIONS, TABLES
from support.faults import change, choice, forced, plus, put, up, worse


def _exchanged(rows, column, i, j):
    assert rows[i][column] != rows[j][column]
    rows[i][column], rows[j][column] = rows[j][column], rows[i][column]
    return rows


def _moved(rows, i, j, probability):
    rows[i]["probability"] -= probability
    rows[j]["probability"] += probability
    return rows


def strategies_exchanged(rows, one, other):
    """Exchange the names of two strategies."""
    names = {one: other, other: one}
    found = [{**r, "strategy": names.get(r["strategy"], r["strategy"])} for r in rows]
    return sorted(found, key=lambda r: (r["strategy"], r["score"]))


# Two dice, where a 7 with two free slots is a tie; `choice` finds a row without a tie.
SCORE_FAULTS = {
    "a value 1e-9 too high": (TABLES, change("value", plus(1e-9), choice)),
    "a value one unit in the last place too high": (TABLES, change("value", up, choice)),
    "the value of a last slot too high": (TABLES, change("value", plus(1e-9), forced)),
    "another slot": (TABLES, change("action", put("2"), choice)),
    "a slot that is taken": (TABLES, change("action", put("4"), choice)),
    "a margin that is not the second-best regret": (TABLES, change("margin", up, choice)),
    "a margin of zero without a tie": (TABLES, change("margin", put(0.0), choice)),
    "a tie that is none": (TABLES, change("margin", put(1e-12), lambda rows, i: rows[i]["margin"] == 0)),
    "a value that is no number": (TABLES, change("value", put(math.nan), choice)),
    "a roll that cannot occur": (TABLES, lambda rows: [*rows, {**rows[-1], "roll_total": 13}]),
    "no free slot": (TABLES, lambda rows: [{**rows[0], "free": 0}, *rows]),
    "a position removed": (TABLES, lambda rows: rows[:5] + rows[6:]),
    "a position twice": (TABLES, lambda rows: rows[:5] + rows[4:]),
    "two values exchanged": (TABLES, lambda rows: _exchanged(rows, "value", 20, 21)),
    "two slots exchanged": (ACTIONS, lambda rows: _exchanged(rows, "q_value", 40, 41)),
    "a q-value 1e-9 too low": (ACTIONS, change("q_value", plus(-1e-9), worse)),
    "a regret of zero for a worse slot": (ACTIONS, change("regret", put(0.0), worse)),
    "a worse slot marked optimal": (ACTIONS, change("optimal", put(True), worse)),
    "the other slot of a tie not marked": (
        ACTIONS,
        change("optimal", put(False), lambda rows, i: rows[i]["optimal"] and not rows[i]["probability"]),
    ),
    "a slot removed": (ACTIONS, lambda rows: rows[:40] + rows[41:]),
}

RANK_FAULTS = {
    "a value shifted": change("value", plus(1e-6), lambda rows, i: rows[i]["free_slots"] == 3),
    "the last value shifted": change("value", plus(-1e-6), lambda rows, i: i == len(rows) - 1),
    "two ranks exchanged": lambda rows: _exchanged(rows, "value", 4, 5),
    "two rows exchanged": lambda rows: _exchanged(_exchanged(rows, "value", 1, 3), "value", 2, 5),
    "a value infinite": change("value", put(math.inf), lambda rows, i: i == 4),
    "no number": change("value", put(math.nan), lambda rows, i: i == 3),
    "a rank missing": lambda rows: rows[:4] + rows[5:],
    "the last row missing": lambda rows: rows[:-4],
    "a rank too many": lambda rows: [*rows, {**rows[-1], "rank": 5}],
    "a row too many": lambda rows: [*rows, *({**r, "free_slots": 5} for r in rows[-4:])],
    "no number in the last rank": change("value", put(math.nan), lambda rows, i: i == len(rows) - 1),
    "rank nought": lambda rows: [{**rows[0], "rank": 0}, *rows],
    "a rank twice": lambda rows: [*rows[:4], *rows[3:]],
    "ranks out of order": lambda rows: [rows[1], rows[0], *rows[2:]],
    "no rows": lambda rows: [],
}

DISTRIBUTION_FAULTS = {
    "a probability one part in 10^9 too high": change("probability", lambda p: p * (1 + 1e-9), lambda rows, i: i == 9),
    "probability moved from one score to the next": lambda rows: _moved(rows, 30, 31, 1e-9),
    "probability moved to the other end": lambda rows: _moved(rows, 30, 0, 1e-12),
    "two scores exchanged": lambda rows: _exchanged(rows, "probability", 10, 12),
    "two strategies exchanged": lambda rows: strategies_exchanged(rows, "optimal", "random"),
    "the clairvoyant's scores for the optimal ones": lambda rows: strategies_exchanged(rows, "optimal", "clairvoyant"),
    "a negative probability": change("probability", lambda p: -p, lambda rows, i: i == 3),
    "no number": change("probability", put(math.nan), lambda rows, i: i == 50),
    "a score missing": lambda rows: rows[:7] + rows[8:],
    "the least likely score missing": lambda rows: rows[1:],
    "a score too many": lambda rows: [*rows, {**rows[-1], "score": rows[-1]["score"] + 1}],
    "a score below all": lambda rows: [{**rows[0], "score": 1}, *rows],
    "a strategy missing": lambda rows: [r for r in rows if r["strategy"] != "optimal"],
    "a strategy of another name": lambda rows: [{**rows[0], "strategy": "cheat"}, *rows],
    "an impossible score with probability 0": lambda rows: [{**rows[0], "score": 1, "probability": 0.0}, *rows],
    "a score twice": lambda rows: [*rows[:9], *rows[8:]],
}

# Five slots of two dice, by sets of free slots.
SETS_FAULTS = {
    "a value 1e-9 too high": change("value", plus(1e-9), lambda rows, i: i == 20),
    "the value of one slot 1e-9 too low": change("value", plus(-1e-9), lambda rows, i: i == 3),
    "the value of all slots too high": change("value", plus(1e-10), lambda rows, i: i == 30),
    "no number": change("value", put(math.nan), lambda rows, i: i == 7),
    "infinite": change("value", put(math.inf), lambda rows, i: i == 7),
    "a set missing": lambda rows: rows[:9] + rows[10:],
    "the last set missing": lambda rows: rows[:-1],
    "no free slot": lambda rows: [{**rows[0], "free": 0}, *rows],
    "a set too many": lambda rows: [*rows, {**rows[-1], "free": 32}],
    "a set twice": lambda rows: [*rows[:9], *rows[8:]],
    "sets out of order": lambda rows: [rows[1], rows[0], *rows[2:]],
    "no rows": lambda rows: [],
}


def _at(**place):
    return lambda rows, i: place.items() <= rows[i].items()


# Three slots of one die, as in the faults below.
EXCEED_FAULTS = {
    f"{what} of {where}": change(column, new, _at(free=free, needed=needed))
    for where, free, needed in (("the start", 7, 20), ("a card half filled", 5, 9), ("the last slot", 4, 9))
    for column in ("value", "score_optimal")
    for what, new in {
        f"a {column} too high": plus(1e-9),
        f"a {column} too low": plus(-1e-9),
        f"a {column} that is no number": put(math.nan),
    }.items()
} | {
    "a row missing": lambda rows: rows[:30] + rows[31:],
    "a row twice": lambda rows: [*rows[:30], *rows[29:]],
    "more points than a card can score": lambda rows: [*rows, {**rows[-1], "needed": rows[-1]["needed"] + 1}],
}

VERSUS_FAULTS = {
    "a value too high": change("value", plus(1e-9), _at(free=5)),
    "the value of the start too high": change("value", plus(1e-9), _at(free=7)),
    "a final score worth more": change("value", plus(1e-9), _at(free=0, scored=20)),
    "a final score worth more to the other strategy": change("score_optimal", plus(1e-9), _at(free=0, scored=20)),
    "the score-optimal strategy too good": change("score_optimal", plus(1e-9), _at(free=6)),
    "the score-optimal strategy as good as the best": change("score_optimal", lambda p: p + 6e-4, _at(free=7)),
    "a tie too many": change("tie", plus(1e-9), _at(free=3)),
    "no number": change("value", put(math.nan), _at(free=4)),
    "a row missing": lambda rows: rows[:30] + rows[31:],
    "the start missing": lambda rows: rows[:-1],
    "points that cannot be": lambda rows: [*rows, {**rows[-1], "scored": 1}],
    "a row twice": lambda rows: [*rows[:30], *rows[29:]],
}


def _of(rolls, row, column):
    return _at(rolls=rolls, row_policy=row, column_policy=column)


def _policies_exchanged(rows):
    """Exchange the names of the response and of the policy that it beats."""
    names = {"response": "optimal", "optimal": "response"}
    renamed = [
        {**r, "row_policy": names.get(r["row_policy"], r["row_policy"])} if r["rolls"] == "same" else r for r in rows
    ]
    return sorted(renamed, key=lambda r: (r["rolls"], r["row_policy"], r["column_policy"]))


MATCHUPS_FAULTS = {
    "a probability one unit in the last place too high": change(
        "probability", lambda p: p * (1 + 2**-52), _of("alone", "response", "optimal")
    ),
    "a tie one unit in the last place too high": change(
        "tie", lambda p: p * (1 + 2**-52), _of("alone", "random", "random")
    ),
    "a probability with the same rolls too high": change("probability", plus(1e-9), _of("same", "response", "optimal")),
    "its mirror image too low": change("probability", plus(-1e-9), _of("same", "optimal", "response")),
    "a tie with the same rolls too many": change("tie", plus(1e-9), _of("same", "ahead_1", "response")),
    "the response to the response wrong": change("probability", plus(1e-9), _of("same", "response_2", "response")),
    "a probability against random wrong": change("probability", plus(-1e-9), _of("same", "optimal", "random")),
    "no number": change("probability", put(math.nan), _of("alone", "ahead_2", "behind_2")),
    "two policies exchanged": _policies_exchanged,
    "a row missing": lambda rows: rows[:9] + rows[10:],
    "the last row missing": lambda rows: rows[:-1],
    "a policy too many": lambda rows: [*rows, {**rows[-1], "column_policy": "the_best"}],
    "a row twice": lambda rows: [*rows[:9], *rows[8:]],
}

FAULTS = {
    "score": SCORE_FAULTS,
    "sets": SETS_FAULTS,
    "rank": RANK_FAULTS,
    "distribution": DISTRIBUTION_FAULTS,
    "exceed": EXCEED_FAULTS,
    "versus": VERSUS_FAULTS,
    "versus_matchups": MATCHUPS_FAULTS,
}
"""Faults by table; `sets` is the score table that stores values by sets of free slots. A fault is an edit of the rows;
for `score` it is a folder and an edit."""
