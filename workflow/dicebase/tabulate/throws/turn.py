"""The turn table of single throws, in rationals: every value rounded once."""

from collections.abc import Iterator

from dicebase.matches.turn import BestThrow
from dicebase.tables.writer import Rows
from dicebase.vocabulary import over_one_denominator, rank, weighted_mean


def tabulate(game: BestThrow) -> Iterator[Rows]:
    """The one state, with every throw."""
    gains = [game.rules.gains(choice) for choice in game.rules.choices]
    means = [weighted_mean(list(weights.values()), list(weights)) for weights in gains]
    rows = Rows(game, exact=max(means))
    rows.add((), game.actions(()), rank(*over_one_denominator(means)))
    yield rows
