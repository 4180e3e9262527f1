"""The policy `hold_at HOLD keep KEEP`: stop at a turn total, and keep the dice of the position with the largest score.

HOLD is a formula over the totals and the dice left; KEEP, the score, over `total`, the turn total after keeping, and
`dice`, the dice rolled next, 0 if the policy stops. Without KEEP the policy keeps the most points.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np

from dicebase.vocabulary import Turn
from dicebase.vocabulary.formula import formula

WORD = "hold_at"
MOST_POINTS = "total"
LARGEST = 10**9  # larger numbers, which no turn total reaches, are clipped


class HoldAt(NamedTuple):
    """A policy as arrays.

    stops : (T or 1, T or 1, modes or 1) least turn total at which it stops, by the mover's total, the opponent's, mode.
    ended, rolled : (totals,), (totals, modes) score of a position in which it stops, or rolls on, by turn total.
    """

    stops: np.ndarray
    ended: np.ndarray
    rolled: np.ndarray


def parts_of(text: str) -> tuple[str, str]:
    """Return HOLD and KEEP of a policy without its first word."""
    hold, _, keep = text.partition(" keep ")
    return hold, keep or MOST_POINTS


def dice_of(rules: Turn) -> dict[str, np.ndarray]:
    """Return the feature `dice`, by mode; empty if no dice are kept."""
    return {"dice": np.array([rules.dice_in(mode) for mode in rules.modes])} if rules.keeps else {}


def hold_at(rules: Turn, text: str, features: Mapping[str, np.ndarray], totals: np.ndarray, place: str) -> HoldAt:
    """Return a policy from its text without the first word. Raises ConfigurationError, which names `place`.

    features : arrays that together have the axes of `HoldAt.stops`. totals : the turn totals, in points.
    """
    hold, keep = parts_of(text)
    dice = dice_of(rules).get("dice", np.zeros(len(rules.modes), int))
    ended = tabulated(keep, {"total": totals, "dice": np.zeros(1, int)}, place)
    rolled = tabulated(keep, {"total": totals[:, np.newaxis], "dice": dice}, place)
    stops = tabulated(hold, features, place)
    return HoldAt(
        stops.reshape((1,) * (3 - stops.ndim) + stops.shape),
        np.broadcast_to(ended, totals.shape),
        np.broadcast_to(rolled, (len(totals), len(dice))),
    )


def check_hold_at(text: str, names: Iterable[str], place: str) -> None:
    """Raise ConfigurationError, which names `place`, unless a text without its first word is a policy over `names`."""
    hold, keep = parts_of(text)
    formula(hold, (*names,), place)
    formula(keep, ("total", "dice"), place)


def tabulated(text: str, features: Mapping[str, np.ndarray], place: str) -> np.ndarray:
    """Return a formula as an array over the features that it uses."""
    made = formula(text, (*features,), place)
    used = [x if name in text else 0 for name, x in features.items()]
    found = np.frompyfunc(lambda *of: min(max(made(*of), -LARGEST), LARGEST), len(used), 1)(*used)
    return np.asarray(found, dtype=np.int64)
