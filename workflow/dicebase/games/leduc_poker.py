"""Leduc poker: two players, six cards, and two rounds of bets.

The cards are two kings, two queens and two jacks. Each player pays an ante of 1 and is dealt a card. In each of two
rounds player 1 begins: a player checks or bets; a bet may be raised once, called, or answered by folding, which loses
what the player has paid. A bet or a raise is 2 in the first round and 4 in the second. Between the rounds one more card
is turned up for both. If nobody folds, a card of the same rank as that card wins, and otherwise the higher card; equal
cards share what has been paid.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from dicebase.vocabulary import Cards, Column, Hidden, Objective

RANKS = "JQK"  # from the lowest, two cards of each
BETS = (2, 4)  # in each round
State = tuple[str, tuple[str, ...], tuple[str, ...]]
"""The cards of player 1 and player 2 and the card turned up, and the actions of both rounds."""


@dataclass(frozen=True)
class Rules(Hidden):
    """The rules of Southey et al."""

    title = "Leduc poker"
    citation = "F. Southey, M. Bowling et al. (2005), Bayes' bluff: opponent modelling in poker, UAI, 550-558"
    objectives = {"duel": Objective("expected gain", "antes", players=2)}
    columns = (
        Column("card", str, "own card: K, Q or J"),
        Column("board", str, "the card turned up; - in the first round"),
        Column("history", str, "the actions so far, with commas in between; - if there are none"),
    )
    drawing = (Cards("card", covered=True), Cards("board"))
    people = {"honest": "bets, raises and calls with a pair or a king only"}

    def start(self) -> State:
        return "", (), ()

    def mover(self, state: State) -> int:
        return 1 + len(self._round(state)) % 2

    def observation(self, state: State, player: int) -> tuple[str, str, str]:
        cards, first, second = state
        return cards[player - 1], cards[2:] or "-", ",".join(first + second) or "-"

    def actions(self, state: State) -> list[str]:
        past = self._round(state)
        if "bet" not in past:
            return ["check", "bet"]
        return ["call", "fold", *["raise"] * ("raise" not in past)]

    def decide(self, policy: str, seen: tuple[str, str, str], actions: list[str]) -> str:
        if seen[0] in ("K", seen[1]):
            return next(action for action in ("bet", "raise", "call") if action in actions)
        return "check" if "check" in actions else "fold"

    def _round(self, state: State) -> tuple[str, ...]:
        """The actions of the present round."""
        return state[2] if len(state[0]) == 3 else state[1]

    def afterstate(self, state: State, action: str) -> State:
        cards, first, second = state
        return (cards, first, (*second, action)) if len(cards) == 3 else (cards, (*first, action), second)

    def outcomes(self, afterstate: State) -> Iterator[tuple]:
        cards, first, second = afterstate
        past = self._round(afterstate)
        if not past:
            for mine, theirs in product(RANKS, repeat=2):
                yield (1 if mine == theirs else 2), (mine + theirs, (), ()), 0, 1
        elif past[-1] == "fold":
            yield 1, None, self._paid(first, second) * (1 if len(past) % 2 == 0 else -1), 1
        elif past[-1] != "call" and past[-2:] != ("check", "check"):
            yield 1, afterstate, 0, 1
        elif len(cards) == 2:
            yield from ((2 - cards.count(rank), (cards + rank, first, ()), 0, 1) for rank in self._left(cards))
        else:
            mine, theirs = (10 * (card == cards[2]) + RANKS.index(card) for card in cards[:2])
            yield 1, None, self._paid(first, second) * ((mine > theirs) - (mine < theirs)), 1

    def _left(self, cards: str) -> list[str]:
        """The ranks that can be turned up."""
        return [rank for rank in RANKS if cards.count(rank) < 2]

    def _paid(self, *rounds: tuple[str, ...]) -> int:
        """What each player has paid, or the player who folds."""
        bets = [sum(action in ("bet", "raise") for action in past) - ("fold" in past) for past in rounds]
        return 1 + sum(size * number for size, number in zip(BETS, bets, strict=True))

    def labels(self, afterstate: State) -> list[str]:
        if not afterstate[0]:
            return ["".join(dealt) for dealt in product(RANKS, repeat=2)]
        past = self._round(afterstate)
        ends = past[-1] == "call" or past[-2:] == ("check", "check")
        return self._left(afterstate[0]) if ends and len(afterstate[0]) == 2 else []
