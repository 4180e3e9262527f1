"""Check DrawReturn: every sum in integers, and the exact return of the policy that follows from them."""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from dicebase.certify.draws.recount import PLAIN, Recount
from dicebase.certify.finding import EPSILON, Fail, Finding
from dicebase.certify.published import Published, check_key_columns, refuse
from dicebase.matches.deals.draws import DrawListing, DrawReturn
from dicebase.vocabulary.dice_and_cards.hand_classes import parts

PROOF = "counted again in integers, one card at a time"


def check(listing: DrawReturn, published: Published, fail: Fail) -> Finding:
    """Count the final hands with each set of cards again, and the best hold of each hand."""
    again = Recount(listing.rules, fail)
    check_key_columns(published, parts(again.classes.sets).T[::-1], fail)
    again.look_at_all()
    exact = check_counts(listing, published, fail, again.mean, again.sums(again.paid), again.classes.deals)
    hands, proof = len(again.best), f"{PROOF}; {PLAIN} hands by looking at all final hands"
    # The quotient of two integers that doubles hold exactly is rounded once.
    bound = EPSILON * float(again.coins.max())
    return Finding(exact, 0.0, bound, 0.0, proof, hands, hands * again.values.shape[1])


def check_counts(listing: DrawListing, published: Published, fail: Fail, exact: Fraction, *counted: Sequence) -> float:
    """Return the exact value of the table as a double; fail unless the table has it, and `counted`, a sequence for each
    column of values."""
    theirs = published.values, *published.more
    columns = zip((listing.value, *listing.more), theirs, map(np.array, counted), strict=True)
    for column, said, ours in columns:
        what = f"{column.name} is {{!r}}, counted again {{!r}}"
        refuse(published.keys, fail, said != ours.astype(float), what, said, ours)
    if published.exact != exact:
        fail(None, f"the exact value is given as {published.exact}, counted again it is {exact}")
    return float(exact)
