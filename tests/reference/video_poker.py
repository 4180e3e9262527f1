"""Ranks of hands in video poker, stated without dicebase: a wild deuce is tried as every card."""

from collections import Counter
from functools import cache
from itertools import combinations_with_replacement

PAIRS = {"tens_or_better": 10, "jacks_or_better": 11, "queens_or_better": 12, "kings_or_better": 13, "pair_of_aces": 14}
"""The lowest pair that each name pays."""


@cache
def names(ranks, suited):
    """The names of five cards none of which is wild, highest first; ranks are sorted numbers from 2 to 14."""
    counts = sorted(Counter(ranks).values(), reverse=True)
    straight = len(counts) == 5 and (ranks[4] - ranks[0] == 4 or ranks == (2, 3, 4, 5, 14))
    four, kicker = counts[0] >= 4, counts == [4, 1] and {*ranks} <= {2, 3, 4, 14}
    aces, low = four and ranks[2] == 14, four and ranks[2] <= 4
    pair = max(ranks, key=ranks.count) if counts == [2, 1, 1, 1] else 0
    found = {
        "royal_flush": straight and suited and ranks[0] == 10,
        "five_of_a_kind": counts == [5],
        "straight_flush": straight and suited,
        "four_aces_with_kicker": aces and kicker,
        "four_aces": aces,
        "four_2_to_4_with_kicker": low and kicker,
        "four_2_to_4": low,
        "four_of_a_kind": four,
        "full_house": counts == [3, 2],
        "flush": suited,
        "straight": straight,
        "three_of_a_kind": counts[0] >= 3,
        "two_pair": counts == [2, 2, 1],
    } | {name: pair >= least for name, least in PAIRS.items()}
    return [name for name, holds in found.items() if holds]


def coins(ranks, suited, pays, wild):
    """The coins that a hand is paid; `suited` says whether the cards that are not wild are of one suit."""
    if not wild:
        return next((pays[name] for name in names(ranks, suited) if name in pays), 0)
    natural = [rank for rank in ranks if rank > 2]
    jokers = 5 - len(natural)
    hands = (tuple(sorted((*natural, *more))) for more in combinations_with_replacement(range(2, 15), jokers))
    found = {name for hand in hands for name in names(hand, suited)} | ({"four_deuces"} if jokers == 4 else set())
    royal = {"royal_flush": "wild_royal" if jokers else "natural_royal"}
    return max((pays.get(royal.get(name, name), 0) for name in found), default=0)
