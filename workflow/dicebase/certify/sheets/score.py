"""Check the value of every card at the start of a turn against the published values of cards with one open box fewer,
as docs/why/certificates.md explains. Reachable cards are enumerated again, and turns are evaluated by another method
than the solver's (turn.py)."""

from functools import partial

import numpy as np

from dicebase.certify.finding import EPSILON, Fail, Finding
from dicebase.certify.play.simulation import Simulation, simulate
from dicebase.certify.published import Published, check_key_columns, refuse
from dicebase.certify.sheets.referee import scores
from dicebase.certify.sheets.turn import Turn, empty, most_points, one_turn, reach, starts, turn_of
from dicebase.matches.sheets.score import SheetScore
from dicebase.vocabulary import Sheet


def check(listing: SheetScore, published: Published, fail: Fail) -> Finding:
    """Recompute every value from the published values of cards with one open box fewer."""
    rules, turn = listing.rules, turn_of(listing.rules)
    cards = cards_of(rules, turn, published, fail)
    values, again, largest = np.zeros(cards.shape), np.zeros(cards.shape), np.zeros(len(cards))
    values[cards] = published.values
    starts(turn, cards, values, again, largest)
    residual = np.abs(again[cards] - published.values)
    sizes = np.bitwise_count(np.arange(len(cards)))
    size = sizes[published.keys[0]]
    error = 0.0
    for k in range(1, len(rules.boxes) + 1):
        rounding = one_turn(turn, float(largest[sizes == k].max()))
        wrong = (size == k) & ~(residual <= 2 * rounding)
        refuse(published.keys, fail, wrong, "the value is {!r}, the rules give {!r}", published.values, again[cards])
        error += float(residual[size == k].max()) + rounding
    # An answer sums values and points over one die after another, with one rounding per term.
    answers = EPSILON * (rules.rolls * rules.dice * (rules.sides + 2) + 1) * float(largest.max())
    proof = "residuals, summed over the number of open boxes"
    value = float(values[rules.fresh.open, 0, 0])
    return Finding(value, error, error + answers, float(residual.max()), proof, *count_answers(rules, turn, cards))


def simulated(listing: SheetScore, published: Published, seed: int) -> Simulation | None:
    """Simulate filling cards by the published values."""
    turn = turn_of(listing.rules)
    cards = empty(listing.rules, turn)
    values = np.zeros(cards.shape)
    values[published.keys] = published.values
    play = partial(scores, listing.rules, turn, values)
    return simulate(play, seed, listing.value.unit, most_points(turn))


def cards_of(rules: Sheet, turn: Turn, published: Published, fail: Fail) -> np.ndarray:
    """Return whether a turn can start at each card, by (open boxes, upper total, bonus); fail if the rows differ."""
    cards = empty(rules, turn)
    reach(turn, cards)
    cards[0] = False
    check_key_columns(published, np.nonzero(cards), fail, extra="cannot be reached by play")
    return cards


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
