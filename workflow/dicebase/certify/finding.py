"""The interface of the certifiers: `decisions`, and one module per match format that lists something else."""

from collections.abc import Callable
from typing import Any, NamedTuple, NoReturn, Protocol

from dicebase.certify.simulation import Simulation
from dicebase.vocabulary import Listing, State

EPSILON = 2.0**-52

Fail = Callable[[State | None, str], NoReturn]
"""Called with the row of the first false claim, or None, and a message; raises CertificationError."""


class Finding(NamedTuple):
    """The value of the game, its error bound, and `bound`, which no error of a published number exceeds.

    `states` and `actions` count what the views can answer, if that is more than the rows of the files.
    """

    value: float
    value_bound: float
    bound: float
    residual: float
    proof: str
    states: int | None = None
    actions: int | None = None


class Certifier(Protocol):
    """A certifier module; `published` holds the rows of a variant, as read by published.py."""

    def check(self, listing: Listing, published: Any, fail: Fail) -> Finding:
        """Recompute the published numbers from the rules alone, by another method than the solver's."""

    def simulated(self, listing: Listing, published: Any, seed: int) -> Simulation | None:
        """Play games by a table that has passed `check`; return None if games take too long."""


def unplayed(listing: Listing, published: Any, seed: int) -> None:
    """The `simulated` of listings without a policy to play."""
