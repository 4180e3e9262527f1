"""The matchups of a score sheet: every policy against every other, by the distributions of their scores."""

from collections.abc import Iterator

from dicebase.matches.versus_matchups import SheetMatchups
from dicebase.solve.sheets.payoffs import maximise, scores_for
from dicebase.solve.sheets.plays import final_scores, strategies
from dicebase.solve.sheets.values import solve_sheet
from dicebase.tables.writer import Rows
from dicebase.tabulate.sheets.versus import beats


def tabulate(listing: SheetMatchups) -> Iterator[Rows]:
    """All pairs of policies."""
    rules, reached, last = listing.rules, listing.reached, listing.most[listing.rules.fresh]
    by_name = strategies(rules, solve_sheet(rules, reached))
    chances = {name: final_scores(rules, s, reached)[: last + 1] for name, s in by_name.items()}
    for name, against in {"response": "optimal", "response_2": "response"}.items():
        best, _ = maximise(rules, reached, beats(chances[against]), by_name["optimal"])
        chances[name] = scores_for(rules, reached, best)
    rows = Rows(listing)
    for row in listing.policies:
        for column in listing.policies:
            wins, tie = chances[row] @ beats(chances[column]), chances[row] @ chances[column]
            rows.add_row(row, column, float(wins), float(tie))
    yield rows
