"""What the wider literature prints of Pig in matches; and of Piglet, which is Pig with a coin whose heads count 2."""

import math
from collections.abc import Callable, Iterator
from functools import cache, partial

import numpy as np

from dicebase.audit import hold_at_20
from dicebase.audit.catalogue import Catalogue, Place, Variant
from dicebase.audit.record import Cell, Ours, read

DUEL = Variant("pig_duel", {"sides": 6, "dice": 1, "target": 100})
# Without wipes only the points still missing count: this duel holds all of Piglet to 2, 3, 6 and 9 heads.
PIGLET = Variant("pig_duel", {"sides": 2, "dice": 1, "target": 20})
RACE = Variant("pig_race", {"sides": 6, "dice": 1, "target": 100})
REACH = Variant("pig_reach", {"sides": 6, "dice": 2, "target": 100, "turns": 20})
TURN = Variant("pig_turn", {"sides": 6, "dice": 1})
HEADS = 2

Position = dict[str, int]


def variant(position: Position, table: str) -> Variant:
    """The variant that answers for a printed one."""
    if table == "pig_duel":
        return PIGLET if position["sides"] == HEADS else DUEL
    return {"pig_race": RACE, "pig_reach": REACH, "pig_turn": TURN}[table]


def shifted(position: Position) -> tuple[Variant, int, int]:
    """(variant, me, opponent) of a position of a duel, with the same points missing."""
    of = variant(position, "pig_duel")
    more = of.parameters["target"] - position["target"]
    return of, position["me"] + more, position["opponent"] + more


def who_begins(catalogue: Catalogue, position: Position) -> Ours:
    return catalogue.start(DUEL, times=100)


def mover_wins(catalogue: Catalogue, position: Position) -> Ours:
    of, me, opponent = shifted(position)
    return catalogue.view(of, "turn_total", me=me, opponent=opponent).value(position["turn_total"])


def least_hold(catalogue: Catalogue, position: Position, unit: str = "") -> Ours:
    """The least turn total to hold at; to hold at none below the target is to go for it."""
    of, me, opponent = shifted(position)
    view = catalogue.view(of, "turn_total", me=me, opponent=opponent)
    least = f"coalesce(min(turn_total), {of.parameters['target'] - me}){unit}"
    return catalogue.ask(f"SELECT {least} FROM {view.name} WHERE {view.where} AND action = 'hold'")


def heads_to_hold_at(catalogue: Catalogue, position: Position) -> Ours:
    return least_hold(catalogue, position, f" // {HEADS}")


def next_roll(catalogue: Catalogue, position: Position) -> Ours:
    """The least turn total above the one to hold at at which one rolls again."""
    of, me, opponent = shifted(position)
    view = catalogue.view(of, "turn_total", me=me, opponent=opponent)
    query = f"SELECT min(turn_total) FROM {view.name} WHERE {view.where} AND action = 'roll' AND turn_total > "
    return catalogue.ask(query + str(least_hold(catalogue, position).value))


def expected_turns(catalogue: Catalogue, position: Position) -> Ours:
    return catalogue.start(RACE)


def chance(catalogue: Catalogue, position: Position) -> Ours:
    """Within so many turns, in percent."""
    view = catalogue.view(REACH, "turns_left banked", turn_total=0)
    return view.value(position["turns_left"], position["banked"], times=100)


def score(catalogue: Catalogue, position: Position) -> Ours:
    """Of a turn far from the target."""
    _, lost, banked = hold_at_20.turn(DUEL.parameters["target"])
    return Ours(banked.get(position["score"], lost), "dicebase.audit.hold_at_20.turn")


def both_hold(catalogue: Catalogue, position: Position) -> Ours:
    begins = alike(position["target"])
    error = math.sqrt(begins * (1 - begins) / position["games"]) if "games" in position else None
    return Ours(begins, "dicebase.audit.hold_at_20.duel", standard_error=error)


def turns(catalogue: Catalogue, position: Position) -> Ours:
    mean, variance = hold_at_20.turns(position["target"])
    error = math.sqrt(variance / position["games"])
    return Ours(mean, "dicebase.audit.hold_at_20.turns", standard_error=error)


def against_hold_at_20(catalogue: Catalogue, position: Position, begins: bool) -> Ours:
    """How often who begins wins, in percent: the optimal player or the other; `other` is of the best response."""
    ours, best = optimal(catalogue), best_response(DUEL.parameters["target"])
    value, other = (ours[0], best[0]) if begins else (1 - ours[1], 1 - best[1])
    return Ours(100 * value, "dicebase.audit.hold_at_20.duel over the actions of pig_duel", other=100 * other)


@cache
def best_response(target: int) -> tuple[float, float]:
    return hold_at_20.duel(target)


@cache
def alike(target: int) -> float:
    """How often who begins wins where both hold at 20 or goal."""
    return hold_at_20.duel(target, hold_at_20.same(target))[0]


def optimal(catalogue: Catalogue) -> tuple[float, float]:
    """What the optimal policy wins against holding at 20 or goal: (when it begins, when it does not)."""
    target = DUEL.parameters["target"]
    where = " AND ".join(f"{name} = {value}" for name, value in DUEL.parameters.items())
    query = f"SELECT me, opponent, turn_total FROM pig_duel WHERE {where} AND action = 'roll'"
    if query not in catalogue.known:
        found = catalogue.connection.execute(query).fetchnumpy()
        rolls = np.zeros((target, target, target), dtype=bool)
        rolls[found["me"], found["opponent"], found["turn_total"]] = True
        catalogue.known[query] = hold_at_20.duel(target, rolls)
    return catalogue.known[query]


QUANTITIES: dict[str, Callable[[Catalogue, Position], Ours]] = {
    "who begins wins, percent": who_begins,
    "mover wins": mover_wins,
    "heads to hold at": heads_to_hold_at,
    "least turn total to hold at": least_hold,
    "next turn total to roll at": next_roll,
    "expected turns": expected_turns,
    "chance, percent": chance,
    "hold at 20: chance of the score": score,
    "both hold at 20 or goal: who begins wins": both_hold,
    "hold at 20 or goal: turns": turns,
    "optimal play begins against hold at 20 and wins, percent": partial(against_hold_at_20, begins=True),
    "hold at 20 begins against optimal play and wins, percent": partial(against_hold_at_20, begins=False),
}


def position_of(row: dict[str, str]) -> Position:
    return {name: int(value) for name, value in (part.split("=") for part in row["parameters"].split())}


def cells(catalogue: Catalogue, source: str, place: str) -> Iterator[Cell]:
    for row in read("pig"):
        if (row["source"], row["place"]) == (source, place):
            ours = QUANTITIES[row["quantity"]](catalogue, position_of(row))
            yield Cell(f"{row['quantity']}: {row['parameters']}", row["printed"], ours)


def places() -> Iterator[Place]:
    """Those of the file, in its order."""
    needs: dict[tuple[str, str], dict[str, Variant]] = {}
    for row in read("pig"):
        of = variant(position_of(row), row["table"])
        needs.setdefault((row["source"], row["place"]), {})[str(of)] = of
    for (source, place), variants in needs.items():
        yield Place(source, place, partial(cells, source=source, place=place), tuple(variants.values()))


PLACES = tuple(places())
