"""The policy `hold_at HOLD keep KEEP`: stop at a turn total, and keep the dice of the position with the largest score.

HOLD is a formula over the totals and the dice left; KEEP, the score, over `total`, the turn total after keeping, and
`dice`, the dice rolled next, 0 if the policy stops. Without KEEP the policy keeps the most points.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from dicebase.vocabulary import Turn
from dicebase.vocabulary.formula import formula

WORD = "hold_at"
MOST_POINTS = "total"
AXES = ("me", "opponent", "dice")
LARGEST = 10**9  # larger numbers, which no turn total reaches, are clipped

Features = Mapping[str, Sequence[int]]
"""The values of each name in a formula: those of AXES, and one of `target`."""


class HoldAt(NamedTuple):
    """A policy as nested lists.

    stops : (T or 1, T or 1, modes or 1) least turn total at which it stops, by the mover's total, the opponent's, mode.
    ended, rolled : (totals,), (totals, modes) score of a position in which it stops, or rolls on, by turn total.
    """

    stops: list[list[list[int]]]
    ended: list[int]
    rolled: list[list[int]]


def parts_of(text: str) -> tuple[str, str]:
    """Return HOLD and KEEP of a policy without its first word."""
    hold, _, keep = text.partition(" keep ")
    return hold, keep or MOST_POINTS


def dice_of(rules: Turn) -> Features:
    """Return the feature `dice`, by mode; empty if no dice are kept."""
    return {"dice": [rules.dice_in(mode) for mode in rules.modes]} if rules.keeps else {}


def hold_at(rules: Turn, text: str, features: Features, totals: Iterable[int], place: str) -> HoldAt:
    """Return a policy from its text without the first word, for these turn totals, in points. Raises
    ConfigurationError, which names `place`."""
    hold, keep = parts_of(text)
    stop, score = formula(hold, (*features,), place), formula(keep, ("total", "dice"), place)
    mine, theirs, dice = (features[name] if name in features and name in hold else (0,) for name in AXES)
    target = features.get("target", (0,))[0]

    def at(*places: int) -> int:
        known = dict(zip(AXES, places, strict=True), target=target)
        return _clipped(stop(*(known[name] for name in features)))

    stops = [[[at(me, opponent, left) for left in dice] for opponent in theirs] for me in mine]
    rolled = dice_of(rules).get("dice", [0] * len(rules.modes))
    return HoldAt(
        stops,
        [_clipped(score(total, 0)) for total in totals],
        [[_clipped(score(total, left)) for left in rolled] for total in totals],
    )


def _clipped(number: int) -> int:
    return min(max(number, -LARGEST), LARGEST)


def check_hold_at(text: str, names: Iterable[str], place: str) -> None:
    """Raise ConfigurationError, which names `place`, unless a text without its first word is a policy over `names`."""
    hold, keep = parts_of(text)
    formula(hold, (*names,), place)
    formula(keep, ("total", "dice"), place)
