"""Le Her: a card game of the 18th century for two players, which Waldegrave solved with a mixed strategy.

Each player is dealt a card from a pack of 52; aces are low and kings high. Player 1 may exchange cards with player 2,
unless that shows a king. Then player 2 may exchange for the next card of the pack, unless that is a king. The higher
card wins, and player 2 wins ties.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from dicebase.vocabulary import Column, Hidden, Objective, parameter

State = tuple[int, int, tuple[str, ...]]
"""The cards that player 1 and player 2 were dealt, and the actions so far."""


@dataclass(frozen=True)
class Rules(Hidden):
    """The rules as Montmort gives them."""

    ranks: int = parameter(13, "ranks of the pack, with four cards each", low=2, high=13)

    title = "Le Her"
    citation = "P. R. de Montmort (1713), Essay d'analyse sur les jeux de hazard"
    objectives = {"duel": Objective("P(win) - P(lose)", "P(win) - P(lose)", players=2)}
    columns = (
        Column("card", int, "own card as dealt"),
        Column("seen", str, "the card that player 1 gave in exchange, or what player 1 did; - at first"),
    )

    def start(self) -> State:
        return 0, 0, ()

    def mover(self, state: State) -> int:
        return 1 + len(state[2])

    def observation(self, state: State, player: int) -> tuple[int, str]:
        mine, theirs, past = state
        if player == 1:
            return mine, "-"
        return theirs, (str(mine) if past == ("change",) and theirs != self.ranks else past[0])

    def actions(self, state: State) -> tuple[str, str]:
        return "keep", "change"

    def afterstate(self, state: State, action: str) -> State:
        mine, theirs, past = state
        return mine, theirs, (*past, action)

    def outcomes(self, afterstate: State) -> Iterator[tuple]:
        mine, theirs, past = afterstate
        ranks = range(1, self.ranks + 1)
        if not mine:
            yield from ((4 * (4 - (a == b)), (a, b, ()), 0, 1) for a, b in product(ranks, repeat=2))
        elif len(past) == 1:
            yield 1, afterstate, 0, 1
        else:
            mine, theirs = (theirs, mine) if past[0] == "change" and theirs != self.ranks else (mine, theirs)
            drawn = ranks if past[1] == "change" else [self.ranks]
            for card in drawn:
                last = theirs if card == self.ranks else card
                weight = 4 - (card == mine) - (card == theirs)
                yield weight, None, 1 if mine > last else -1, 1
