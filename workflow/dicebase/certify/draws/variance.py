"""Check DrawVariance: the law of total variance, in rationals."""

from fractions import Fraction

from dicebase.certify.draws.holds import PROOF, check_counts
from dicebase.certify.draws.recount import Recount
from dicebase.certify.finding import EPSILON, Fail, Finding
from dicebase.certify.published import Published, check_keys
from dicebase.matches.deals.draws import MOST_PLAYED, DrawVariance


def check(listing: DrawVariance, published: Published, fail: Fail) -> Finding:
    """Recompute the variance of one hand, and of the expected coins of the deal that several hands share."""
    again = Recount(listing.rules, fail)
    check_keys(published, [(hands,) for hands in range(1, MOST_PLAYED + 1)], fail)
    squares = sum(again.ends(rank) * int(coins) ** 2 for rank, coins in enumerate(again.coins.tolist()) if coins)
    one = Fraction(squares, again.games) - again.mean**2
    # The hands are independent once the deal is known, so their covariance is the variance of its expected coins.
    shared = Fraction(again.moment(2), again.games * again.classes.common) - again.mean**2
    ours = [float(one + (hands - 1) * shared) for hands in range(1, MOST_PLAYED + 1)]
    return Finding(check_counts(listing, published, fail, one, ours), 0.0, EPSILON * max(ours), 0.0, PROOF)
