"""The rank table of a scorecard: in rationals for tens of slots, in doubles beyond."""

from collections.abc import Iterator

from dicebase.matches.rank import ExpectedRolls
from dicebase.solve.sheets.one_roll.rank import exact_expected_rolls, expected_rolls
from dicebase.tables.writer import Rows

# The rationals have digits in proportion to the slots: time grows with the cube.
EXACT_SLOTS = 60


def tabulate(listing: ExpectedRolls) -> Iterator[Rows]:
    """E_j[i] for every j up to the number of slots."""
    weights, slots = listing.rules.weights, listing.rules.slots
    exact = slots <= EXACT_SLOTS
    table = exact_expected_rolls(weights, slots) if exact else expected_rolls(weights, slots)
    rows = Rows(listing, exact=sum(i * e for i, e in enumerate(table[-1], start=1)) if exact else None)
    for j, row in enumerate(table, start=1):
        for i, e in enumerate(row, start=1):
            rows.add_row(j, i, float(e))
    yield rows
