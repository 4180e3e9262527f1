"""The losses table of a score sheet: what the decisions of strategies cost."""

from collections.abc import Iterator

from dicebase.matches.losses import SheetLosses
from dicebase.solve.sheets.losses import losses
from dicebase.solve.sheets.plays import strategies
from dicebase.tables.writer import Rows


def tabulate(listing: SheetLosses) -> Iterator[Rows]:
    """Every kind of decision of each strategy."""
    rules, reached, rows = listing.rules, listing.reached, Rows(listing)
    by_name = strategies(rules, reached)
    for name in listing.strategies:
        lost, times = losses(rules, by_name[name], by_name["optimal"], reached)
        for row in sorted(zip(listing.decisions, lost.tolist(), times.tolist(), strict=True)):
            rows.add_row(name, *row)
    yield rows
