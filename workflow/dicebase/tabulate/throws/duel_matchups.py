"""The matchups of a duel of throws: every policy of a league, and the best response, against every policy."""

from collections.abc import Iterator

from dicebase.matches.duel_matchups import MatchupsOfThrows
from dicebase.tables.writer import Rows
from dicebase.tabulate.players import league
from dicebase.tabulate.throws.players import ThrowPlayers


def tabulate(listing: MatchupsOfThrows) -> Iterator[Rows]:
    """All pairs of policies."""
    yield league(listing, ThrowPlayers(listing))
