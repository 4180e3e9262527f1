"""Check DrawDistribution: count the final hands of each rank under the policy again."""

from fractions import Fraction

import numpy as np

from dicebase.certify.draws.holds import PROOF, check_exact
from dicebase.certify.draws.recount import Recount
from dicebase.certify.finding import EPSILON, Fail, Finding, unplayed
from dicebase.certify.published import Published, check_keys, refuse
from dicebase.matches.deals.draws import DrawDistribution

simulated = unplayed


def check(listing: DrawDistribution, published: Published, fail: Fail) -> Finding:
    """Compare each rank, its coins and its count; the counts must add up to all games, and the coins to the return."""
    again = Recount(listing.rules, fail)
    check_keys(published, [(name,) for name in again.names], fail)
    ranks = [again.names.index(name) for name in published.keys[0].tolist()]
    ends = [again.ends(rank) for rank in ranks]
    coins = again.coins[ranks].tolist()
    if sum(ends) != again.games or sum(n * c for n, c in zip(ends, coins, strict=True)) != again.moment(1):
        fail(None, "the ranks do not add up to all games and to the expected coins")
    ours = [n / again.games for n in ends], coins, ends
    for name, said, found in zip(
        ("probability", "coins", "combinations"), (published.values, *published.more), ours, strict=True
    ):
        refuse(
            published.keys,
            fail,
            said != np.array(found, float),
            f"{name} is {{!r}}, counted again {{!r}}",
            said,
            np.array(found),
        )
    exact = check_exact(Fraction(again.moment(1), again.games), published, fail)
    return Finding(exact, 0.0, EPSILON, 0.0, PROOF)
