"""The questions that other packages ask of a family of rules, and the answers of a family without such a thing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from dicebase.vocabulary import Json

if TYPE_CHECKING:
    import numpy as np

    from dicebase.tables.follow.ranking import Choices, StoredRows
    from dicebase.vocabulary import Listing

    Follower = Callable[[Mapping[str, np.ndarray], Sequence[str | None]], Iterable[tuple[np.ndarray | slice, Choices]]]


class Odds(NamedTuple):
    """The odds of one roll."""

    lost: float  # the probability that the points of the turn are lost, or that a throw scores nothing
    gain: float  # the most points that the roll adds, on average, 0 if it is lost


class Family:
    """One family of rules; `rules` are always rules of that family."""

    is_board = False  # whether positions are stated by the rules and drawn, and play shows everything that falls

    def odds(self, rules: Any, state: Mapping[str, int | str], action: str) -> Odds | None:
        """The odds of the roll that an action leads to; None if it leads to none."""
        return None

    def dice(self, rules: Any) -> Json:
        """How the dice can fall and what they score, as data for solving a turn again and for playing."""
        return {}

    def export(self, rules: Any) -> Json:
        """What the explorer needs to know of the rules, besides values."""
        return {"dice": self.dice(rules)}

    def picture(self, rules: Any, state: Mapping[str, int | str]) -> list[str]:
        """A position as lines for a terminal; empty if nothing is drawn."""
        return []

    def first_position(self, rules: Any) -> dict[str, int | str] | None:
        """The first position with a choice, for an example; None if a position amid the rows is a better one."""
        return None

    def follower(self, listing: Listing, stored: StoredRows, variant: Mapping[str, int | str]) -> Follower:
        """The function that gives the actions of positions from stored values: by (n,) columns of the state, and the
        texts that the numbers of its column of dice stand for, it gives (which positions, their actions)."""
        raise NotImplementedError


def numbers(weights: Mapping[int, int]) -> list[list]:
    """Weights as pairs."""
    return [[value, number(weight)] for value, weight in weights.items()]


def number(weight: int) -> int | float:
    """A weight as a page can read it, as a double."""
    return weight if weight < 2**53 else float(weight)
