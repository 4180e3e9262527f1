"""Compare the compiled rules of a board (vocabulary/layers.py) with its plain rules: rolls, moves and
successors, at every position of a small layer and at COMPARED positions of a large one.
"""

from collections.abc import Hashable
from fractions import Fraction
from itertools import islice

import numpy as np

from dicebase.certify.finding import Fail
from dicebase.matches.boards.layers import PositionValues
from dicebase.vocabulary.layers import Layers, Moves, Parts

COMPARED = 2_000

Move = tuple[int | None, bool, int | Fraction]
"""The number of the position after a move or None at the end, whether the opponent owns it, the mover's reward."""


def compare(listing: PositionValues, layers: Layers, parts: Parts, fail: Fail) -> None:
    """Fail at a position where the compiled rules differ from the plain ones."""
    size = listing.rules.size(listing.layer)
    some = np.arange(size)
    if size > COMPARED:
        some = np.sort(np.random.default_rng(size).choice(size, COMPARED, replace=False))
    plain = _Plain(listing, layers)
    for first, moves in parts:
        for number in some[np.searchsorted(some, first) : np.searchsorted(some, first + len(moves.dice))].tolist():
            if wrong := plain.difference(number, moves, number - first):
                fail((number,), wrong)


def value_at_start(listing: PositionValues, layers: Layers, values: np.ndarray) -> float:
    """Return the value at the start of play by the plain rules, which may begin with a special throw; `values` are
    those of the last layer, of the layers ahead and of the ends of play."""
    rules, plain, total = listing.rules, _Plain(listing, layers), listing.total

    def after(afterstate: Hashable) -> float:
        there, opponent, earned = plain.move(afterstate)
        return float(earned) if there is None else total - values[there] if opponent else values[there]

    def at(state: tuple) -> float:
        return listing.sense * max(listing.sense * after(rules.afterstate(state, a)) for a in rules.actions(state))

    outcomes = [*rules.outcomes(rules.start())]
    worths = [float(o.reward) + (0.0 if o.state is None else o.sign * at(o.state)) for o in outcomes]
    return float(np.dot([o.weight for o in outcomes], worths)) / sum(o.weight for o in outcomes)


class _Plain:
    """The plain rules of a layer, with the numbers of the compiled ones."""

    def __init__(self, listing: PositionValues, layers: Layers) -> None:
        self.listing, self.layers, self.rules = listing, layers, listing.rules
        names = (listing.layer, *self.rules.layers[listing.layer])
        *begins, self.ends = np.cumsum([0, *map(self.rules.size, names)]).tolist()
        self.begins, self.total = dict(zip(names, begins, strict=True)), listing.total

    def move(self, afterstate: Hashable) -> Move:
        """Return the move that leads to an afterstate."""
        outcomes = [*islice(self.rules.outcomes(afterstate), 2)]
        if len(outcomes) == 1 and outcomes[0].state is None:
            return None, False, outcomes[0].reward
        layer, number, opponent = self.layers.number(afterstate)
        return self.begins[layer] + number, opponent, 0

    def compiled(self, moves: Moves, k: int) -> Move:
        """Return a compiled move."""
        there = int(moves.to[k])
        place = max(there, ~there)
        paid = self.listing.sense * Fraction(float(moves.earned[k])) if len(moves.earned) else 0
        if place < self.ends:
            return place, there < 0, paid
        end = Fraction(self.layers.ends[place - self.ends])
        return None, False, paid + (self.total - end if there < 0 else end)

    def difference(self, number: int, moves: Moves, i: int) -> str:
        """Return how a position, the i-th of a part, differs from the plain rules; empty if it does not."""
        layer, rules = self.listing.layer, self.rules
        afterstate = self.layers.afterstate(layer, number)
        described = tuple(_plain(c[0]) for c in self.layers.columns(layer, number, number + 1))
        *place, opponent = self.layers.number(afterstate)
        if place != [layer, number] or described != rules.described(afterstate):
            return f"the position there is described as {described}, not as {afterstate}"
        outcomes, thrown = [*rules.outcomes(afterstate)], self.layers.dice[moves.dice[i]]
        falls = np.flatnonzero(thrown).tolist()
        if [o.weight for o in outcomes] != [abs(thrown[fall]) for fall in falls]:
            return f"the rolls there differ from those of the rules, {outcomes!r:.80}"
        for o, fall in zip(outcomes, falls, strict=True):
            at = i * len(thrown) + fall
            theirs = {self.compiled(moves, k) for k in range(moves.begin[at], moves.begin[at + 1])}
            turned = (thrown[fall] < 0) != opponent  # whether the player who moved does not choose next
            if o.state is None:
                ours = {(None, False, self.total - o.reward if turned else o.reward)}
            elif turned == (o.sign < 0):
                extra = o.sign * (o.reward - (self.total if turned else 0))
                after = map(self.move, (rules.afterstate(o.state, action) for action in rules.actions(o.state)))
                ours = {(there, owner, paid + extra) for there, owner, paid in after}
            else:
                return f"{o.state} is not a position of the player who chooses there"
            if theirs != ours:
                return f"the moves of {o.state} are not those of the rules"
        return ""


def _plain(entry: np.generic) -> int | str:
    return entry.decode() if isinstance(entry, bytes) else entry.item()
