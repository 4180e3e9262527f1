"""Values of plays against a dealer, one card at a time.

The solver counts the orders in which the dealer's cards can be drawn; here the probability of every hand of the dealer
is passed on card by card. The solver derives the value of a split from removed cards by inclusion and exclusion; here
it follows from conditional probabilities, one second card after another.
"""

from typing import NamedTuple

import numpy as np

from dicebase.vocabulary import TIE, DealerGame, Hand
from dicebase.vocabulary.kernels import inner, kernel
from dicebase.vocabulary.rules.dealer import plus


class Dealer(NamedTuple):
    """The hands of a dealer, each after those that lead to it."""

    root: np.ndarray  # (R + 1,), the hand of one card of each rank, which begins the hands that show it
    drawn: np.ndarray  # (hands, R), the cards without the one that shows
    ahead: np.ndarray  # (hands, R), the hand with one more card, -1 if the dealer stops before
    final: np.ndarray  # (hands,), the total, 0 above the limit, limit + 1 for a natural; -1 if the dealer draws
    hides: np.ndarray  # (R, R), whether the dealer who shows the first rank may hide the second one
    natural: np.ndarray  # (R, R), whether these two ranks are a natural
    shoe: np.ndarray  # (R,)
    less: int  # how many cards are gone when one is drawn: 0 from an infinite shoe

    @classmethod
    def of(cls, rules: DealerGame) -> "Dealer":
        ranks = range(len(rules.ranks))
        root, hands, final, ahead = [0], [], [], []
        for up in ranks:
            ends = _ends_of(rules, up)
            number = {hand: len(hands) + i for i, hand in enumerate(sorted(ends, key=sum))}
            hands += number
            final += [ends[hand] for hand in number]
            ahead += [[number.get(plus(hand, r), -1) if ends[hand] < 0 else -1 for r in ranks] for hand in number]
            root.append(len(hands))
        two = [[rules.is_natural(plus(plus((0,) * len(ranks), a), b)) for b in ranks] for a in ranks]
        natural = np.array(two)
        hides = ~(natural & rules.peeks)
        less = 0 if rules.infinite else 1
        return cls(*map(np.array, (root, hands, ahead, final)), hides, natural, np.array(rules.shoe), less)


def _ends_of(rules: DealerGame, up: int) -> dict[Hand, int]:
    """Return {the dealer's cards without the one that shows: `final` of Dealer}."""
    found, waiting = {}, [(0,) * len(rules.ranks)]
    while waiting:
        drawn = waiting.pop()
        if drawn not in found:
            hand = plus(drawn, up)
            points = rules.points(hand)
            draws = sum(hand) == 1 or (points.total <= rules.limit and rules.dealer_draws(points))
            natural = rules.is_natural(hand)
            total = points.total * (points.total <= rules.limit) + natural
            found[drawn] = -1 if draws else total
            fits = (r for r, most in enumerate(rules.shoe) if draws and (rules.infinite or drawn[r] < most))
            waiting += [plus(drawn, r) for r in fits]
    return found


@inner
def next_card(d, left, up, chance):
    """Set `chance`, (R,), to the probability that each rank is drawn next, given what the dealer does not hide.

    left : (R,), the cards that are left, the dealer's hidden one included.
    """
    total = 0.0
    for r in range(len(left)):
        chance[r] = 0.0
        if left[r] > 0:
            for hidden in range(len(left)):
                chance[r] += d.hides[up, hidden] * (left[hidden] - d.less * (hidden == r))
            chance[r] *= left[r]
            total += chance[r]
    chance /= total


@inner
def pass_on(d, left, up, mass, finals):
    """Set `finals`, (limit + 2,), to the probabilities of the dealer's totals; `mass`, (hands,), is scratch space."""
    finals[:] = 0.0
    first, end = d.root[up], d.root[up + 1]
    mass[first:end] = 0.0
    mass[first] = 1.0
    for i in range(first, end):
        if d.final[i] >= 0:
            finals[d.final[i]] += mass[i]
        elif mass[i] > 0:
            n = 0
            for r in range(len(left)):
                n += (left[r] - d.less * d.drawn[i, r]) * (i > first or d.hides[up, r])
            for r in range(len(left)):
                count = left[r] - d.less * d.drawn[i, r]
                if count > 0 and (i > first or d.hides[up, r]):
                    mass[d.ahead[i, r]] += mass[i] * count / n


@inner
def standing(finals, total):
    """Return the value of standing on a total."""
    return finals[:total].sum() - finals[total + 1 :].sum()


@kernel(_nrt=True)
def play(d, cards, totals, ahead, plays, may_double, up, gone, begin, values):
    """Set `values`, (H, 5), to the values of stand, hit, double and surrender (column 3 stays), for hands that are met.

    cards : (H, R), the number of cards of each rank; hands lead to earlier ones. totals : (H,).
    ahead : (H, R), the hand with one more card, -1 above the limit. gone : (R,), cards that other hands have.
    plays : (H,), the column of the play with a hand that is met later; -1 is replaced by the best one.
    may_double : (H,), whether that may be to double. begin : (H,), whether a hand may be met first.
    """
    count, ranks = cards.shape
    met, worth = begin.copy(), np.zeros(count)
    left, chance, finals = np.zeros(ranks, np.int64), np.zeros(ranks), np.zeros(totals.max() + 2)
    mass, stand, known = np.zeros(len(d.final)), np.full(count, np.nan), False
    for i in range(count - 1, -1, -1):
        if met[i] and (begin[i] or plays[i] > 0):
            for r in range(ranks):
                if ahead[i, r] >= 0:
                    met[ahead[i, r]] = True
    for i in range(count):
        left[:] = d.shoe - d.less * (cards[i] + gone)
        left[up] -= d.less
        if not met[i] or left.min() < 0:
            continue
        if d.less > 0 or not known:
            pass_on(d, left, up, mass, finals)
            known = True
        stand[i] = values[i, 0] = standing(finals, totals[i])
        values[i, 1] = values[i, 2] = 0.0
        next_card(d, left, up, chance)
        for r in range(ranks):
            to = ahead[i, r]
            if chance[r] > 0:
                values[i, 1] += chance[r] * (worth[to] if to >= 0 else -1.0)
                if plays[i] == 2 or begin[i]:
                    values[i, 2] += 2 * chance[r] * (stand[to] if to >= 0 else -1.0)
        values[i, 4] = -0.5 - finals[-1] / 2
        if plays[i] < 0:
            plays[i] = 0
            for other in range(1, 3 if may_double[i] else 2):
                if values[i, other] > values[i, plays[i]] + TIE:
                    plays[i] = other
        worth[i] = values[i, plays[i]]
