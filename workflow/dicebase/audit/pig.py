"""What the wider literature prints of Pig with one die to 100 points, by players who hold at 20 or goal."""

import math
from functools import cache

import numpy as np

from dicebase.audit import hold_at_20
from dicebase.audit.catalogue import VARIANTS, Catalogue
from dicebase.audit.record import Ours, Row

DUEL = VARIANTS["DUEL"]
TARGET = DUEL.parameters["target"]


def score(catalogue: Catalogue, row: Row) -> float:
    """How often a turn far from the target scores so much."""
    _, lost, banked = hold_at_20.turn(TARGET)
    return banked.get(int(row["score"]), lost)


def turns(catalogue: Catalogue, row: Row) -> Ours:
    """The turns of one player to the target, printed as an average of games."""
    mean, variance = hold_at_20.turns(TARGET)
    return Ours(mean, "dicebase.audit.hold_at_20.turns", standard_error=math.sqrt(variance / int(row["games"])))


def both_hold_at_20(catalogue: Catalogue, row: Row) -> Ours:
    """How often who begins wins; exact or from games."""
    begins = alike()
    error = math.sqrt(begins * (1 - begins) / int(row["games"])) if "games" in row else None
    return Ours(begins, "dicebase.audit.hold_at_20.duel", standard_error=error)


@cache
def alike() -> float:
    return hold_at_20.duel(TARGET, hold_at_20.same(TARGET))[0]


@cache
def best_response() -> tuple[float, float]:
    """What the best response wins against holding at 20 or goal: (when it begins, when it does not)."""
    return hold_at_20.duel(TARGET)


def against_hold_at_20(catalogue: Catalogue, row: Row) -> Ours:
    """How often who begins wins, in percent: the optimal player or the other; `other` is of the best response."""
    ours, best = optimal(catalogue), best_response()
    begins = row["quantity"].startswith("optimal play begins")
    value, other = (ours[0], best[0]) if begins else (1 - ours[1], 1 - best[1])
    return Ours(100 * value, "dicebase.audit.hold_at_20.duel over the actions of pig_duel", other=100 * other)


def optimal(catalogue: Catalogue) -> tuple[float, float]:
    """The same of the optimal policy."""
    query = f"SELECT me, opponent, turn_total FROM pig_duel WHERE {DUEL.where} AND action = 'roll'"
    if query not in catalogue.known:
        found = catalogue.connection.execute(query).fetchnumpy()
        rolls = np.zeros((TARGET, TARGET, TARGET), dtype=bool)
        rolls[found["me"], found["opponent"], found["turn_total"]] = True
        catalogue.known[query] = hold_at_20.duel(TARGET, rolls)
    return catalogue.known[query]
