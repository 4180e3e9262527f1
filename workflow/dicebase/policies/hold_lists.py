"""Ranked lists of holds: keep the first of these that you were dealt.

A list has lines `hold if CONDITION` over the features of the cards held. The first line counts that some hold of the
hand satisfies; otherwise the player holds nothing. If a line has several holds, the worst one counts.
"""

from typing import NamedTuple

import numpy as np
import pyarrow as pa

from dicebase.matches.deals.draws import DrawReturn
from dicebase.matches.deals.return_cards import read_lines
from dicebase.matches.duels.duel_matchups import OPTIMAL
from dicebase.solvers.cards import range_of
from dicebase.solvers.draws.holds import Holds
from dicebase.tables.names import Variant
from dicebase.vocabulary import RANKS, ConfigurationError, Draw
from dicebase.vocabulary.dice_and_cards.hand_classes import parts

FEATURES = ("cards", "suited", "kinds", "most", "low", "top", "span", "high", "pays")


class Losses(NamedTuple):
    """What a policy loses: columns that name hands or positions, with their frequency and their part of the loss; the
    policy's value and a bound on its error, if they were computed."""

    hands: dict[str, list]
    frequency: np.ndarray
    loss: np.ndarray
    value: float | None = None
    error_bound: float = 0.0


class HoldBench:
    """One variant of a draw game, with ranked lists of holds."""

    def __init__(self, name: str, rules: Draw, variant: Variant) -> None:
        self.name, self.variant, self.listing = name, variant, DrawReturn(rules)
        self.holds = Holds(rules)

    @property
    def features(self) -> dict[str, np.ndarray]:
        """The FEATURES of each set of cards: `cards` held; whether they are of one suit; the number of `kinds` of
        ranks and the `most` cards of one rank; the `low` and `top` rank from 2 to 14; the `span` of ranks from the
        lowest to the highest, where an ace may be low; the number of jacks or `high`er; and the coins that a hand of
        five `pays`."""
        holds, classes = self.holds, self.holds.classes
        bits = parts(classes.sets)[..., np.newaxis] >> np.arange(len(RANKS)) & 1  # (sets, suits, ranks)
        held = bits.sum(axis=1)
        low_ace = np.roll(held, 1, axis=1)
        pays = np.zeros(len(classes.sets), np.int64)
        pays[classes.hands] = holds.coins[holds.rank]
        (low, top), (first, last) = _ends(held), _ends(low_ace)
        none = classes.sizes == 0
        found = (
            classes.sizes,
            (bits.any(axis=2).sum(axis=1) <= 1).astype(int),
            (held > 0).sum(axis=1),
            held.max(axis=1),
            np.where(none, 0, low + 2),
            np.where(none, 0, top + 2),
            np.where(none, 0, np.minimum(top - low, last - first) + 1),
            held[:, RANKS.index("J") :].sum(axis=1),
            pays,
        )
        return dict(zip(FEATURES, found, strict=True))

    def losses(self, base: str, table: pa.Table | None, place: str) -> Losses:
        """The losses of a list, by the line that decides."""
        if table is not None:
            raise ConfigurationError(f"{place}: {self.name}: give a list of holds as one line of text")
        lines = [] if base == OPTIMAL else [c for _, c, _ in read_lines(base, ["hold"], FEATURES)]
        classes, values = self.holds.classes, self.holds.values
        known, number = {name: (x, x) for name, x in self.features.items()}, np.full(len(classes.sets), len(lines) + 1)
        number[classes.sizes == 0] = len(lines)
        for i, condition in reversed([*enumerate(lines)]):
            number[np.broadcast_to(range_of(condition, known)[0] != 0, number.shape)] = i
        of = number[classes.kept]
        line, best = of.min(axis=1), values.max(axis=1)
        taken = np.where(of == line[:, np.newaxis], values, np.iinfo(np.int64).max).min(axis=1)
        deals = classes.deals[classes.hands].astype(float)
        lost = deals * (best - (best if base == OPTIMAL else taken)) / classes.common
        names = [*(f"hold if {condition}" for condition in lines), "otherwise nothing"]
        frequency, loss = (np.bincount(line, x, len(names)) / deals.sum() for x in (deals, lost))
        return Losses({"line": names}, frequency, loss)


def _ends(held: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the first and last column that is not zero, by row."""
    return (held > 0).argmax(axis=1), held.shape[1] - 1 - (held[:, ::-1] > 0).argmax(axis=1)
