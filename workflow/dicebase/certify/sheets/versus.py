"""Check SheetResponse and BestResponse: find the opponent's scores forward, and compute every probability from the
rules alone. On a scorecard, the score-optimal strategy must earn 1/2 against itself."""

import numpy as np

from dicebase.certify.finding import EPSILON, Fail, Finding
from dicebase.certify.play.simulation import Simulation, simulate
from dicebase.certify.published import Published, check_key_columns
from dicebase.certify.sheets.by_score import of_play
from dicebase.certify.sheets.distribution import ANY, forward, played
from dicebase.certify.sheets.one_roll.rank import expected_rolls, scores_by_rank
from dicebase.certify.sheets.one_roll.referee import count_decisions, scores_by_values
from dicebase.certify.sheets.payoffs import PROOF, check_values
from dicebase.certify.sheets.turn import cards_of
from dicebase.matches.sheets.versus import BestResponse, SheetResponse


def check(listing: SheetResponse | BestResponse, published: Published, fail: Fail) -> Finding:
    """Enumerate the points that play scores, and compute all columns again."""
    cards = cards_of(listing.rules)
    scores = of_play(cards.turn, cards.there)
    *card, above, place = scores.rows(np.argwhere(cards.there) if listing.every else np.array([cards.fresh]))
    found = forward(cards, scores, ANY)[0][place] > 0
    keys = [*card[: len(published.keys) - 1], scores.low[tuple(card)] + above]
    check_key_columns(published, [key[found] for key in keys], fail)
    chances, error = played(cards, "optimal")
    tie = chances if isinstance(listing, BestResponse) else None
    error += len(chances) * EPSILON / 2
    worst, bound = check_values(listing, cards, scores, published, place[found], beats(chances), error, fail, tie)
    half = float(published.more[0][-1])
    if tie is not None and not abs(half - 0.5) <= bound:
        fail(published.states[-1], f"score_optimal earns {half!r} against itself, not a half")
    value = float(published.values[-1])
    return Finding(value, worst + bound, worst + bound, worst, PROOF, *count_decisions(listing, published))


def simulated(listing: SheetResponse | BestResponse, published: Published, seed: int) -> Simulation | None:
    """Simulate cards filled by the published values, against opponents who maximise points, by rank."""
    if isinstance(listing, SheetResponse):  # decisions need the values of all cards
        return None
    rules = listing.rules
    expected = expected_rolls(rules.weights, rules.slots - 1)

    def play(streams: np.ndarray) -> tuple[np.ndarray, int]:
        mine, moves = scores_by_values(listing, published, 0, streams)
        theirs, more = scores_by_rank(rules, rules.factors, expected, streams)
        return (mine > theirs) + (mine == theirs) / 2, moves + more

    return simulate(play, seed, listing.value.unit)


def beats(chances: np.ndarray) -> np.ndarray:
    """Return P(less) + P(equal) / 2 for each score, compared with a random score of distribution `chances`."""
    below = np.concatenate([[0.0], np.cumsum(chances)])
    return (below[:-1] + below[1:]) / 2
