"""Certify cards for play against a dealer: recompute each cost in rationals, from the rules and the card's words.

The solver computes all cards of the dealer at once in doubles, from the orders of the dealer's draws; here the values
of one card of the dealer follow one another card by card.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cached_property
from math import prod

from dicebase.certify.card_claims import Claims, Number
from dicebase.certify.dealer.draws import Dealer
from dicebase.certify.finding import EPSILON, Fail
from dicebase.matches.deals.lines import read_lines
from dicebase.matches.deals.return_cards import FEATURES, DealerCards, features
from dicebase.vocabulary import DOUBLE, HIT, PLAYS, SPLIT, STAND, SURRENDER, DealerGame, Hand
from dicebase.vocabulary.rules.dealer import plus

ROUNDED = 4 * EPSILON  # the error of a rational below 8 bets as a double
ROUNDING = 1000 * EPSILON
"""A bound on the solver's rounding: a cost is a sum of fewer than 1,000 probabilities times values of at most 8 bets
that have fewer than 100 roundings each."""

Decide = Callable[[Hand, int, Mapping[str, Fraction]], Fraction]
"""The value of the play that a policy takes with a hand, against a card of the dealer, from the values of all plays."""


class _Totals(Claims):
    """The first hands against each card of the dealer, and the exact values of policies by totals."""

    proof = "the card and best play in rationals; the search for better cards is not repeated"
    rounding = ROUNDING

    def __init__(self, listing: DealerCards, fail: Fail) -> None:
        super().__init__(listing, fail)
        self.rules = rules = listing.rules
        dealer = Dealer.of(rules)
        self.against = [_Against(rules, dealer, up) for up in range(len(rules.ranks))]
        self.hands = [hand for hand in rules.hands() if sum(hand) == 2 and not rules.is_natural(hand)]
        self.best = self.values(lambda hand, up, plays: max(plays.values()))

    def cost(self, policy: str) -> Number:
        return float(sum(chance * lost for chance, lost in self.losses(policy))), ROUNDED

    def worst(self, policy: str) -> Number:
        return float(max(lost for _, lost in self.losses(policy))), ROUNDED

    def values(self, decide: Decide) -> list[Fraction]:
        """The value of each first hand, against one card of the dealer after another."""
        return [value for one in self.against for value in one.values(self.hands, decide)]

    @cached_property
    def chances(self) -> list[Fraction]:
        """The probability of each first hand, against one card of the dealer after another."""
        found = []
        for one in self.against:
            clear = one.chance[one.up] * (1 - one.natural if self.rules.peeks else 1)
            for hand in self.hands:
                orders = 1 if max(hand) == 2 else 2
                found.append(clear * orders * prod(p**n for p, n in zip(one.chance, hand, strict=True)))
        return found

    def losses(self, policy: str) -> list[tuple[Fraction, Fraction]]:
        """Return (probability, loss) of each first hand against each card of the dealer."""
        lines = read_lines(policy, PLAYS, FEATURES)

        def decide(hand: Hand, up: int, plays: Mapping[str, Fraction]) -> Fraction:
            here = features(self.rules, hand, up)
            return next((plays[play] for play, _, holds in lines if play in plays and holds(*here)), plays[HIT])

        lost = (best - value for best, value in zip(self.best, self.values(decide), strict=True))
        return [*zip(self.chances, lost, strict=True)]


check = _Totals.check


class _Against:
    """Exact values of a policy by totals against one card of the dealer, with an infinite shoe."""

    def __init__(self, rules: DealerGame, dealer: Dealer, up: int) -> None:
        self.rules, self.dealer, self.up = rules, dealer, up
        self.ranks = range(len(rules.ranks))
        self.chance = [Fraction(n, sum(rules.shoe)) for n in rules.shoe]
        self.none = (0,) * len(rules.ranks)
        self.stood: dict[int, Fraction] = {}

    def values(self, hands: list[Hand], decide: Decide) -> list[Fraction]:
        """The values of first hands under a policy."""
        self.decide, self.known = decide, {}
        return [self.first(hand) for hand in hands]

    @cached_property
    def natural(self) -> Fraction:
        """The probability that the hidden card gives the dealer a natural."""
        return sum((self.chance[r] for r in self.ranks if self.dealer.natural[self.up, r]), Fraction(0))

    @cached_property
    def ends(self) -> Mapping[int, Fraction]:
        """The probability of each total of the dealer: 0 above the limit, limit + 1 for a natural."""
        d, shoe, found = self.dealer, self.rules.shoe, defaultdict(Fraction)
        first, end = d.root[self.up : self.up + 2].tolist()
        ways = defaultdict(int, {first: 1})  # to draw the cards of a hand, out of the size of the shoe for each card
        for i in range(first, end):
            if (final := int(d.final[i])) >= 0:
                found[final] += Fraction(ways[i], sum(shoe) ** int(d.drawn[i].sum()))
                continue
            for r in self.ranks:
                ways[int(d.ahead[i, r])] += ways[i] * shoe[r] * int(i > first or d.hides[self.up, r])
        return {final: chance / sum(found.values()) for final, chance in found.items()}

    def stand(self, hand: Hand) -> Fraction:
        total = self.rules.points(hand).total
        if total not in self.stood:
            won = (chance * ((total > end) - (total < end)) for end, chance in self.ends.items())
            self.stood[total] = sum(won, Fraction(0)) if total <= self.rules.limit else Fraction(-1)
        return self.stood[total]

    def mean(self, hand: Hand, of: Callable[[Hand], Fraction]) -> Fraction:
        """The mean of a function over the hands with one more card."""
        return sum((self.chance[rank] * of(plus(hand, rank)) for rank in self.ranks), Fraction(0))

    def first(self, hand: Hand) -> Fraction:
        """The value of the first two cards."""
        plays = self.plays(hand, split=False)
        if SPLIT in plays:
            plays[SPLIT] = self.split(hand.index(2))
        return self.decide(hand, self.up, plays)

    def played(self, hand: Hand) -> Fraction:
        """The value of a hand of three or more cards, or of two after a split that is not split again."""
        point = self.rules.points(hand)
        if point.total > self.rules.limit:
            return Fraction(-1)
        key = point, min(sum(hand), 3), max(hand) == sum(hand)
        if key not in self.known:
            after = self.rules.is_natural(hand)
            self.known[key] = self.stand(hand) if after else self.decide(hand, self.up, self.plays(hand, split=True))
        return self.known[key]

    def plays(self, hand: Hand, split: bool) -> dict[str, Fraction]:
        """The values of the legal plays except splits; hands of the same total and kind have the same ones."""
        found = {play: Fraction(0) for play in self.rules.actions(hand, split)}
        found |= {STAND: self.stand(hand), HIT: self.mean(hand, self.played)}
        if DOUBLE in found:
            found[DOUBLE] = 2 * self.mean(hand, self.stand)
        if SURRENDER in found:
            found[SURRENDER] = -(1 + (0 if self.rules.peeks else self.natural)) / Fraction(2)
        return found

    def split(self, rank: int) -> Fraction:
        """The value of a split pair, which is split again until there are most hands."""
        one, same, most = plus(self.none, rank), self.chance[rank], self.rules.most_hands(rank)
        value = self.stand if self.rules.one_card(rank) else self.played
        whole = self.mean(one, value)
        others = whole - same * value(plus(one, rank))

        def deal(waiting: int, hands: int) -> Fraction:
            if not waiting:
                return Fraction(0)
            if hands == most:
                return waiting * whole
            return others + same * deal(waiting + 1, hands + 1) + (1 - same) * deal(waiting - 1, hands)

        return deal(2, 2)
