"""Blackjack from the rulebook alone: an infinite deck in rationals, finite decks by composition in doubles.

A card is its value from 1 (ace) to 10. A deck is a tuple of the numbers of cards of value 1 to 10; an infinite deck is
the same with the weights 1, ..., 1, 4, which drawing does not change. All values are those of the player per unit bet.
If the dealer peeks, they hold once the dealer is known not to have a blackjack. A hand of 21 with two cards stands.

After a split every hand keeps to one strategy: that of an unsplit hand with the same cards if the dealer's card and
both cards of the pair are gone. It looks neither at the other hands nor at how many cards they took. A hand's cards and
the dealer's are then exchangeable with those of the other hands, so the values of all hands follow from those of one
hand in a deck that lacks further cards of the pair.
"""

from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import comb

import numpy as np

ACE, TEN = 1, 10
INFINITE = (1,) * 9 + (4,)


@dataclass(frozen=True)
class Rules:
    """The house's rules; `decks` is 0 for an infinite deck, and `cards` a small shoe in place of whole decks."""

    decks: int = 0
    cards: tuple[int, ...] = ()
    hit_soft_17: bool = False
    peek: bool = True
    double: str = "any"  # or 9_to_11, 10_to_11, never: two-card hard totals
    double_after_split: bool = True
    hands: int = 4  # after splits, at most
    resplit_aces: bool = False
    hit_split_aces: bool = False
    surrender: bool = False
    pays: Fraction = Fraction(3, 2)

    @property
    def finite(self):
        return bool(self.decks or self.cards)

    @property
    def deck(self):
        return self.cards or (tuple(4 * self.decks * n for n in INFINITE) if self.decks else INFINITE)

    def without(self, deck, *cards):
        """The deck after cards have left it."""
        if not self.finite:
            return deck
        left = list(deck)
        for card in cards:
            left[card - 1] -= 1
        return tuple(left)

    def share(self, part, whole):
        """The quotient of two integers, exact with an infinite deck."""
        return part / whole if self.finite else Fraction(part, whole)

    def may_double(self, cards):
        total = sum(cards)
        if ACE in cards and self.double != "any":
            return False
        return {"any": True, "9_to_11": 9 <= total <= 11, "10_to_11": 10 <= total <= 11, "never": False}[self.double]


def total_of(cards):
    """(best total, whether an ace counts 11)."""
    total = sum(cards)
    soft = ACE in cards and total <= 11
    return total + 10 * soft, soft


def hidden(up, peek):
    """The value that the hole card cannot have if the dealer has peeked; 0 if any value is possible."""
    return {ACE: TEN, TEN: ACE}.get(up, 0) if peek else 0


@cache
def dealt(rules, deck, not_hole):
    """{next card: probability}, given that the hole card, still unseen, is not `not_hole`."""
    cards, found = sum(deck), {}
    for card, many in enumerate(deck, start=1):
        if not many:
            continue
        chance = rules.share(many, cards)
        if not_hole and rules.finite:
            others = rules.without(deck, card)
            fits = (cards - 1 - others[not_hole - 1]) / (cards - 1)
            chance *= fits / (cards - deck[not_hole - 1]) * cards
        found[card] = chance
    return found


def dealers_end(rules, cards):
    """The dealer's final total, 0 for a bust or 22 for a blackjack; None if the dealer draws on."""
    total, soft = total_of(cards)
    if len(cards) == 2 and total == 21:
        return 22
    if total > 21:
        return 0
    stands = len(cards) > 1 and (total > 17 or (total == 17 and not (soft and rules.hit_soft_17)))
    return total if stands else None


def dealer(rules, deck, up):
    """{end: probability} of the dealer's hand, who draws from `deck`."""
    return shoes(rules, up)[deck]


@cache
def shoes(rules, up):
    """{deck: {end: probability}} for every deck from which a hand was dealt. The dealer's hands are those of all decks
    at once: a hand has its probability in each deck."""
    decks, not_hole = sorted(dealt_from(rules, up)), hidden(up, rules.peek)
    left = np.array(decks, float if rules.finite else object)
    certain = np.array([rules.share(1, 1)] * len(decks))
    going, found = {(up,): certain}, defaultdict(int)
    while going:
        longer = defaultdict(int)
        for cards, chance in going.items():
            many = left - [cards.count(card) - (card == up) for card in range(1, 11)] if rules.finite else left.copy()
            if len(cards) == 1 and not_hole:
                many[:, not_hole - 1] = 0
            cards_left = np.maximum(many.sum(axis=1), 1)  # a small shoe may run out where the chance is 0
            for card in range(1, 11):
                after = tuple(sorted((*cards, card)))
                end = dealers_end(rules, after)
                share = many[:, card - 1] * (chance / cards_left)
                into, key = (longer, after) if end is None else (found, end)
                into[key] = into[key] + share
        going = longer
    ends = zip(*(chances.tolist() for chances in found.values()), strict=True)
    return {deck: dict(zip(found, of, strict=True)) for deck, of in zip(decks, ends, strict=True)}


def dealt_from(rules, up):
    """The decks that lack the dealer's card, a hand and, after splits, more cards of one rank of the hand."""
    if not rules.finite:
        return {rules.deck}
    found, longer = set(), {()}
    while longer:
        hands = {tuple(sorted((*hand, card))) for hand in longer for card in range(1, 11)}
        longer = {hand for hand in hands if sum(hand) <= 21}
        more = ((*hand, *[card] * n) for hand in longer for card in {*hand} for n in range(7))
        found |= {rules.without(rules.deck, up, *gone) for gone in more}
    return {deck for deck in found if min(deck) >= 0}


def stand(rules, deck, up, cards):
    total, _ = total_of(cards)
    if total > 21:
        return -1
    return sum(chance * ((total > end) - (total < end)) for end, chance in dealer(rules, deck, up).items())


def mean(rules, deck, up, worth):
    """The mean of worth(deck afterwards, card) over the next card."""
    chances = dealt(rules, deck, hidden(up, rules.peek))
    return sum(chance * worth(rules.without(deck, card), card) for card, chance in chances.items())


def double(rules, deck, up, cards):
    return 2 * mean(rules, deck, up, lambda left, card: stand(rules, left, up, (*cards, card)))


def plays(rules, deck, up, cards, may_double):
    """{play: value} of a hand that is not split, surrendered or a blackjack."""
    found = {"stand": stand(rules, deck, up, cards)}
    found["hit"] = mean(rules, deck, up, lambda left, card: best(rules, left, up, tuple(sorted((*cards, card)))))
    if may_double and len(cards) == 2 and rules.may_double(cards):
        found["double"] = double(rules, deck, up, cards)
    return found


@cache
def best(rules, deck, up, cards):
    """The value of a hand of at least three cards, played to the end."""
    if total_of(cards)[0] > 21:
        return -1
    return max(plays(rules, deck, up, cards, False).values())


@cache
def choice(rules, up, pair, cards):
    """The play of a hand that came from a split, if the dealer's card and the pair have left a full deck."""
    deck = rules.without(rules.deck, up, pair, pair, *cards[1:])
    found = plays(rules, deck, up, tuple(sorted(cards)), rules.double_after_split)
    return max(found, key=found.get)


@cache
def played(rules, deck, up, pair, cards):
    """The value of a hand that came from a split and keeps to `choice`; the first card is of the pair."""
    total, _ = total_of(cards)
    if total > 21:
        return -1
    if (pair == ACE and not rules.hit_split_aces) or (total == 21 and len(cards) == 2):
        return stand(rules, deck, up, cards)
    play = choice(rules, up, pair, (pair, *sorted(cards[1:])))
    if play == "stand":
        return stand(rules, deck, up, cards)
    if play == "double":
        return double(rules, deck, up, cards)
    return mean(rules, deck, up, lambda left, card: played(rules, left, up, pair, (pair, *sorted((*cards[1:], card)))))


def split(rules, up, pair):
    """The value of splitting a pair, and of splitting again whenever that is allowed and better than never."""
    most = rules.hands if pair != ACE or rules.resplit_aces else 2
    return max(_split(rules, up, pair, hands) for hands in {2, most})


def _split(rules, up, pair, most):
    """The value of splitting again until there are `most` hands.

    Let E(j) be the expectation of a hand's value if j given cards are all of the pair's value. By inclusion and
    exclusion it gives the expectation if some given cards are of that value and others are not.
    """
    first = rules.without(rules.deck, up, pair, pair)

    @cache
    def all_pair(many):
        """(probability that `many` given cards are all of the pair's value, the deck without them)."""
        if not many:
            return 1, first
        chance, deck = all_pair(many - 1)
        return chance * dealt(rules, deck, hidden(up, rules.peek)).get(pair, 0), rules.without(deck, pair)

    @cache
    def worth(many, own):
        """E[value of a hand; `many` other cards are of the pair's value, and so is the hand's next one if `own`]."""
        chance, deck = all_pair(many)
        if not chance:
            return 0
        chances = dealt(rules, deck, hidden(up, rules.peek))
        cards = [pair] if own else [card for card in chances if card != pair]
        cards = [card for card in cards if card in chances]
        hands = (chances[c] * played(rules, rules.without(deck, c), up, pair, (pair, c)) for c in cards)
        return chance * sum(hands)

    def of_hand(are, are_not, own):
        return sum((-1) ** i * comb(are_not, i) * worth(are + i, own) for i in range(are_not + 1))

    def go_on(pending, hands, are, are_not):
        """The expectation of all hands, where `pending` hands lack a second card, `are` of the second cards dealt so
        far were split again and `are_not` were not of the pair's value."""
        if hands == most:
            # The hands that are complete have a second card that is not of the pair's value.
            done = are_not * of_hand(are, are_not - 1, False) if are_not else 0
            return done + pending * sum(of_hand(are, are_not, own) for own in (False, True))
        if not pending:
            return are_not * of_hand(are, are_not - 1, False)
        return go_on(pending + 1, hands + 1, are + 1, are_not) + go_on(pending - 1, hands, are, are_not + 1)

    return go_on(2, 2, 0, 0)


def first_hand(rules, cards, up):
    """{play: value} of the first two cards against the dealer's card; a blackjack has only `stand`."""
    cards = tuple(sorted(cards))
    deck = rules.without(rules.deck, up, *cards)
    if cards == (ACE, TEN):
        blackjack = dealer(rules, deck, up).get(22, 0)
        return {"stand": rules.pays * (1 - blackjack)}
    found = plays(rules, deck, up, cards, True)
    if cards[0] == cards[1]:
        found["split"] = split(rules, up, cards[0])
    if rules.surrender:
        blackjack = dealer(rules, deck, up).get(22, 0)
        found["surrender"] = Fraction(-1, 2) - blackjack / 2  # a blackjack that the dealer did not look for takes all
    return found


def game(rules):
    """The value of best play before the deal."""
    total = 0
    for up in range(1, 11):
        of_up = rules.share(rules.deck[up - 1], sum(rules.deck))
        for one in range(1, 11):
            left = rules.without(rules.deck, up)
            of_one = rules.share(left[one - 1], sum(left))
            left = rules.without(left, one)
            for two in range(one, 11):
                chance = of_up * of_one * rules.share(left[two - 1], sum(left)) * (1 if one == two else 2)
                if not chance:
                    continue
                deck = rules.without(left, two)
                lost = 0
                if rules.peek and (other := hidden(up, True)):
                    lost = rules.share(deck[other - 1], sum(deck))
                at_once = 0 if (one, two) == (ACE, TEN) else -1
                best_play = max(first_hand(rules, (one, two), up).values())
                total += chance * (lost * at_once + (1 - lost) * best_play)
    return total
