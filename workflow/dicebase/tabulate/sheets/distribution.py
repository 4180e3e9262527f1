"""The distribution table of a score sheet: how likely each final score is, in doubles."""

from collections.abc import Iterator

from dicebase.matches import LEAST
from dicebase.matches.distribution import SheetDistribution
from dicebase.solve.sheets.plays import final_scores, strategies
from dicebase.solve.sheets.scores import scores_of_play
from dicebase.tables.writer import Rows


def tabulate(listing: SheetDistribution) -> Iterator[Rows]:
    """All scores with their probabilities, by strategy."""
    reached = listing.reached
    by_name = strategies(listing.rules, reached)
    rows, scores = Rows(listing), scores_of_play(listing.rules, reached)
    for name in listing.strategies:
        for score, probability in enumerate(final_scores(listing.rules, by_name[name], scores).tolist()):
            if probability >= LEAST:
                rows.add_row(name, score, probability)
    yield rows
