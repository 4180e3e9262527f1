"""Matchups: every policy is found again in other arrays, and every pair of them played again, as
docs/why/certificates.md says; in doubles a probability is a sum of positive terms, wrong by a rounding for each that
meets in a position, in each round, and for each product."""

import math
from fractions import Fraction
from itertools import accumulate

from dicebase.certify.finding import EPSILON, Fail, Finding, unplayed
from dicebase.certify.published import Published, check_keys
from dicebase.certify.sheets.one_roll.policies import Alone
from dicebase.certify.sheets.one_roll.same_rolls import Place, Together
from dicebase.matches.versus_matchups import AHEAD, ScorecardMatchups

simulated = unplayed

Numbers = dict[tuple[str, str, str], tuple[float, float]]  # the published probability and tie


def check(listing: ScorecardMatchups, published: Published, fail: Fail) -> Finding:
    """Find the policies and play them again, and compare every number."""
    expected = {(rolls, a, b) for rolls, names in listing.policies.items() for a in names for b in names}
    check_keys(published, expected, fail)
    columns = (column.tolist() for column in (published.values, published.more[0]))
    numbers = dict(zip(published.states, zip(*columns, strict=True), strict=True))
    card = Alone(listing.rules)
    _alone(listing, card, numbers, fail)
    worst = bound = 0.0
    if listing.policies["same"]:
        slots, rolls = listing.rules.slots, len(listing.rules.odds)
        # Into a position lead at most so many others; a product of three for each.
        bound = EPSILON * slots * (slots**2 * rolls + 4)
        worst = _same(listing, card, numbers, bound, fail)
    value = numbers["alone", "response", "optimal"][0]
    proof = "alone: exact, rounded once"
    if listing.policies["same"]:
        proof += "; same: played again in doubles, with the rounding of that"
    return Finding(value, math.ulp(1.0), worst + bound + math.ulp(1.0), worst, proof)


def _alone(listing: ScorecardMatchups, card: Alone, numbers: Numbers, fail: Fail) -> None:
    games = {"optimal": card.play(card.optimal), "random": card.play_at_random()}
    for name, goal in listing.goals["alone"].items():
        games[name] = card.play(card.maximise(listing.payoff(goal, games)))
    if any(sum(counted) != listing.rules.games for counted in games.values()):
        fail(None, "the games of a policy do not add up")
    above = {name: [*accumulate(reversed(counted))][::-1] for name, counted in games.items()}
    for row, ours in games.items():
        for column, theirs in games.items():
            tie = sum(map(int.__mul__, ours, theirs))
            win = sum(map(int.__mul__, theirs, above[row])) - tie
            probability = float(Fraction(2 * win + tie, 2 * listing.rules.games**2))
            place = ("alone", row, column)
            _compare(place, numbers, (probability, float(Fraction(tie, listing.rules.games**2))), 0.0, fail)


def _same(listing: ScorecardMatchups, card: Alone, numbers: Numbers, bound: float, fail: Fail) -> float:
    two, names = Together(card, max(AHEAD)), listing.policies["same"]
    values = two.respond_to_optimal()
    places: dict[str, Place | None] = {"optimal": two.optimal, "random": None}
    for name, goal in listing.goals["same"].items():
        rival = places[goal.rival]
        places[name] = two.placing(values if rival == two.optimal else two.respond(rival), rival, goal.ahead)
    worst = 0.0
    for n, row in enumerate(names):
        for column in names[n:]:
            win, tie = two.play(places[row], places[column])
            ours = win + tie / 2
            worst = max(worst, _compare(("same", row, column), numbers, (ours, tie), 2 * bound, fail))
            worst = max(worst, _compare(("same", column, row), numbers, (1 - ours, tie), 2 * bound, fail))
    return worst


def _compare(
    place: tuple[str, str, str], numbers: Numbers, ours: tuple[float, float], tolerance: float, fail: Fail
) -> float:
    """The larger distance of the published probability and tie from these."""
    for name, theirs, again in zip(("probability", "tie"), numbers[place], ours, strict=True):
        if not abs(theirs - again) <= tolerance:
            fail(place, f"{name} is {theirs!r}, played again it is {again!r}")
    return max(abs(theirs - again) for theirs, again in zip(numbers[place], ours, strict=True))
