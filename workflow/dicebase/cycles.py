"""Does each of three policies beat the next? (Böcker 2015, section 10: A beats B, B beats C, but C beats A.)"""

from collections.abc import Mapping
from typing import NamedTuple


class Cycle(NamedTuple):
    """Each policy beats the next one, and the last one the first."""

    margin: float  # the least of the three probabilities, above a half
    policies: tuple[str, str, str]  # beginning with the least name


def cycles(probability: Mapping[tuple[str, str], float], least: float = 1e-9) -> list[Cycle]:
    """All cycles of three among the policies whose {(row, column): P(win) + P(tie) / 2} are given, the clearest first.

    A policy beats another by more than `least`: give twice the error bound, or more.
    """
    beaten: dict[str, list[str]] = {}
    for (row, column), p in probability.items():
        if p - 0.5 > least:
            beaten.setdefault(row, []).append(column)
    found = []
    for a, losers in beaten.items():
        for b in losers:
            for c in beaten.get(b, ()):
                if a < b and a < c and a in beaten.get(c, ()):
                    margin = min(probability[pair] for pair in ((a, b), (b, c), (c, a))) - 0.5
                    found.append(Cycle(margin, (a, b, c)))
    return sorted(found, reverse=True)
