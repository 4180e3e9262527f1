"""Check DrawReturn: every sum in integers, and the exact return of the policy that follows from them."""

from fractions import Fraction

from dicebase.certify.draws.recount import PLAIN, Recount
from dicebase.certify.finding import EPSILON, Fail, Finding, unplayed
from dicebase.certify.published import Published, check_key_columns, refuse
from dicebase.matches.deals.draws import DrawReturn
from dicebase.vocabulary.dice_and_cards.hand_classes import parts

simulated = unplayed
PROOF = "counted again in integers, one card at a time"


def check(listing: DrawReturn, published: Published, fail: Fail) -> Finding:
    """Count the final hands with each set of cards again, and the best hold of each hand."""
    again = Recount(listing.rules, fail)
    check_key_columns(published, parts(again.classes.sets).T[::-1], fail)
    again.look_at_all()
    sums = again.sums(again.paid)
    what = "the final hands with these cards are paid {!r}, counted again {}"
    refuse(published.keys, fail, published.values != sums, what, published.values, sums)
    (deals,), ours = published.more, again.classes.deals
    refuse(published.keys, fail, deals != ours, "deals is {!r}, counted again {}", deals, ours)
    exact = check_exact(Fraction(again.moment(1), again.games), published, fail)
    hands = len(again.best)
    # The quotient of two integers that doubles hold exactly is rounded once.
    bound = EPSILON * float(again.coins.max())
    return Finding(
        exact,
        0.0,
        bound,
        0.0,
        f"{PROOF}; {PLAIN} hands by looking at all final hands",
        states=hands,
        actions=hands * again.values.shape[1],
    )


def check_exact(exact: Fraction, published: Published, fail: Fail) -> float:
    """Return a rational as a double; fail unless it is the exact value of the table."""
    if published.exact != exact:
        fail(None, f"the exact value is given as {published.exact}, counted again it is {exact}")
    return float(exact)
