"""Rules of a game of hidden information: finite, zero-sum, for two players with perfect recall. The rules say what each
player sees.
"""

from abc import abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar

from dicebase.vocabulary.contracts.conditions import need
from dicebase.vocabulary.errors import ConfigurationError
from dicebase.vocabulary.listing import State
from dicebase.vocabulary.rules.boards import PositionRules

History = tuple
"""How play came to a position: nested pairs (earlier history, action) and triples (earlier history, afterstate, number
of the outcome); () at the start."""


@dataclass(frozen=True)
class Hidden(PositionRules):
    """The rules of a game of hidden information.

    A state of `outcomes` is the whole position, seen and unseen. Rewards go to player 1, and every sign is 1. A player
    sees one entry per column and forgets nothing: positions that look alike to the player who decides follow the same
    observations and actions of that player.
    """

    family = "hidden"
    gap: ClassVar[float] = 1e-5  # the gap asked for if the game is too large for linear programs
    people: ClassVar[Mapping[str, str]] = MappingProxyType({})  # policies of people, {name: what it does}; see `decide`

    @abstractmethod
    def mover(self, state: Hashable) -> int:
        """The player who decides, 1 or 2."""

    @abstractmethod
    def observation(self, state: Hashable, player: int) -> State:
        """All that a player knows in a position, one entry per column."""

    def decide(self, policy: str, seen: State, actions: Sequence[str]) -> str:
        """Return the action of a policy of `people` for what the player sees."""
        raise NotImplementedError

    def seen(self, state: Hashable) -> State:
        player = self.mover(state)
        need(player in (1, 2), f"mover({state!r:.80}): {player!r} is not 1 or 2")
        return self.observation(state, player)


def forgotten(rules: Hidden, state: Hashable, one: History, other: History) -> ConfigurationError:
    """Return the error for two histories that a player cannot tell apart, but should."""
    player = rules.mover(state)
    seen = ", ".join(f"{c.name}={x}" for c, x in zip(rules.columns, rules.observation(state, player), strict=True))
    two = " and ".join(f"'{_words(rules, history)}'" for history in (one, other))
    why = "no perfect recall: they differ in the player's earlier observations or actions, or in the legal actions"
    return ConfigurationError(f"player {player} sees {seen} after {two}; {why}")


def _words(rules: Hidden, history: History) -> str:
    """Return a history as a line of text."""
    steps: list[str] = []
    while history:
        if len(history) == 2:
            steps.append(history[1])
        elif len(outcomes := [*rules.chance.outcomes(history[1])]) > 1:
            labels = rules.chance.labels(history[1]) or [str(state) for _, state, *_ in outcomes]
            steps.append(labels[history[2]])
        history = history[0]
    return ", ".join(reversed(steps))
