"""Certify ranked lists of holds: recompute each cost in integers, from the policy as text.

The solver adds up groups of hands; here each hand takes the first line of the policy that one of its holds satisfies.
The solver's search is not repeated; a list claimed to be the best is compared with all lists that replace one line or
swap two neighbouring lines.
"""

from collections.abc import Iterator
from functools import cached_property

import numpy as np

from dicebase.certify.card_claims import check_proved
from dicebase.certify.draws.recount import Recount
from dicebase.certify.finding import EPSILON, Fail, Finding
from dicebase.certify.published import Published, check_keys
from dicebase.matches.deals.hold_cards import FIRST, HOLD, LAST, HoldCards
from dicebase.matches.deals.lines import LINES, THEN, Line, read_lines
from dicebase.vocabulary.dice_and_cards.hand_classes import held_features
from dicebase.vocabulary.rules.draws import HELD_FEATURES

PROOF = "the list and best play in integers; the search for better lists is not repeated"


def check(listing: HoldCards, published: Published, fail: Fail) -> Finding:
    """Certify the cost of the list and its loss in the worst hand."""
    check_keys(published, [(LINES,)], fail)
    (cost,), ((worst,), (least,), (proved,), (card,), (policy,)) = published.values, published.more
    names = card.removeprefix(FIRST).removesuffix(LAST).split(THEN)
    known = len(names) == listing.numbers and {*names} <= {*listing.lines}
    if not known or card != listing.in_words(names) or policy != listing.policy(names):
        fail((LINES,), f"'{policy}' is not a list of this many lines, or its words differ")
    check_proved(LINES, cost, least, proved, fail)
    play = _Play(listing, fail)
    losses = play.losses(policy)
    again = int(losses @ play.deals) / play.games, int(losses.max()) / play.common
    for what, said, ours in zip(("cost", "worst_case"), (cost, worst), again, strict=True):
        if said != ours:
            fail((LINES,), f"{what} is {float(said)!r}, recomputed it is {ours!r}")
    for other in _neighbours(names, [*listing.lines]) if proved else ():
        lost = int(play.losses(listing.policy(other)) @ play.deals) / play.games
        if lost < cost:
            fail((LINES,), f"the list is not the best: '{listing.in_words(other)}' costs {lost!r}")
    return Finding(float(cost), EPSILON, EPSILON, 0.0, PROOF, actions=0)


def _neighbours(names: list[str], every: list[str]) -> Iterator[list[str]]:
    """Yield the lists that swap two neighbouring lines or replace one line."""
    for i in range(len(names)):
        if i:
            yield [*names[: i - 1], names[i], names[i - 1], *names[i + 1 :]]
        yield from ([*names[:i], other, *names[i + 1 :]] for other in every if other not in names)


class _Play:
    """The hands of a game, and what policies lose in them."""

    def __init__(self, listing: HoldCards, fail: Fail) -> None:
        again = Recount(listing.rules, fail)
        self.deals, self.games, self.common = again.deals, again.games, again.classes.common
        self.values, self.kept = again.values, again.kept
        table = np.stack([*held_features(again.classes, again.paid[again.classes.hands]).values()], axis=1)
        self.kinds, self.kind = np.unique(table, axis=0, return_inverse=True)
        self.known: dict[str, np.ndarray] = {}

    @cached_property
    def best(self) -> np.ndarray:
        """The value of each hand's best hold times `common`, (hands,)."""
        return self.values.max(axis=1)

    def worst(self, line: Line) -> np.ndarray:
        """Return the least value of the holds that satisfy a condition, -1 if there is none, (hands,)."""
        _, condition, holds = line
        if condition not in self.known:
            satisfied = np.array([bool(holds(*kind)) for kind in self.kinds.tolist()])[self.kind]
            least = np.where(satisfied[self.kept], self.values, np.iinfo(np.int64).max).min(axis=1)
            self.known[condition] = np.where(least < np.iinfo(np.int64).max, least, -1)
        return self.known[condition]

    def losses(self, policy: str) -> np.ndarray:
        """Return what each hand loses compared with its best hold, times `common`, (hands,)."""
        taken = self.values[:, 0]
        for line in reversed(read_lines(policy, [HOLD], HELD_FEATURES)):
            worst = self.worst(line)
            taken = np.where(worst >= 0, worst, taken)
        return self.best - taken
