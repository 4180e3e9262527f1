"""The matchups of a duel: every policy of a league, and the best response, against every policy; in doubles."""

from dicebase.errors import ConfigurationError
from dicebase.matches.duel_matchups import BEST_RESPONSE, Match, Throws
from dicebase.progress import reporter
from dicebase.solve.plays import evaluate
from dicebase.tables import Rows
from dicebase.tabulate.duel_policies import players

MAX_TOTALS = 250  # the ends of all turns of a policy are kept: 8 bytes times the cube


def tabulate(listing: Match | Throws) -> Rows:
    """All pairs; raises ConfigurationError where there are more than MAX_TOTALS totals."""
    if (size := listing.duel.totals) > MAX_TOTALS:
        raise ConfigurationError(f"target: {listing.target} has {size} totals; at most {MAX_TOTALS} are played out")
    table, names, report = players(listing), listing.names, reporter("matchup")
    plays = {name: table.play(name) for name in names}
    found: dict[tuple[str, str, str], float] = {}
    done, pairs = 0, len(names) * (len(names) + 3) // 2

    def played(row: str, column: str, X, Y) -> None:
        nonlocal done
        found[row, column, "row"], found[row, column, "column"] = float(X[0, 0]), float(1.0 - Y[0, 0])
        done += 1
        report(done, pairs)

    for i, row in enumerate(names):
        for column in names[i:]:
            X, Y = evaluate(plays[row], plays[column])
            played(row, column, X, Y)
            if row != column:
                found[column, row, "row"], found[column, row, "column"] = float(Y[0, 0]), float(1.0 - X[0, 0])
        played(BEST_RESPONSE, row, *table.respond(plays[row])[1:])
    rows = Rows(listing)
    for pair in listing.pairs():
        rows.add_value(pair, found[pair])
    return rows
