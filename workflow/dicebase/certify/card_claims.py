"""Certify cards of a few numbers: read each card from its policy, and compute again what it loses.

That no card of a language is better rests on the solver's search. Here a card that is claimed to be the best is
compared with the cards that differ from it by one step.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import ClassVar

from dicebase.certify.finding import EPSILON, Fail, Finding
from dicebase.certify.published import Published, check_keys
from dicebase.matches.card_listing import CardListing
from dicebase.vocabulary import ConfigurationError

Number = tuple[float, float]
"""A number and a bound on its error."""


class Claims(ABC):
    """The losses of the policies of cards: `cost` to best play, `worst` in the worst case. `rounding` bounds the
    solver's rounding in a cost, and `residual` is that of the best play with which cards are compared."""

    proof: ClassVar[str]
    better = "the card is not the best: '{policy}' costs"  # begins an error
    worst: Callable[[str], Number]
    rounding = residual = 0.0

    def __init__(self, listing: CardListing, fail: Fail) -> None:
        self.listing, self.fail = listing, fail

    @abstractmethod
    def cost(self, policy: str) -> Number:
        """Return what a policy loses to best play."""

    @classmethod
    def check(cls, listing: CardListing, published: Published, fail: Fail) -> Finding:
        """Certify the costs of every card, and that no similar card costs less than one called the best."""
        self = cls(listing, fail)
        bound, residual = 0.0, self.residual
        check_keys(published, [(name,) for name in listing.languages], fail)
        *worst, least, proved, words, policies = published.more
        for i, (name,) in enumerate(published.states):
            row, policy, cost = (name,), policies[i], published.values[i]
            try:
                card = listing.read(name, policy, words[i])
            except ConfigurationError as wrong:
                fail(row, str(wrong))
            if card is None or (policy, words[i]) != (listing.policy_of(card), listing.in_words(card)):
                fail(row, f"'{policy}' is not {listing.one}, or its words differ")
            if not least[i] <= cost or proved[i] != (least[i] >= cost - listing.tie):
                fail(row, f"proved is {bool(proved[i])}, but no card costs less than {float(least[i])!r}")
            for what, said, loss in (("cost", cost, self.cost), *(("worst_case", w[i], self.worst) for w in worst)):
                again, error = loss(policy)
                apart = abs(float(said) - again)
                if not apart <= error + self.rounding:
                    fail(row, f"{what} is {float(said)!r}, recomputed it is {again!r}")
                bound, residual = max(bound, apart + error + EPSILON), max(residual, apart)
            for near in listing.near(card) if proved[i] else ():
                again, error = self.cost(other := listing.policy_of(near))
                if again + error + listing.tie < cost:
                    other = self.better.format(policy=other.removeprefix(listing.word), words=listing.in_words(near))
                    fail(row, f"{other} {again!r}")
        return Finding(float(published.values.min()), bound, bound, residual, self.proof, actions=0)
