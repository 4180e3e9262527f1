"""Check matchups of scorecards: every policy is solved again in other arrays, and every pair is played again
(docs/why/certificates.md). A probability in doubles is a sum of positive terms: it is rounded once per product, and in
each round once per term of a position."""

import math
from fractions import Fraction
from itertools import accumulate

from dicebase.certify.finding import EPSILON, Fail, Finding
from dicebase.certify.published import Published, check_keys
from dicebase.certify.sheets.one_roll.policies import Alone
from dicebase.certify.sheets.one_roll.same_rolls import Place, Together
from dicebase.matches.sheets.versus_matchups import AHEAD, ScorecardMatchups

Numbers = dict[tuple[str, str, str], tuple[float, float]]  # probability and tie, by row of the table


def check(listing: ScorecardMatchups, published: Published, fail: Fail) -> Finding:
    """Solve the policies and play them again, and compare every number."""
    expected = {(rolls, a, b) for rolls, names in listing.policies.items() for a in names for b in names}
    check_keys(published, expected, fail)
    card = Alone(listing.rules)
    again, proof, bound, worst = _alone(listing, card, fail), "alone: exact values, rounded once", 0.0, 0.0
    if listing.policies["same"]:
        slots, rolls = listing.rules.slots, len(listing.rules.odds)
        # A position has at most slots**2 * rolls predecessors, and each term is a product of three.
        bound = EPSILON * slots * (slots**2 * rolls + 4)
        proof += "; same: recomputed in doubles, with a bound on their rounding"
        again |= _same(listing, card)
    numbers = zip(published.values.tolist(), published.more[0].tolist(), strict=True)
    for state, said in zip(published.states, numbers, strict=True):
        for name, theirs, ours in zip(("probability", "tie"), said, again[state], strict=True):
            if not abs(theirs - ours) <= (2 * bound if state[0] == "same" else 0.0):
                fail(state, f"{name} is {theirs!r}, recomputed it is {ours!r}")
            worst = max(worst, abs(theirs - ours))
    value = published.value_of["alone", "response", "optimal"]
    return Finding(value, math.ulp(1.0), worst + bound + math.ulp(1.0), worst, proof)


def _alone(listing: ScorecardMatchups, card: Alone, fail: Fail) -> Numbers:
    games = {"optimal": card.play(card.optimal), "random": card.play_at_random()}
    for name, goal in listing.goals["alone"].items():
        games[name] = card.play(card.maximise(listing.payoff(goal, games)))
    if any(sum(counted) != listing.rules.games for counted in games.values()):
        fail(None, "the games of a policy do not add up")
    above = {name: [*accumulate(reversed(counted))][::-1] for name, counted in games.items()}
    found, pairs = {}, listing.rules.games**2
    for row, ours in games.items():
        for column, theirs in games.items():
            tie = sum(map(int.__mul__, ours, theirs))
            win = sum(map(int.__mul__, theirs, above[row])) - tie
            found["alone", row, column] = float(Fraction(2 * win + tie, 2 * pairs)), float(Fraction(tie, pairs))
    return found


def _same(listing: ScorecardMatchups, card: Alone) -> Numbers:
    two, names = Together(card, max(AHEAD)), listing.policies["same"]
    values = two.respond_to_optimal()
    places: dict[str, Place | None] = {"optimal": two.optimal, "random": None}
    for name, goal in listing.goals["same"].items():
        rival = places[goal.rival]
        places[name] = two.placing(values if rival == two.optimal else two.respond(rival), rival, goal.ahead)
    found = {}
    for n, row in enumerate(names):
        for column in names[n:]:
            win, tie = two.play(places[row], places[column])
            ours = win + tie / 2
            found["same", column, row] = 1 - ours, tie
            found["same", row, column] = ours, tie
    return found
