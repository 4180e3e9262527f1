"""The interface of a family of rules to other packages, with answers for families that lack a feature."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from dicebase.vocabulary import Json

if TYPE_CHECKING:
    from fractions import Fraction

    import numpy as np

    from dicebase.tables.follow.ranking import Choices, StoredRows
    from dicebase.vocabulary import Listing

    Follower = Callable[[Mapping[str, np.ndarray], Sequence[str | None]], Iterable[tuple[np.ndarray | slice, Choices]]]


class Odds(NamedTuple):
    """The odds of one roll."""

    lost: float  # probability that the turn's points are lost, or that a throw scores nothing
    gain: float  # mean of the most points that the roll adds; a lost roll adds 0


class Family:
    """One family of rules; `rules` are always rules of that family."""

    is_board = False  # whether rules state and draw positions, and play shows all chance outcomes

    def odds(self, rules: Any, state: Mapping[str, int | str], action: str) -> Odds | None:
        """The odds of the roll that an action leads to; None if it leads to no roll."""
        return None

    def least_stop(self, rules: Any, banked: int) -> tuple[str, int]:
        """Return (name of the action that stops a turn, least turn total at which a player with these banked points may
        stop); the total is 0 if turns have no totals."""
        return "", 0

    def dice(self, rules: Any) -> Json:
        """The outcomes and scores of the dice, as data for solving a turn in the explorer and for play."""
        return {}

    def export(self, rules: Any) -> Json:
        """The data about the rules that the explorer needs, besides values."""
        return {"dice": self.dice(rules)}

    def picture(self, rules: Any, state: Mapping[str, int | str]) -> list[str]:
        """The picture of a position as lines for a terminal; empty if there is no picture."""
        return []

    def chart_place(self, rules: Any, state: Mapping[str, int | str]) -> tuple[tuple, tuple, bool] | None:
        """The cell of a strategy chart (show/charts.py) that a position belongs to: (row, column, whether the position
        decides what the cell shows). Rows and columns are sorted; the last entry of each is its label."""
        return None

    def ranked_list(
        self, listing: Listing, stored: StoredRows, variant: Mapping[str, int | str]
    ) -> tuple[list[dict[str, str]], Fraction] | None:
        """A list of actions of which a player takes the first possible one (show/charts.py): its lines, by column, and
        its cost compared with optimal play. None if the game's positions have no such list."""
        return None

    def first_position(self, rules: Any) -> dict[str, int | str] | None:
        """The first position with a choice, as an example; None to take an example from the middle of the rows."""
        return None

    def follower(self, listing: Listing, stored: StoredRows, variant: Mapping[str, int | str]) -> Follower:
        """Return the function that finds the actions of n positions from stored values. It takes the columns of the
        state, (n,) each, and the texts that the dice column refers to, and yields pairs (indices, choices)."""
        raise NotImplementedError


def numbers(weights: Mapping[int, int]) -> list[list]:
    """Weights as pairs [value, weight]."""
    return [[value, number(weight)] for value, weight in weights.items()]


def number(weight: int) -> int | float:
    """A weight that JavaScript can read: an integer below 2**53, otherwise a double."""
    return weight if weight < 2**53 else float(weight)
