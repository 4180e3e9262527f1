"""Decisions of all cards of a language with numbers in given ranges."""

import numpy as np

from dicebase.matches.card_listing import Language
from dicebase.matches.turns.cards import Cards
from dicebase.matches.turns.hold_at import AXES, parts_of
from dicebase.solvers.cards import Range, ranges
from dicebase.solvers.turns.boxes import Box

Shape = tuple[int, int, int]
"""The numbers of the player's totals, the opponent's, and turn totals."""


def box_of(listing: Cards, shape: Shape, language: Language, numbers: dict[str, Range]) -> Box:
    """Return the least and greatest decisions of the cards with `numbers` in these ranges."""
    (hold, keep), modes = parts_of(language.formula), len(listing.rules.modes)
    axes = {name: np.roll((-1, 1, 1), axis) for axis, name in enumerate(AXES)}
    known = {name: np.array(x).reshape(axes.get(name, (1, 1, 1))) for name, x in listing.features.items()}
    branches = ranges(hold, {name: (x, x) for name, x in known.items()} | numbers)
    stops = np.empty((2, len(branches), *shape[:2], modes), dtype=np.int64)
    for n, (least, greatest, possible) in enumerate(branches):
        stops[1, n] = -(-greatest // listing.unit)
        stops[0, n] = np.where(possible, -(-least // listing.unit), stops[1, n] + 1)
    total, dice = listing.unit * np.arange(shape[2]), known.get("dice", np.zeros(modes, int)).ravel()
    scores = []
    for these, of in ((total, np.int64(0)), (total[:, np.newaxis], dice)):
        least, greatest, _ = ranges(keep, {"total": (these, these), "dice": (of, of)} | numbers)[0]
        whole = np.broadcast_shapes(these.shape, of.shape)
        scores.append(np.array([np.broadcast_to(x, whole) for x in (least, greatest)], float))
    return Box(stops, *scores)
