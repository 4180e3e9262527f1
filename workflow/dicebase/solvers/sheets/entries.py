"""The rules of a score sheet as arrays."""

from typing import NamedTuple

import numpy as np

from dicebase.vocabulary import Entry, Sheet, lattice, multisets
from dicebase.vocabulary.kernels import inner

CHANGES = ("box", "points", "upper", "further", "earns")


class Entries(NamedTuple):
    """The entries of all rolls, roll by roll, and the lattice of the dice."""

    starts: np.ndarray  # (rolls + 1,): the first entry of each roll
    box: np.ndarray  # this and the next six arrays are the fields of Entry
    points: np.ndarray
    upper: np.ndarray
    further: np.ndarray
    earns: np.ndarray
    among: np.ndarray
    opened: np.ndarray
    change: np.ndarray  # index into `changes`
    changes: np.ndarray  # (changes, 5): the distinct values of (box, points, upper, further, earns)
    more: np.ndarray  # as in Lattice
    keeps: np.ndarray  # the sets of dice that may be kept, roll by roll
    keep_starts: np.ndarray
    chances: np.ndarray  # (rolls,): the probability of each roll
    throws: int  # the most throws of a turn
    upper_at: int
    upper_bonus: int


def entries_of(rules: Sheet) -> Entries:
    """Return the arrays of a sheet."""
    dice = lattice(rules.sides, rules.dice)
    by_roll = [rules.entries(roll) for roll in dice.sets[: dice.rolls]]
    fields = np.array([entry for of in by_roll for entry in of], np.int64).T
    columns = dict(zip(Entry._fields, fields, strict=True))
    changes, change = np.unique(np.array([columns[n] for n in CHANGES]).T, axis=0, return_inverse=True)
    keeps = [np.array(parts) for parts in dice.keeps]
    orders = np.array([orders for _, orders in multisets(rules.sides, rules.dice)])
    return Entries(
        starts=np.cumsum([0, *map(len, by_roll)]),
        **columns,
        change=change.ravel(),
        changes=changes,
        more=np.array(dice.more),
        keeps=np.concatenate(keeps),
        keep_starts=np.cumsum([0, *map(len, keeps)]),
        chances=orders / orders.sum(),
        throws=rules.rolls,
        upper_at=rules.upper_at,
        upper_bonus=rules.upper_bonus,
    )


@inner(error_model="numpy")
def fits(card, entries, e):
    """Return whether entry e is allowed if the boxes in `card` are open."""
    return bool(card >> entries.box[e] & 1) and card & entries.among[e] == entries.opened[e]


@inner(error_model="numpy")
def fitting(card, entries, first, found):
    """Fill `found` with the entries allowed if the boxes in `card` are open, roll by roll, and `first`, (rolls + 1,),
    with the indices at which the entries of each roll start."""
    starts, many = entries.starts, 0
    for roll in range(len(starts) - 1):
        first[roll] = many
        for e in range(starts[roll], starts[roll + 1]):
            if fits(card, entries, e):
                found[many] = e
                many += 1
    first[len(starts) - 1] = many
