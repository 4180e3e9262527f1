"""Scorecards with multipliers, chosen by hand or drawn by Hypothesis, as (weights of the rolls, multipliers)."""

from collections.abc import Mapping, Sequence
from typing import Any

from hypothesis import strategies as st

from dicebase.games.ten_times_eighteen import Rules
from dicebase.vocabulary import Definition, sums

SMALL = {
    "one slot": (sums(6, 3), (5,)),
    "one roll": ({7: 3}, (1, 2, 3)),
    "coins": (sums(2, 1), (1, 2, 3, 4)),
    "one die": (sums(6, 1), (1, 2, 3, 4, 5)),
    "three dice": (sums(6, 3), (1, 2, 3, 4, 5)),
    # If the middle expected roll is itself a roll, two slots are equally good.
    "two dice, with ties at 7": (sums(6, 2), (1, 2, 3, 4)),
    "seven sides, with ties at 4": (sums(7, 1), (1, 2, 3, 4, 5)),
    "loaded": ({1: 5, 2: 1, 6: 3}, (1, 2, 3, 4)),
    "a rare high roll": ({1: 1000, 2: 1, 100: 1}, (1, 2, 3)),
    "gaps": ({2: 1, 3: 4, 50: 1}, (1, 2, 5, 40)),
    "equal multipliers": (sums(6, 1), (2, 2, 2, 2)),
    "pairs of equal multipliers": (sums(4, 2), (1, 1, 3, 3, 3)),
    "ties between equal multipliers": (sums(3, 1), (1, 2, 2, 3, 3)),
    "nought and below": ({-2: 1, 0: 3, 5: 2}, (-3, -1, 0, 4)),
    "all nought": ({0: 1}, (0, 0)),
}


def rules(weights: Mapping[int, int], multipliers: Sequence[int]) -> Rules:
    """The game with one die of these faces, by definitions as in a configuration."""
    faces = {"dice": 1, "faces": dict(weights)}
    return Rules(Definition("loaded", faces), len(multipliers), Definition("listed", list(multipliers)))


def variant(weights: Mapping[int, int], multipliers: Sequence[int]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The scorecard as (parameters, definitions) of a table."""
    parameters = {"distribution": "loaded", "slots": len(multipliers), "multipliers": ",".join(map(str, multipliers))}
    return parameters, {"distribution": {"loaded": {"dice": 1, "faces": dict(weights)}}}


@st.composite
def scorecards(draw, *, slots: int = 4, rolls: int = 4) -> tuple[dict[int, int], tuple[int, ...]]:
    """Draw weighted rolls with gaps, and multipliers that may repeat or be negative."""
    faces = draw(st.lists(st.integers(-4, 12), min_size=1, max_size=rolls, unique=True))
    weights = {face: draw(st.integers(1, 6)) for face in sorted(faces)}
    return weights, tuple(sorted(draw(st.lists(st.integers(-2, 6), min_size=1, max_size=slots))))
