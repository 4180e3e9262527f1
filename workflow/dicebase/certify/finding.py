"""The second witness, one file a kind of table: `decisions`, and the match formats that list something else.

Each has a function `check(listing, published, exact, fail) -> Finding`: it computes the published numbers again from
the rules alone, by another method than the solver's.

Where the published numbers can be played, `simulated(listing, published, seed) -> Simulation | None` plays games by a
table that has passed (simulation.py).
"""

from typing import NamedTuple

EPSILON = 2.0**-52


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
