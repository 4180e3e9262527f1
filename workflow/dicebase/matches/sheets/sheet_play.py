"""A score sheet as a game of single throws, whose states include every position within a turn."""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from dicebase.matches.sheets.sheets import Turns
from dicebase.vocabulary import Card, Game, Outcome, Sheet, State, multisets, value_column

KEEP, NOTHING = "keep ", "nothing"


@dataclass(frozen=True)
class SheetPlay(Game):
    """Maximise the expected points of a sheet for one player.

    A state is (open, upper, bonus, roll, rerolls_left). An afterstate is (points just scored, card, dice kept, rerolls
    left after the next roll), with the card as a plain tuple.
    """

    rules: Sheet

    columns = Turns.state_columns
    value = value_column("expected points still to be scored", "points")

    def start(self) -> Hashable:
        return 0, tuple(self.rules.fresh), "", self.rules.rolls - 1

    def actions(self, state: State) -> Sequence[str]:
        *card, roll, left = state
        if not left:
            fits = {entry.box for entry in self.rules.entries(_faces(roll)) if entry.fits(card[0])}
            return [name for box, name in enumerate(self.rules.boxes) if box in fits]
        sizes = range(self.rules.dice, -1, -1)
        keeps = dict.fromkeys("".join(part) for size in sizes for part in sorted(combinations(roll, size)))
        return [f"{KEEP}{part or NOTHING}" for part in keeps]

    def afterstate(self, state: State, action: str) -> Hashable:
        *card, roll, left = state
        if left:
            return 0, tuple(card), action.removeprefix(KEEP).replace(NOTHING, ""), left - 1
        points, after = self.rules.fill(Card(*card), _faces(roll), self.rules.boxes.index(action))
        return points, tuple(after), "", self.rules.rolls - 1

    def outcomes(self, afterstate: Hashable) -> Iterator[Outcome]:
        points, card, kept, left = afterstate
        if not card[0]:
            yield Outcome(1, None, points)
            return
        for faces, orders in multisets(self.rules.sides, self.rules.dice - len(kept)):
            yield Outcome(orders, (*card, "".join(sorted([*kept, *map(str, faces)])), left), points)

    def falls(self, afterstate: Hashable) -> Sequence[str]:
        return [outcome.state[3] for outcome in self.outcomes(afterstate) if outcome.state]


def _faces(roll: str) -> tuple[int, ...]:
    return tuple(map(int, roll))
