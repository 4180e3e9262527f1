"""Beat the Dealer: draw cards up to 21; then the dealer draws up to 17. The higher total wins; a tie counts half."""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from dicebase.vocabulary import After, Board, Column, Objective, Outcome, State

CARDS = dict.fromkeys(range(1, 10), 4) | {10: 16}


@dataclass(frozen=True)
class Rules(Board):
    """Cards are drawn with replacement; the dealer's cards are one chance after another."""

    title = "Beat the Dealer"
    citation = "made up for a test"
    objectives = {"win": Objective("share of a win", "probability")}
    columns = (Column("total", int, "your total"),)
    chained = True

    def start(self) -> Hashable:
        return ("draw", 0)

    def actions(self, state: State) -> tuple[str, ...]:
        return ("draw", "stand")

    def afterstate(self, state: State, action: str) -> Hashable:
        return ("draw", *state) if action == "draw" else (state[0], 0)

    def outcomes(self, afterstate: Hashable) -> Iterator[Outcome]:
        if afterstate[0] == "draw":
            for card, weight in CARDS.items():
                total = afterstate[1] + card
                yield Outcome(weight, (total,) if total <= 21 else None)
            return
        mine, theirs = afterstate
        if theirs < 17:
            for card, weight in CARDS.items():
                yield Outcome(weight, After((mine, theirs + card)))
        elif theirs > 21 or mine > theirs:
            yield Outcome(1, None, 1)
        else:
            yield Outcome(1, None, Fraction(1, 2) if mine == theirs else 0)

    def labels(self, afterstate: Hashable) -> list[str]:
        drawing = afterstate[0] == "draw" or afterstate[1] < 17
        return [f"a {card}" for card in CARDS] if drawing else []
