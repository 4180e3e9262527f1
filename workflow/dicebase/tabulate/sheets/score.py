"""The score table of a sheet: the values at the starts of turns, from which decisions follow."""

from collections.abc import Iterator

import numpy as np

from dicebase.matches.score import SheetScore
from dicebase.matches.sheets import Turns
from dicebase.solve.sheets.values import solve_sheet
from dicebase.tables.writer import Rows


def tabulate(listing: SheetScore) -> Iterator[Rows]:
    """Every card that play comes to with an open box."""
    values = solve_sheet(listing.rules, listing.reached)
    cards = cards_of(listing)
    rows = Rows(listing)
    rows.set_rows(*cards.T, values[cards[:, 0], cards[:, 2], cards[:, 1]])
    yield rows


def cards_of(listing: Turns) -> np.ndarray:
    """The cards that play comes to, but for the full ones, as rows (open, upper, bonus) in order."""
    at = listing.rules.upper_at
    size = at // 8 + 1
    there = b"".join(totals.to_bytes(size, "little") for of in listing.reached[1:] for totals in of)
    totals = np.unpackbits(np.frombuffer(there, np.uint8).reshape(-1, 2, size), axis=2, bitorder="little")
    return np.argwhere(totals[:, :, : at + 1].transpose(0, 2, 1)) + np.array([1, 0, 0])
