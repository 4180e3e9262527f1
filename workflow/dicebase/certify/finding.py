"""The second witness, one module a kind of table: `decisions`, and the match formats that list something else."""

from collections.abc import Callable
from typing import Any, NamedTuple, NoReturn, Protocol

from dicebase.certify.simulation import Simulation
from dicebase.vocabulary import Listing, State

EPSILON = 2.0**-52

Fail = Callable[[State | None, str], NoReturn]
"""Called with the row of the first claim that does not hold, or none, and what is wrong."""


class Finding(NamedTuple):
    """What a check found: the value of the table, and bounds on how wrong it and any published number can be.

    `states` and `actions` count what the views answer for, where that is more than the rows of the files.
    """

    value: float
    value_bound: float
    bound: float
    residual: float
    proof: str
    states: int | None = None
    actions: int | None = None


class Certifier(Protocol):
    """What these modules offer; `published` are the rows of a variant, as published.py reads them."""

    def check(self, listing: Listing, published: Any, fail: Fail) -> Finding:
        """Compute the published numbers again from the rules alone, by another method than the solver's."""

    def simulated(self, listing: Listing, published: Any, seed: int) -> Simulation | None:
        """Games played by a table that has passed; None where games take too long."""


def unplayed(listing: Listing, published: Any, seed: int) -> None:
    """The `simulated` of a listing by which nobody plays."""
