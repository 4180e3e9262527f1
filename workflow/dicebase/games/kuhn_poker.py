"""Kuhn poker: two players, three cards and one bet.

Each player pays an ante of 1 and is dealt one of three cards: a king, a queen and a jack. Player 1 checks or bets 1.
After a check player 2 checks or bets 1. The answer to a bet is to call, which costs 1, or to fold and lose the ante. If
nobody folds, the higher card wins what both have paid.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations

from dicebase.vocabulary import Cards, Column, Hidden, Objective, Outcome

CARDS = "JQK"  # from the lowest
State = tuple[str, tuple[str, ...]]
"""The cards of player 1 and player 2, and the actions so far."""


@dataclass(frozen=True)
class Rules(Hidden):
    """The rules of H. W. Kuhn."""

    title = "Kuhn poker"
    citation = 'H. W. Kuhn (1950), "A simplified two-person poker", in Contributions to the Theory of Games 1, 97-103'
    objectives = {"duel": Objective("expected gain", "antes", players=2)}
    columns = (
        Column("card", str, "own card: K, Q or J"),
        Column("history", str, "the actions so far, with commas in between; - if there are none"),
    )
    drawing = (Cards("card", covered=True),)
    people = {"honest": "bets and calls with a king only"}

    def start(self) -> State:
        return "", ()

    def mover(self, state: State) -> int:
        return 1 + len(state[1]) % 2

    def observation(self, state: State, player: int) -> tuple[str, str]:
        cards, history = state
        return cards[player - 1], ",".join(history) or "-"

    def actions(self, state: State) -> tuple[str, str]:
        return ("call", "fold") if "bet" in state[1] else ("check", "bet")

    def decide(self, policy: str, seen: tuple[str, str], actions: tuple[str, str]) -> str:
        strong, weak = actions if actions[0] == "call" else actions[::-1]
        return strong if seen[0] == "K" else weak

    def afterstate(self, state: State, action: str) -> State:
        return state[0], (*state[1], action)

    def outcomes(self, afterstate: State) -> Iterator[Outcome]:
        cards, history = afterstate
        if not cards:
            yield from (Outcome(1, ("".join(dealt), ())) for dealt in permutations(CARDS, 2))
        elif history[-1] == "bet" or history == ("check",):
            yield Outcome(1, afterstate)
        elif history[-1] == "fold":
            yield Outcome(1, None, 1 if len(history) % 2 == 0 else -1)
        else:
            higher = 1 if CARDS.index(cards[0]) > CARDS.index(cards[1]) else -1
            yield Outcome(1, None, (1 + ("bet" in history)) * higher)

    def labels(self, afterstate: State) -> list[str]:
        return [] if afterstate[0] else ["".join(dealt) for dealt in permutations(CARDS, 2)]
