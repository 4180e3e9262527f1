"""The matchups of a score sheet: every policy against every other, by the distributions of their scores."""

from collections.abc import Iterator

from dicebase.matches.versus_matchups import SheetMatchups
from dicebase.solve.sheets.payoffs import maximise, scores_for
from dicebase.solve.sheets.plays import final_scores, strategies
from dicebase.solve.sheets.scores import scores_of_play
from dicebase.tables.writer import Rows
from dicebase.tabulate.sheets.versus import beats


def tabulate(listing: SheetMatchups) -> Iterator[Rows]:
    """All pairs of policies."""
    rules, reached = listing.rules, listing.reached
    scores = scores_of_play(rules, reached)
    by_name = strategies(rules, reached)
    chances = {name: final_scores(rules, s, scores) for name, s in by_name.items()}
    for name, against in {"response": "optimal", "response_2": "response"}.items():
        best = maximise(rules, scores, beats(chances[against]))
        chances[name] = scores_for(rules, scores, best)
    rows = Rows(listing)
    for row in listing.policies:
        for column in listing.policies:
            wins, tie = chances[row] @ beats(chances[column]), chances[row] @ chances[column]
            rows.add_row(row, column, float(wins), float(tie))
    yield rows
