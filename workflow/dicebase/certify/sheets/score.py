"""Check the value of every card at the start of a turn: enumerate the cards that play reaches, and compute their values
from the rules by another method than the solver's (turn.py)."""

from functools import partial

import numpy as np

from dicebase.certify.finding import EPSILON, Fail, Finding
from dicebase.certify.play.simulation import Simulation, simulate
from dicebase.certify.published import Published, check_key_columns, refuse
from dicebase.certify.sheets.referee import scores
from dicebase.certify.sheets.turn import Cards, Turn, cards_of, most_points, one_turn
from dicebase.matches.sheets.score import SheetScore
from dicebase.vocabulary import Sheet

PROOF = "each recomputed from the rules; their rounding, summed over the number of open boxes"


def check(listing: SheetScore, published: Published, fail: Fail) -> Finding:
    """Compute every value again from the rules alone."""
    rules, cards = listing.rules, cards_of(listing.rules)
    error, worst = check_starts(cards, published, fail)
    # An answer sums values and points over one die after another, with one rounding per term.
    answers = EPSILON * (rules.rolls * rules.dice * (rules.sides + 2) + 1) * float(cards.largest.max())
    value, starts = float(published.value_of[tuple(rules.fresh)]), cards.there.copy()
    starts[0] = False
    return Finding(value, error, error + answers, worst, PROOF, *count_answers(rules, cards.turn, starts))


def check_starts(cards: Cards, published: Published, fail: Fail) -> tuple[float, float]:
    """Fail unless every card at which a turn starts has its value; return the error bound and the largest difference.
    The state columns of a sheet are those of cards; those of a scorecard only the first."""
    starts, keys, sizes = cards.there.copy(), published.keys, np.bitwise_count(np.arange(len(cards.there)))
    starts[0] = False
    check_key_columns(published, np.nonzero(starts)[: len(keys)], fail, extra="cannot be reached by play")
    largest = [float(cards.largest[sizes == size].max()) for size in range(sizes[-1] + 1)]
    errors = np.cumsum([one_turn(cards.turn, most) for most in largest])  # by number of open boxes
    again = cards.values[(*keys, 0, 0)[:3]]
    off = np.abs(again - published.values)
    wrong = ~(off <= 2 * errors[sizes[keys[0]]])
    refuse(keys, fail, wrong, "the value is {!r}, the rules give {!r}", published.values, again)
    worst = float(off.max())
    return float(errors[-1]) + worst, worst


def simulated(listing: SheetScore, published: Published, seed: int) -> Simulation | None:
    """Simulate filling cards by the published values."""
    turn, there = cards_of(listing.rules)[1:3]
    values = np.zeros(there.shape)
    values[published.keys] = published.values
    play = partial(scores, listing.rules, turn, values)
    return simulate(play, seed, listing.value.unit, most_points(turn))


def count_answers(rules: Sheet, turn: Turn, cards: np.ndarray) -> tuple[int, int]:
    """Return the number of states and actions that follow from these cards, before the throw and by rerolls left."""
    opened, throws = np.arange(len(cards)), len(turn.of) - 1
    of_entry = np.bincount(turn.ways, minlength=len(turn.entries))
    ways = np.zeros(len(cards), np.int64)
    for (box, *_, among, needed), many in zip(turn.entries, of_entry, strict=True):
        ways += many * ((opened >> box & 1 == 1) & (opened & among == needed))
    of_set = cards.sum(axis=(1, 2))
    count = int(of_set.sum())
    return count * (1 + rules.rolls * throws), count * (1 + (rules.rolls - 1) * len(turn.kept)) + int(of_set @ ways)
