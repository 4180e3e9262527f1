"""Ranked lists of holds for video poker: every deal of a short deck played out, and a printed list."""

import re
from itertools import combinations, permutations, product
from math import comb

import numpy as np
import pytest

from dicebase.audit.record import read
from dicebase.games.video_poker import Rules
from dicebase.policies.returns import HoldBench
from dicebase.vocabulary import ConfigurationError, Definition
from dicebase.vocabulary.rules.draws import HELD_FEATURES
from support.cards import JACKS

SUITED = "hold if cards == 2 and suited == 1 and high == 2 and top == {}"
SIMPLE = [
    "hold if pays >= 25",
    "hold if cards == 4 and suited == 1 and low >= 10",
    "hold if pays >= 4",
    "hold if cards == 3 and most == 3",
    "hold if cards == 4 and suited == 1 and span <= 5",
    "hold if cards == 4 and kinds == 2 and most == 2",
    "hold if cards == 2 and most == 2 and low >= 11",
    "hold if cards == 3 and suited == 1 and low >= 10",
    "hold if cards == 4 and suited == 1",
    "hold if cards == 2 and most == 2",
    "hold if cards == 4 and kinds == 4 and span == 4 and 5 <= top <= 13",
    "hold if cards == 3 and suited == 1 and span <= 5",
    *(f"hold if cards == 2 and high == 2 and kinds == 2 and top == {top}" for top in (12, 13, 14)),
    "hold if cards == 2 and suited == 1 and low == 10 and top <= 13",
    "hold if cards == 1 and high == 1",
]
"""The lines of a printed list without the line for two suited high cards, which comes after the eleventh."""


def bench(pays):
    return HoldBench("video_poker_return", Rules(Definition("own", pays)), {})


def features(hand, held, coins):
    """The features of some cards, as (rank from 2 to 14, suit), of a hand that pays this number of coins."""
    ranks, suits = [rank for rank, _ in held], {suit for _, suit in held}
    low_ace = [1 if rank == 14 else rank for rank in ranks]
    span = min(max(of) - min(of) + 1 for of in (ranks, low_ace)) if held else 0
    most = max((ranks.count(rank) for rank in ranks), default=0)
    found = len(held), int(len(suits) <= 1), len({*ranks}), most, min(ranks, default=0), max(ranks, default=0)
    found += span, sum(rank > 10 for rank in ranks), coins if len(held) == len(hand) else 0
    return dict(zip(HELD_FEATURES, found, strict=True))


@pytest.mark.slow
def test_a_list_loses_what_all_deals_of_a_short_deck_lose():
    pays = JACKS | {"ranks": "TJQKA", "flush": 20, "four_of_a_kind": 8}
    rules, lines = Rules(Definition("own", pays)), [*SIMPLE[:11], "hold if cards == 2 and suited == 1", *SIMPLE[11:15]]
    deck = [(rank, suit) for rank, suit in product(range(14, 9, -1), "shdc")]
    coins = np.zeros(1 << 20, np.int64)
    for hand in combinations(range(20), 5):
        cards = tuple(("TJQKA"[deck[i][0] - 10], deck[i][1]) for i in hand)
        coins[sum(1 << i for i in hand)] = rules.payouts[rules.rank(cards)]
    drawn = [np.array([*combinations(range(15), n)], int).reshape(comb(15, n), n) for n in range(6)]
    lost, deals = 0.0, 0
    for hand in combinations(range(20), 5):
        suits = [[deck[i][0] for i in hand if deck[i][1] == suit] for suit in "shdc"]
        if suits != sorted(suits):  # deals that differ in the names of the suits lose the same
            continue
        count = len({*permutations(map(tuple, suits))})
        others = np.array([1 << i for i in range(20) if i not in hand])
        paid, first = {}, {}
        for size in range(6):
            for held in combinations(hand, size):
                mask = sum(1 << i for i in held)
                paid[held] = coins[mask + others[drawn[5 - size]].sum(axis=1)].mean()
                known = features(hand, [deck[i] for i in held], int(coins[sum(1 << i for i in hand)]))
                holds = (i for i, line in enumerate(lines) if eval(line.split(" if ")[1], {}, known))
                first[held] = next(holds, len(lines) if not held else len(lines) + 1)
        least = min(first.values())
        taken = min(value for held, value in paid.items() if first[held] == least)
        lost, deals = lost + count * (max(paid.values()) - taken), deals + count
    found = (own := bench(pays)).losses(own.named("; ".join(lines)))
    assert deals == 15504 and found.frequency.sum() == pytest.approx(1, abs=1e-12)
    assert found.loss.sum() == pytest.approx(lost / deals, abs=1e-12) and lost > 0


@pytest.mark.slow
def test_the_wizards_simple_strategy_returns_what_is_printed():
    """The page does not say which suited pair of high cards to hold. The best and the worst order enclose it."""
    (said,) = (row["says"] for row in read("statements") if row["source"] == "Shackleford, Jacks or Better Simple")
    printed, apart = re.findall(r"[0-9.]{4,}", said)
    own = bench(JACKS)
    hands = []
    for order in ((12, 13, 14), (14, 13, 12)):
        lines = [*SIMPLE[:11], *map(SUITED.format, order), *SIMPLE[11:]]
        loss = own.losses(own.named("; ".join(lines))).loss.sum()
        best = 1653526326983 / 1661102543100
        assert f"{100 * (best - loss):.2f}" == printed
        hands.append(1 / loss)
    assert hands[1] < int(apart) < hands[0]


def test_lines_that_cannot_be_read_are_refused():
    own = bench(JACKS | {"ranks": "TJQKA"})
    assert own.losses(own.named("optimal")).loss.sum() == 0
    for text, message in (("keep if cards == 2", "is not PLAY if CONDITION"), ("hold if jacks == 2", "is not allowed")):
        with pytest.raises(ConfigurationError, match=message):
            own.losses(own.named(text))
    with pytest.raises(ValueError, match=r"'abs\(low\)' has no range; give \+ - \*"):
        own.losses(own.named("hold if abs(low) == 2"))
    for condition, error in ((f"pays >= {10**20}", "too large"), ("pays // 0", "divide by zero")):
        with pytest.raises(ValueError, match=f"'{condition}': .*{error}"):
            own.losses(own.named(f"hold if {condition}"))
