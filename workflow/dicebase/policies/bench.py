"""What the benches of policies share. A bench evaluates policies of one variant, whatever form their decisions have."""

from abc import ABC, abstractmethod
from collections.abc import Collection
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from dicebase.policies.user_policies import EXCEPT, MISSING, Given, PolicyRows, base_of, read_policy
from dicebase.tables.names import Variant
from dicebase.vocabulary import TIE, ConfigurationError, Listing, nearest


class Losses(NamedTuple):
    """What a policy loses: columns that name hands or positions, with their frequency and their part of the loss; the
    policy's value and a bound on its error, if they were computed."""

    hands: dict[str, list]
    frequency: np.ndarray
    loss: np.ndarray
    value: float | None = None
    error_bound: float = 0.0


class Bench(ABC):
    """One variant with its policies; `listing` lists its positions."""

    line: str = "policy"  # what errors call a policy that must be one line of text

    def __init__(self, name: str, variant: Variant, listing: Listing) -> None:
        self.name, self.variant, self.listing, self.unit = name, variant, listing, listing.value.unit

    def policy(self, given: Given) -> tuple[str, Any]:
        """Return (name of a policy, its decisions)."""
        base, given = base_of(given)
        decided = self.named(base) if base else None
        if given is None:
            return base, decided
        table, place = read_policy(given, self.listing.columns)
        return f"{base}{EXCEPT}{place}" if base else place, self.filed(table, place, decided)

    @abstractmethod
    def named(self, name: str) -> Any:
        """Return the decisions of a name or a line of text; raises ConfigurationError for others."""

    def filed(self, table: pa.Table, place: str, base: Any) -> Any:
        """Return the decisions of rows from `place`, and in positions without a row those of `base`, if it is given.
        Raises ConfigurationError for wrong rows."""
        raise ConfigurationError(f"{place}: {self.name}: give a {self.line} as one line of text")


class MixBench(Bench):
    """A bench whose policies are the probabilities, (A,), of the actions of S listed states.

    states : the S states as in files. of : (A,), the state of each action. texts : (A,), what each action is called.
    names : the different texts.
    """

    also = "a policy can also be a .csv or .parquet file"
    unknown, missing = "not a state of this board", MISSING

    def check_name(self, name: str, known: Collection[str]) -> None:
        """Raise ConfigurationError unless a name is known."""
        if name not in known:
            wrong = f"there is no policy '{name}' here{nearest(name, known)}"
            raise ConfigurationError(f"{self.name}: {wrong}; {self.also}")

    @abstractmethod
    def reached(self, mix: np.ndarray) -> np.ndarray:
        """Return whether a match can reach each state under a policy, (S,)."""

    def filed(self, table: pa.Table, place: str, base: np.ndarray | None) -> Any:
        """See Bench; a single action needs no row, and `base` is NaN in states that it leaves open."""
        rows, of = PolicyRows(table, place, self.variant, self.listing.columns, self.names), self.of.tolist()
        given, known = rows.as_given(rows.states), {*self.states}
        rows.refuse(self.unknown, [state for state in given if state not in known])
        legal = {(self.states[s], text): k for k, (s, text) in enumerate(zip(of, self.texts.tolist(), strict=True))}
        said = [self.names[a] for a in rows.action]
        at = np.array([legal.get(taken, -1) for taken in zip(given, said, strict=True)])
        wrong = np.flatnonzero(at < 0)
        rows.refuse("not a legal action there", [given[n] for n in wrong], [f" action={said[n]}" for n in wrong])
        mix = (np.bincount(self.of) == 1)[self.of].astype(float)
        mix[at] = rows.probability
        mix = np.where((np.bincount(self.of, mix) == 0)[self.of], np.nan if base is None else base, mix)
        left, mix = np.bincount(self.of, np.isnan(mix)) > 0, np.nan_to_num(mix)
        if left.any():
            rows.refuse(self.missing, [self.states[s] for s in np.flatnonzero(left & self.reached(mix))])
        return mix

    def listed(self, cost: np.ndarray, visits: np.ndarray, optimal: np.ndarray) -> dict[str, Any]:
        """Return mistakes as columns, from the regret and the visits of each action, (A,), and the optimal actions."""
        (taken,), numbers = mistaken(cost, visits)
        rows = self.rows(self.of[taken], action=taken, optimal=optimal[self.of[taken]])
        return dict(zip(rows.column_names, rows.columns, strict=True)) | numbers

    def rows(self, states: np.ndarray, **actions: np.ndarray) -> pa.Table:
        """Return the columns of some states, with the texts of one action of each in every further column."""
        keys = [self.states[s] for s in states.tolist()]
        said = {c.name: pa.array([state[i] for state in keys], pa.string() if c.kind is str else pa.int64())
                for i, c in enumerate(self.listing.columns)}  # fmt: skip
        return pa.table(said | {name: pa.array(self.texts[k], pa.string()) for name, k in actions.items()})


def mistaken(cost: np.ndarray, visits: np.ndarray) -> tuple[tuple[np.ndarray, ...], dict[str, np.ndarray]]:
    """Return (indices of the actions that are taken although they cost something, the columns `cost`, `frequency` and
    `loss` of mistakes), from the regret of each action and the expected number of times that it is taken."""
    index = np.nonzero((visits > 0) & (cost > TIE))
    return index, {"cost": cost[index], "frequency": visits[index], "loss": cost[index] * visits[index]}
