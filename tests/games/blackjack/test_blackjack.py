"""Blackjack: printed values, an independent program in small and whole shoes, and certificates that refuse a small
error."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pyarrow as pa
import pytest

from dicebase.audit.record import read
from dicebase.certify.dealer.hands import check
from dicebase.certify.published import CertificationError
from dicebase.certify.published import Published as Rows
from dicebase.games.blackjack import Rules
from dicebase.matches.deals.dealer import ByCards, ByTotals, read_ranks
from dicebase.tabulate.dealer import hands as tabulated
from dicebase.vocabulary import PLAYS, ConfigurationError
from reference import blackjack as reference
from support.contract import Contract, Published
from support.contract_boards import solved
from support.faults import fail

HUNDREDTH = Fraction(1, 100)


class TestBlackjack(Contract):
    game = "blackjack"
    match = "return"
    published = (Published("M. Shackleford, Blackjack appendix 1, wizardofodds.com", {}, "-0.511734", HUNDREDTH),)

    def value(self, variant):
        certificate = solved("blackjack_return", variant).certificate
        return certificate.value, certificate.error_bound


@dataclass(frozen=True)
class SmallShoe(Rules):
    """Blackjack with a shoe of a few cards."""

    counts: tuple[int, ...] = ()

    infinite = False
    shoe = property(lambda self: self.counts)


def shoe(**counts):
    """The number of cards of each rank: shoe(A=2, T=5)."""
    return tuple(counts.get({"10": "T"}.get(rank, f"r{rank}" if rank != "A" else "A"), 0) for rank in Rules.ranks)


def certified(rules, kind=ByCards):
    """The listing of some rules, its rows as the certifier reads them, and what it finds."""
    listing = kind(rules)
    (rows,) = tabulated(listing)
    states = {n: np.array(x.to_pylist() if isinstance(x, pa.Array) else x) for n, x in rows.states.items()}
    states["margin"] = states["margin"].astype(float)
    keys = {c.name: np.repeat(states[c.name], rows.counts) for c in listing.columns}
    actions = keys | {n: np.array(x.to_pylist()) for n, x in rows.beside.items()}
    published = Rows(listing, states, actions)
    return listing, published, check(listing, published, fail)


def q_values(published):
    """{row: {action: value}}."""
    found = {}
    columns = *published.keys_of_actions, *published.actions_between(0, None, ["action", "q_value"])
    for *key, action, q in zip(*columns, strict=True):
        found.setdefault(tuple(key), {})[str(action)] = float(q)
    return found


# --- printed values ---------------------------------------------------------------------------------------------------

APPENDIX_9 = {
    "one deck, stands on soft 17": {"decks": "1"},
    "one deck, hits soft 17": {"decks": "1", "soft_17": "hit"},
    "six decks, hits soft 17, no hole card": {"decks": "6", "soft_17": "hit", "peek": "no"},
}


@pytest.mark.slow
@pytest.mark.parametrize("place", APPENDIX_9)
def test_first_hands_have_the_values_that_appendix_9_prints(place):
    printed = [row for row in read("blackjack") if row["place"] == place]
    table = solved("blackjack_return", APPENDIX_9[place])
    actions = table.actions
    found = [actions[read_ranks(row["hand"]), row["dealer"]][row["action"]]["q_value"] for row in printed]
    off = {row["printed"] for row, q in zip(printed, found, strict=True) if round(q, 6) != float(row["printed"])}
    assert len(printed) >= 45 and off == ({"-0.577735"} if place == "one deck, hits soft 17" else set())
    assert max(abs(q - float(row["printed"])) for row, q in zip(printed, found, strict=True)) < 1e-6
    rules = {"soft_17": "stand", "peek": "yes", "double_after_split": "yes"} | APPENDIX_9[place]
    (returned,) = (r for r in read("blackjack_edges") if r["place"] == "returns" and rules.items() <= r.items())
    assert 1e-6 < abs(table.certificate.value - float(returned["printed"])) < 1e-5


# --- an independent program -------------------------------------------------------------------------------------------

HOUSES = [
    {},
    {"soft_17": "hit", "peek": "no", "surrender": "yes", "resplit_aces": "yes", "double": "9_to_11"},
    {"decks": "1"},
    {"decks": "1", "soft_17": "hit", "peek": "no", "hit_split_aces": "yes", "double_after_split": "no"},
]
SHOES = {
    "peeks": (shoe(A=3, T=20, r8=4, r3=2), {}),
    "no peek": (shoe(A=3, T=20, r8=4), {"peek": "no"}),
    "aces again": (shoe(A=5, T=20, r9=4), {"resplit_aces": "yes", "soft_17": "hit"}),
    "aces hit": (shoe(A=4, T=20, r6=6), {"resplit": "3", "hit_split_aces": "yes", "surrender": "yes"}),
    "no double": (shoe(T=20, r6=5, r5=4), {"double": "9_to_11", "double_after_split": "no"}),
}


def small(name):
    """The rules of a small shoe."""
    cards, house = SHOES[name]
    return SmallShoe(counts=cards, **house)


def stated(house, cards=()):
    """A house, perhaps with a small shoe, as the independent program has it."""
    words, names = {"yes": True, "no": False, "hit": True}, {"soft_17": "hit_soft_17", "resplit": "hands"}
    said = {names.get(name, name): words.get(x, int(x) if x.isdigit() else x) for name, x in house.items()}
    return reference.Rules(cards=cards[:1] + cards[:0:-1], **said)  # from ace to ten


def compare(rules, plays, bound):
    """Compare {(hand, dealer): {play: value}} with the independent program."""
    for (hand, dealer), found in plays.items():
        up, *cards = (int(rank.replace("A", "1")) for rank in (dealer, *hand.split()))
        cards, deck, two = tuple(sorted(cards)), rules.without(rules.deck, up, *cards), len(cards) == 2
        values = reference.first_hand(rules, cards, up) if two else reference.plays(rules, deck, up, cards, False)
        assert found.keys() == values.keys(), (hand, dealer)
        for play, value in values.items():
            assert abs(found[play] - value) <= bound, (hand, dealer, play)


@pytest.mark.slow
@pytest.mark.parametrize("house", HOUSES, ids=str)
def test_the_whole_table_has_the_values_of_an_independent_program(house):
    table = solved("blackjack_return", house)
    bound = table.certificate.error_bound
    assert len(table.actions) > 19_000
    plays = {state: {play: row["q_value"] for play, row in rows.items()} for state, rows in table.actions.items()}
    compare(stated(house), plays, bound)
    assert abs(table.certificate.value - reference.game(stated(house))) <= bound


@pytest.mark.parametrize("name", SHOES)
def test_small_shoes_have_the_values_of_an_independent_program(name):
    _, published, finding = certified(small(name))
    cards, house = SHOES[name]
    plays = q_values(published)
    compare(stated(house, cards), plays, finding.bound)
    assert sum("split" in values for values in plays.values()) >= 4


# --- certificates -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [ByCards, ByTotals])
def test_a_certificate_refuses_an_error_of_1e_9(kind):
    *_, finding = certified(small("aces hit"), kind)
    assert finding.residual < finding.bound < 1e-9
    for action in PLAYS:
        listing, altered, _ = certified(small("aces hit"), kind)
        altered.actions["q_value"][int((altered.actions["action"] == action).argmax())] += 1e-9
        with pytest.raises(CertificationError):
            check(listing, altered, fail)


@pytest.mark.slow
def test_the_strategy_by_totals_costs_nothing_with_an_infinite_deck_and_something_with_one_deck():
    values = {decks: [solved(f"blackjack_{match}", {"decks": decks}).certificate for match in ("return", "totals")]
              for decks in ("1", "infinite")}  # fmt: skip
    by_cards, by_totals = values["infinite"]
    assert abs(by_cards.value - by_totals.value) <= by_cards.error_bound + by_totals.error_bound
    by_cards, by_totals = values["1"]
    assert 0.0001 < by_cards.value - by_totals.value < 0.0004


# --- rules ------------------------------------------------------------------------------------------------------------


def test_a_hand_is_typed_in_any_order_with_court_cards():
    assert read_ranks("6,K") == "10 6"
    assert read_ranks("Qh As 2d 2d") == "A 10 2 2"
    with pytest.raises(ConfigurationError, match="'1' is not a card"):
        read_ranks("1 6")


def test_a_missing_hand_says_why():
    listing = ByCards(Rules(decks="1"))
    assert "settled at once" in listing.why_missing(("A 10", "6"))
    assert "more than 21" in listing.why_missing(("10 9 8", "6"))
    assert "does not have" in listing.why_missing(("6 6 6", "6"))
    assert "does not have" not in listing.why_missing(("6", "6"))
