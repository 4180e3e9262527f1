"""The matchups of a duel of turns: every policy of a league, and the best response, against every policy."""

from collections.abc import Iterator

from dicebase.matches.duel_matchups import MatchupsOfTurns
from dicebase.tables.writer import Rows
from dicebase.tabulate.players import league
from dicebase.tabulate.turns.players import TurnPlayers


def tabulate(listing: MatchupsOfTurns) -> Iterator[Rows]:
    """All pairs of policies."""
    yield league(listing, TurnPlayers(listing))
