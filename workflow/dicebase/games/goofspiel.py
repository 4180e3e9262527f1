"""Goofspiel for two players: bid cards for prizes, both at once.

Each player has the cards 1 to n, and the prizes 1 to n are shuffled. In each round a prize is turned up, both players
choose a card and show their cards at once. The higher card wins the prize, and equal cards share it; the cards are
gone. The value is the difference of the prizes won.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from dicebase.vocabulary import Cards, Column, Hidden, Objective, parameter

State = tuple[tuple[str, ...], str]
"""The rounds so far, each a prize and the cards of player 1 and player 2, and the present prize, to which the card that
player 1 has chosen is added."""


@dataclass(frozen=True)
class Rules(Hidden):
    """The rules of M. M. Flood, with n cards."""

    cards: int = parameter(3, "cards of each player, and prizes", low=2, high=9)

    title = "Goofspiel"
    citation = "G. C. Rhoads and L. Bartholdi (2012), Computer solution to the game of pure strategy, Games 3, 150-156"
    objectives = {"duel": Objective("expected difference of prizes", "points", players=2)}
    columns = (
        Column("prize", int, "the prize turned up"),
        Column("history", str, "the rounds so far: prize, own card, other card; - if there are none"),
    )
    drawing = (Cards("prize"),)
    people = {"match": "plays the card that equals the prize, or else its highest card"}

    def start(self) -> State:
        return (), ""

    def mover(self, state: State) -> int:
        return len(state[1])

    def observation(self, state: State, player: int) -> tuple[int, str]:
        rounds, now = state
        own = rounds if player == 1 else [prize + theirs + mine for prize, mine, theirs in rounds]
        return int(now[0]), ",".join(own) or "-"

    def actions(self, state: State) -> list[str]:
        return self._left(state, self.mover(state))

    def _left(self, state: State, of: int) -> list[str]:
        """The prizes (0) or the cards of a player (1, 2) that are not gone."""
        gone = {past[of] for past in state[0]}
        return [card for card in map(str, range(1, self.cards + 1)) if card not in gone]

    def decide(self, policy: str, seen: tuple[int, str], actions: list[str]) -> str:
        return str(seen[0]) if str(seen[0]) in actions else actions[-1]

    def afterstate(self, state: State, action: str) -> State:
        rounds, now = state
        return (rounds, now + action) if len(now) == 1 else ((*rounds, now + action), "")

    def outcomes(self, afterstate: State) -> Iterator[tuple]:
        rounds, now = afterstate
        if now:
            yield 1, afterstate, 0, 1
        elif len(rounds) == self.cards:
            won = [int(prize) * ((mine > theirs) - (mine < theirs)) for prize, mine, theirs in rounds]
            yield 1, None, sum(won), 1
        else:
            yield from ((1, (rounds, prize), 0, 1) for prize in self._left(afterstate, 0))

    def labels(self, afterstate: State) -> list[str]:
        rounds, now = afterstate
        return [] if now or len(rounds) == self.cards else self._left(afterstate, 0)
