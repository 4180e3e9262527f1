"""The best ranked lists of holds: against every list of some lines, every deal of a policy, a printed list, faults."""

from itertools import permutations

import numpy as np
import pytest

from dicebase.games.video_poker import Rules
from dicebase.matches.deals.hold_cards import HoldCards
from dicebase.policies.returns import HoldBench
from dicebase.solvers.draws import lists
from dicebase.solvers.draws.holds import Holds
from dicebase.vocabulary import Definition
from dicebase.vocabulary.dice_and_cards.hand_classes import held_features
from support.cards import JACKS, SHORT, certified

PRINTED = [
    "a hand of five that pays 25 or more",
    "four or five to a royal flush",
    "a hand of five that pays 4 or more",
    "three of a kind",
    "four to a straight flush",
    "two pair",
    "a pair of jacks or higher",
    "three to a royal flush",
    "four to a flush",
    "a pair of 2s or higher",
    "four to an outside straight",
    "two suited high cards, the lowest",
    "three to a straight flush with at most 2 gaps",
    "two high cards, the lowest",
    "a 10 and a suited high card up to the king",
    "one high card, the lowest",
]
"""M. Shackleford, Jacks or Better Simple, wizardofodds.com, whose first and third line are in one."""


def listed(pays, numbers=1):
    listing = HoldCards(Rules(Definition("own", pays)), numbers)
    holds = Holds(listing.rules)
    known = held_features(holds.classes, holds.coins[holds.rank])
    values = [lists.worst_values(holds, conditions, known) for conditions in listing.lines.values()]
    return listing, holds, np.stack(values, axis=1)


@pytest.fixture(scope="module")
def short():
    return listed(SHORT)


def total(found, lines):
    return int(found.losses(lines) @ found.deals)


@pytest.mark.parametrize("first", [0, 9, 19])
def test_no_order_of_any_three_lines_loses_less(short, first, monkeypatch):
    _, holds, values = short
    found = lists.HoldLists(holds, values[:, first::5][:, :8])
    every = {order: total(found, order) for order in permutations(range(found.values.shape[1] - 1), 3)}
    best, least = found.search(3)
    assert total(found, best) == least == min(every.values())
    order = max(every, key=every.get)
    assert found.ordered(list(order))[0] == min(every[other] for other in permutations(order))
    monkeypatch.setattr(lists, "MOST_SETS", 0)
    worse = found.search(3)
    assert worse[1] <= least


def test_the_card_of_a_short_deck_loses_what_its_policy_loses(tmp_path_factory):
    (row,) = certified("draws", tmp_path_factory)[1]
    bench = HoldBench("", Rules(Definition("own", SHORT)), {})
    loss = bench.losses(bench.named(row["policy"])).loss
    assert row["cost"] == pytest.approx(loss.sum(), abs=1e-12) and row["proved"] and row["least_cost"] == row["cost"]
    assert row["card"].count("; ") == 3 and row["card"].endswith("; otherwise nothing.")


@pytest.mark.slow
def test_the_best_list_loses_less_than_the_printed_one_of_the_same_length():
    listing, holds, values = listed(JACKS)
    found = lists.HoldLists(holds, values)
    names = [*listing.lines]
    printed = total(found, [names.index(name) for name in PRINTED])
    best = int(found.best @ found.deals)
    assert f"{100 * (best - printed) / holds.games:.2f}" == "99.46"
    cost, lines = found.improved(len(PRINTED))
    assert cost == total(found, lines) < printed
    cost, lines = found.improved(len(PRINTED) - 1)
    assert cost == total(found, lines) < printed
