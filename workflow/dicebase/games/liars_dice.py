"""Liar's dice for two players: bid on all dice, of which you see only your own.

Both players throw their dice and keep them covered. Player 1 makes the first bid, a count and a face, such as 2x3: at
least two dice show a three. Each later bid has a higher count, or the same count and a higher face. Instead of bidding
a player may call the last bid, and all dice are shown. The caller loses if at least as many dice as the bid says show
its face, and wins otherwise. A wild face counts as every face, and may itself be bid.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from dicebase.vocabulary import Column, Dice, Hidden, Objective, multisets, parameter

State = tuple[str, str, tuple[str, ...]]
"""The dice of player 1, those of player 2, and the bids so far."""


@dataclass(frozen=True)
class Rules(Hidden):
    """One round of Liar's dice, also called Dudo or Perudo."""

    faces: int = parameter(3, "faces of a die", low=1, high=9)
    first: int = parameter(1, "dice of player 1, who bids first", low=1, high=5)
    second: int = parameter(1, "dice of player 2", low=1, high=5)
    wild: str = parameter(
        "none",
        "face that counts as every face",
        choices={"none": "no face is wild", "ones": "ones are wild", "top": "the highest face is wild"},
    )

    title = "Liar's dice"
    citation = "C. P. Ferguson and T. S. Ferguson (1991), Models for the game of liar's dice"
    objectives = {"duel": Objective("P(win) - P(lose)", "P(win) - P(lose)", players=2)}
    columns = (
        Column("dice", str, "own dice, in rising order"),
        Column("bids", str, "the bids so far, with commas in between; - if there are none"),
    )
    drawing = (Dice("dice", covered=True),)
    people = {"honest": "makes the lowest bid that its own dice meet, and otherwise calls"}

    @property
    def _bids(self) -> list[str]:
        """All bids, from the lowest."""
        return [f"{count}x{face}" for count in range(1, self.first + self.second + 1) for face in self._faces]

    @property
    def _faces(self) -> range:
        return range(1, self.faces + 1)

    @property
    def _throws(self) -> list[tuple[str, str, int]]:
        """All throws of both players' dice, with their weights."""
        mine, theirs = (
            [("".join(map(str, dice)), orders) for dice, orders in multisets(self.faces, number)]
            for number in (self.first, self.second)
        )
        return [(dice, others, orders * ways) for dice, orders in mine for others, ways in theirs]

    def start(self) -> State:
        return "", "", ()

    def mover(self, state: State) -> int:
        return 1 + len(state[2]) % 2

    def observation(self, state: State, player: int) -> tuple[str, str]:
        return state[player - 1], ",".join(state[2]) or "-"

    def actions(self, state: State) -> list[str]:
        bids = state[2]
        return ["call", *self._bids[self._bids.index(bids[-1]) + 1 :]] if bids else self._bids

    def decide(self, policy: str, seen: tuple[str, str], actions: list[str]) -> str:
        return next((bid for bid in actions if bid != "call" and self._holds(bid, seen[0])), "call")

    def afterstate(self, state: State, action: str) -> State:
        dice, others, bids = state
        return dice, others, (*bids, action)

    def outcomes(self, afterstate: State) -> Iterator[tuple]:
        dice, others, bids = afterstate
        if not bids:
            yield from ((weight, (mine, theirs, ()), 0, 1) for mine, theirs, weight in self._throws)
        elif bids[-1] != "call":
            yield 1, afterstate, 0, 1
        else:
            caller = 1 if len(bids) % 2 else -1
            yield 1, None, -caller if self._holds(bids[-2], dice + others) else caller, 1

    def _holds(self, bid: str, dice: str) -> bool:
        """Whether at least as many dice as the bid says show its face or a wild one."""
        count, face = bid.split("x")
        wild = {"none": "", "ones": "1", "top": str(self.faces)}[self.wild]
        return sum(die in (face, wild) for die in dice) >= int(count)

    def labels(self, afterstate: State) -> list[str]:
        return [] if afterstate[2] else [f"{mine}:{theirs}" for mine, theirs, _ in self._throws]
