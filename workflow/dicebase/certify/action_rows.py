"""Do the rows of one state say what follows from its value and its q-values?"""

import math

from dicebase.certify.finding import Fail
from dicebase.certify.published import Published
from dicebase.vocabulary import TIE, State


def check_rows(published: Published, state: State, sign: int, tolerance: float, decided: bool, fail: Fail) -> None:
    """Regret, optimal, undecided, probability, action and margin of a state without a mix, up to `tolerance`: twice
    what its values may be wrong by. `sign` is -1 where less is better; `decided` says that ties are those of rationals.
    """
    value, rows = published.values[state], published.actions[state]
    if not all(math.isfinite(x) for row in rows.values() for x in (row["q_value"], row["regret"])):
        fail(state, "a q-value or regret is not a finite number")
    if not math.isfinite(value):
        fail(state, f"the value is {value}")
    for action, row in rows.items():
        if row["regret"] < 0 or abs(row["regret"] - sign * (value - row["q_value"])) > tolerance:
            fail(state, f"regret of '{action}' is {row['regret']!r}, its q-value says otherwise")
        if row["optimal"] != (row["regret"] == 0) and not row["undecided"]:
            fail(state, f"'{action}' has regret {row['regret']!r} and optimal = {row['optimal']}")
        if row["undecided"] and (decided or not row["optimal"] or row["regret"] > TIE):
            fail(state, f"'{action}' is called undecided with regret {row['regret']!r}")
        if not (decided or row["optimal"]) and row["regret"] <= tolerance:
            fail(state, f"'{action}' is called worse, by {row['regret']!r}, which is less than can be told")
        if row["probability"] and not row["optimal"]:
            fail(state, f"'{action}' is played but not optimal")
    if abs(value - sign * max(sign * row["q_value"] for row in rows.values())) > tolerance:
        fail(state, f"the value is {value!r}, no action is worth that")
    best = published.best[state]
    if best not in rows or rows[best]["probability"] != 1 or sum(r["probability"] for r in rows.values()) != 1:
        fail(state, f"action is '{best}', but the probabilities say otherwise")
    margin = sorted(row["regret"] for row in rows.values())[1] if len(rows) > 1 else None
    if published.margins[state] != margin:
        fail(state, f"margin is {published.margins[state]!r}, the regrets say {margin!r}")


def check_undecided(published: Published, state: State, fail: Fail) -> None:
    """Of doubles, whose ties are not proved: several optimal actions are undecided, and nothing else is."""
    rows = published.actions[state]
    tied = sum(row["optimal"] for row in rows.values()) > 1
    for action, row in rows.items():
        if row["undecided"] != (tied and row["optimal"]):
            fail(state, f"'{action}' has undecided = {row['undecided']}, where the optimal actions say otherwise")
