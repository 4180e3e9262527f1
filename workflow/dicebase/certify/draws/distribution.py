"""Check DrawDistribution: count the final hands of each rank under the policy again."""

from dicebase.certify.draws.holds import PROOF, check_counts
from dicebase.certify.draws.recount import Recount
from dicebase.certify.finding import EPSILON, Fail, Finding
from dicebase.certify.published import Published, check_keys
from dicebase.matches.deals.draws import DrawDistribution


def check(listing: DrawDistribution, published: Published, fail: Fail) -> Finding:
    """Compare each rank, its coins and its count; the counts must add up to all games, and the coins to the return."""
    again = Recount(listing.rules, fail)
    check_keys(published, [(name,) for name in again.names], fail)
    ranks = [again.names.index(name) for name in published.keys[0].tolist()]
    ends = [again.ends(rank) for rank in ranks]
    coins = again.coins[ranks].tolist()
    if sum(ends) != again.games or sum(n * c for n, c in zip(ends, coins, strict=True)) != again.moment(1):
        fail(None, "the ranks do not add up to all games and to the expected coins")
    chances = [n / again.games for n in ends]
    exact = check_counts(listing, published, fail, again.mean, chances, coins, ends)
    return Finding(exact, 0.0, EPSILON, 0.0, PROOF)
