"""The interface of the certifiers: `decisions`, and one module for each match format that it cannot check."""

from collections.abc import Callable
from typing import Any, NamedTuple, NoReturn, Protocol

from dicebase.vocabulary import Listing, State

EPSILON = 2.0**-52

Fail = Callable[[State | None, str], NoReturn]
"""Called with the row of the first false claim, or None, and a message; raises CertificationError."""


class Finding(NamedTuple):
    """The value of the game, its error bound, and `bound`, the largest possible error of a published number.

    `states` and `actions` are set only if the views answer for more states and actions than the files have rows.
    """

    value: float
    value_bound: float
    bound: float
    residual: float
    proof: str
    states: int | None = None
    actions: int | None = None


class Certifier(Protocol):
    """A certifier module; `published` holds the rows of a variant, as read by published.py. If the table has a policy
    to play, the module also has a function `simulated` with the arguments (listing, published, seed), which plays games
    by rows that have passed `check` and returns a Simulation, or None if games take too long."""

    def check(self, listing: Listing, published: Any, fail: Fail) -> Finding:
        """Recompute the published numbers from the rules alone, by another method than the solver's."""
