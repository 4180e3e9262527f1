"""Deliberate faults in tables of scorecards: each is something that a certificate must rule out."""

from dicebase.tables.layout import ACTIONS, TABLES
from support.faults import DECISION_FAULTS, at, change, choice, number_faults, plus, put, up


def _moved(rows, i, j, probability):
    rows[i]["probability"] -= probability
    rows[j]["probability"] += probability
    return rows


def strategies_exchanged(rows, one, other):
    """Exchange the names of two strategies."""
    names = {one: other, other: one}
    found = [{**r, "strategy": names.get(r["strategy"], r["strategy"])} for r in rows]
    return sorted(found, key=lambda r: (r["strategy"], r["score"]))


# Two dice, where a 7 with two free slots is a tie; `choice` finds a row without a tie. Hog has all faults in decisions.
SCORE_FAULTS = {name: fault for name, fault in DECISION_FAULTS.items() if "value" in name} | {
    "a value one unit in the last place too high": (TABLES, change("value", up, choice)),
    "a tie that is none": (TABLES, change("margin", put(1e-12), lambda rows, i: rows[i]["margin"] == 0)),
    "a roll that cannot occur": (TABLES, lambda rows: [*rows, {**rows[-1], "roll_total": 13}]),
    "the other slot of a tie not marked": (
        ACTIONS,
        change("optimal", put(False), lambda rows, i: rows[i]["optimal"] and not rows[i]["probability"]),
    ),
}

RANK_FAULTS = number_faults("value", 1e-6) | {
    "the last row of ranks missing": lambda rows: rows[:-4],
    "a rank too many": lambda rows: [*rows, {**rows[-1], "rank": 5}],
    "a row too many": lambda rows: [*rows, *({**r, "free_slots": 5} for r in rows[-4:])],
    "rank nought": lambda rows: [{**rows[0], "rank": 0}, *rows],
}

DISTRIBUTION_FAULTS = number_faults("probability") | {
    "a probability one part in 10^9 too high": change("probability", lambda p: p * (1 + 1e-9), lambda rows, i: i == 9),
    "probability moved from one score to the next": lambda rows: _moved(rows, 30, 31, 1e-9),
    "probability moved to the other end": lambda rows: _moved(rows, 30, 0, 1e-12),
    "two strategies exchanged": lambda rows: strategies_exchanged(rows, "optimal", "random"),
    "the clairvoyant's scores for the optimal ones": lambda rows: strategies_exchanged(rows, "optimal", "clairvoyant"),
    "a negative probability": change("probability", lambda p: -p, lambda rows, i: i == 3),
    "the least likely score missing": lambda rows: rows[1:],
    "a score too many": lambda rows: [*rows, {**rows[-1], "score": rows[-1]["score"] + 1}],
    "a score below all": lambda rows: [{**rows[0], "score": 1}, *rows],
    "a strategy missing": lambda rows: [r for r in rows if r["strategy"] != "optimal"],
    "a strategy of another name": lambda rows: [{**rows[0], "strategy": "cheat"}, *rows],
    "an impossible score with probability 0": lambda rows: [{**rows[0], "score": 1, "probability": 0.0}, *rows],
}

# Five slots of two dice, by sets of free slots.
SETS_FAULTS = number_faults("value") | {
    "the value of one slot 1e-9 too low": change("value", plus(-1e-9), at(free=4)),
    "the value of all slots 1e-10 too high": change("value", plus(1e-10), at(free=31)),
    "no free slot": lambda rows: [{**rows[0], "free": 0}, *rows],
    "a set too many": lambda rows: [*rows, {**rows[-1], "free": 32}],
}

# Three slots of one die, as in the faults below.
EXCEED_FAULTS = (
    number_faults("value")
    | number_faults("score_optimal")
    | {
        f"a {column} too high for {where}": change(column, plus(1e-9), at(free=free, needed=needed))
        for where, free, needed in (("the start", 7, 20), ("a card half filled", 5, 9), ("the last slot", 4, 9))
        for column in ("value", "score_optimal")
    }
    | {"more points than a card can score": lambda rows: [*rows, {**rows[-1], "needed": rows[-1]["needed"] + 1}]}
)

VERSUS_FAULTS = number_faults("value") | {
    "a final score worth more": change("value", plus(1e-9), at(free=0, scored=20)),
    "a final score worth more to the other strategy": change("score_optimal", plus(1e-9), at(free=0, scored=20)),
    "the score-optimal strategy too good": change("score_optimal", plus(1e-9), at(free=6)),
    "the score-optimal strategy as good as the best": change("score_optimal", lambda p: p + 6e-4, at(free=7)),
    "a tie too many": change("tie", plus(1e-9), at(free=3)),
    "points that cannot be": lambda rows: [*rows, {**rows[-1], "scored": 1}],
}


def _of(rolls, row, column):
    return at(rolls=rolls, row_policy=row, column_policy=column)


def _policies_exchanged(rows):
    """Exchange the names of the response and of the policy that it beats."""
    names = {"response": "optimal", "optimal": "response"}
    renamed = [
        {**r, "row_policy": names.get(r["row_policy"], r["row_policy"])} if r["rolls"] == "same" else r for r in rows
    ]
    return sorted(renamed, key=lambda r: (r["rolls"], r["row_policy"], r["column_policy"]))


MATCHUPS_FAULTS = number_faults("probability") | {
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
    "two policies exchanged": _policies_exchanged,
    "a policy too many": lambda rows: [*rows, {**rows[-1], "column_policy": "the_best"}],
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
