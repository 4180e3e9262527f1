"""Blackjack: printed values, plain enumeration in small shoes, and certificates that refuse a small error."""

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache

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
from dicebase.vocabulary import PLAYS, ConfigurationError, DealerGame, dealer_draws
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


# --- plain enumeration ------------------------------------------------------------------------------------------------


@cache
def played_without(rules, rank):
    """The values of plays if one more card of a rank is gone, by which the hands of a split pair are played."""
    return q_values(certified(replace(rules, counts=tuple(n - (r == rank) for r, n in enumerate(rules.shoe))))[1])


def plain_split(rules: DealerGame, rank: str, dealer: str, most: int) -> Fraction:
    """The value of a split pair, by playing all hands in turn from every order of the cards: each hand gets its second
    card when its turn comes, and pairs are split again at once."""
    up, pair = rules.ranks.index(dealer), rules.ranks.index(rank)
    q = played_without(rules, pair)
    zero = (0,) * len(rules.ranks)
    add = lambda cards, r: (*cards[:r], cards[r] + 1, *cards[r + 1 :])  # noqa: E731

    def play_of(hand):
        values = q[rules.named(hand), dealer]
        return max([a for a in rules.actions(hand, split=sum(hand) == 2) if a in values], key=values.__getitem__)

    @cache
    def dealer_value(left, cards, done) -> Fraction:
        points = rules.points(cards)
        if sum(cards) > 1 and not (points.total <= 21 and rules.dealer_draws(points)):
            if rules.is_natural(cards):
                return Fraction(-sum(bet for _, bet in done))
            total = points.total if points.total <= 21 else 0
            return Fraction(sum(bet * ((mine > total) - (mine < total)) for mine, bet in done))
        hidden = [r for r in range(len(left)) if left[r] and not (sum(cards) == 1 and peeked(cards, r))]
        weight = sum(left[r] for r in hidden)
        return sum(Fraction(left[r], weight) * dealer_value(minus(left, r), add(cards, r), done) for r in hidden)

    def peeked(cards, r):
        return rules.peeks and rules.is_natural(add(cards, r))

    def minus(left, r):
        return *left[:r], left[r] - 1, *left[r + 1 :]

    @cache
    def play(left, hand, waiting, count, done) -> tuple[Fraction, Fraction]:
        """(Sum over the cards that may follow of their weight times the value, sum of the weights): the weight of an
        order is the chance that the dealer hides a card that it may."""
        if hand is None:
            if waiting == 0:
                ways = Fraction(sum(n for r, n in enumerate(left) if not peeked(add(zero, up), r)), sum(left))
                return (ways * dealer_value(left, add(zero, up), done) if ways else Fraction(0)), ways
            return play(left, add(zero, pair), waiting - 1, count, done)
        size, points = sum(hand), rules.points(hand)
        if size == 2 and hand[pair] == 2 and count < most:
            return play(left, add(zero, pair), waiting + 1, count + 1, done)
        stays = size == 2 and (rules.one_card(pair) or rules.is_natural(hand))
        act = "hit" if size == 1 else "stand" if stays else play_of(hand)
        if act == "stand":
            return play(left, None, waiting, count, tuple(sorted((*done, (points.total, 1)))))
        value = weight = Fraction(0)
        for r, n in enumerate(left):
            if n:
                more, chance = add(hand, r), Fraction(n, sum(left))
                total = rules.points(more).total
                if total > 21 or act == "double":
                    bet = 2 if act == "double" else 1
                    after = tuple(sorted((*done, (total if total <= 21 else -1, bet))))
                    one, ways = play(minus(left, r), None, waiting, count, after)
                else:
                    one, ways = play(minus(left, r), more, waiting, count, done)
                value, weight = value + chance * one, weight + chance * ways
        return value, weight

    left = minus(minus(minus(rules.shoe, up), pair), pair)
    value, weight = play(left, add(zero, pair), 1, 2, ())
    kept = sum(n for r, n in enumerate(left) if not peeked(add(zero, up), r))
    assert weight == Fraction(kept, sum(left)), "the shoe runs out"
    return value / weight


SHOES = {
    "peeks": SmallShoe(counts=shoe(A=3, T=20, r8=4, r3=2)),
    "no peek": SmallShoe(counts=shoe(A=3, T=20, r8=4), peek="no"),
    "aces again": SmallShoe(counts=shoe(A=5, T=20, r9=4), resplit_aces="yes", soft_17="hit"),
    "aces hit": SmallShoe(counts=shoe(A=4, T=20, r6=6), resplit="3", hit_split_aces="yes", surrender="yes"),
    "no double": SmallShoe(counts=shoe(T=20, r6=5, r5=4), double="9_to_11", double_after_split="no"),
}


@pytest.mark.parametrize("name", SHOES)
def test_splits_are_worth_what_plain_enumeration_finds(name):
    rules = SHOES[name]
    _, published, finding = certified(rules)
    q, compared = q_values(published), 0
    for (hand, dealer), values in q.items():
        if "split" in values:
            rank = hand.split()[0]
            most = {2, rules.most_hands(rules.ranks.index(rank))}
            plain = max(plain_split(rules, rank, dealer, n) for n in most)
            assert abs(values["split"] - plain) <= finding.bound, (hand, dealer)
            compared += 1
    assert compared >= 4


def test_the_dealers_draws_are_counted_as_in_an_enumeration_of_a_deck_of_20_cards():
    rules = SmallShoe(counts=shoe(A=2, T=5, r9=3, r7=2, r5=3, r4=2, r2=3))
    left = {r: n - (r == 1) for r, n in enumerate(rules.shoe)}

    @cache
    def enumerated(drawn):
        """{cards drawn in order: probability} after these cards."""
        points = rules.points(tuple(drawn.count(r) + (r == 1) for r in range(10)))
        if drawn and not (points.total <= 21 and rules.dealer_draws(points)):
            return {drawn: Fraction(1)}
        found = {}
        for r, n in left.items():
            if n > drawn.count(r):
                for more, chance in enumerated((*drawn, r)).items():
                    found[more] = chance * Fraction(n - drawn.count(r), sum(left.values()) - len(drawn))
        return found

    expected = {}
    for drawn, chance in enumerated(()).items():
        cards = tuple(map(drawn.count, range(10)))
        expected[drawn[0], cards] = expected.get((drawn[0], cards), 0) + chance
    counted = {}
    for first, draws in dealer_draws(rules, 1).items():
        for cards, orders in draws.items():
            ways = math.prod(math.perm(left[r], k) for r, k in enumerate(cards))
            counted[first, cards] = Fraction(orders * ways, math.perm(19, sum(cards)))
    assert {key: chance for key, chance in counted.items() if chance} == expected
    assert sum(expected.values()) == 1


# --- certificates -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [ByCards, ByTotals])
def test_a_certificate_refuses_an_error_of_1e_9(kind):
    *_, finding = certified(SHOES["aces hit"], kind)
    assert finding.residual < finding.bound < 1e-9
    for action in PLAYS:
        listing, altered, _ = certified(SHOES["aces hit"], kind)
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


@pytest.mark.slow
def test_surrender_is_late_and_loses_the_whole_bet_to_a_blackjack_that_comes_later():
    with_peek = solved("blackjack_return", {"surrender": "yes"}).actions["10 6", "10"]["surrender"]
    without = solved("blackjack_return", {"surrender": "yes", "peek": "no"}).actions["10 6", "10"]["surrender"]
    assert with_peek["q_value"] == -0.5
    assert without["q_value"] == pytest.approx(-0.5 - 0.5 / 13, abs=1e-12)


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


# --- an independent program -------------------------------------------------------------------------------------------

HOUSES = [
    ({}, reference.Rules()),
    (
        {"soft_17": "hit", "peek": "no", "surrender": "yes", "resplit_aces": "yes", "double": "9_to_11"},
        reference.Rules(hit_soft_17=True, peek=False, surrender=True, resplit_aces=True, double="9_to_11"),
    ),
    ({"decks": "1"}, reference.Rules(decks=1)),
    (
        {"decks": "1", "soft_17": "hit", "peek": "no", "hit_split_aces": "yes", "double_after_split": "no"},
        reference.Rules(decks=1, hit_soft_17=True, peek=False, hit_split_aces=True, double_after_split=False),
    ),
]


@pytest.mark.slow
@pytest.mark.parametrize(("variant", "house"), HOUSES, ids=[str(variant) for variant, _ in HOUSES])
def test_the_whole_table_has_the_values_of_an_independent_program(variant, house):
    table = solved("blackjack_return", variant)
    assert len(table.actions) > 19_000
    for (hand, dealer), rows in table.actions.items():
        up, *cards = (int(rank.replace("A", "1")) for rank in (dealer, *hand.split()))
        cards, deck = tuple(sorted(cards)), house.without(house.deck, up, *cards)
        two = len(cards) == 2
        values = reference.first_hand(house, cards, up) if two else reference.plays(house, deck, up, cards, False)
        assert rows.keys() == values.keys(), (hand, dealer)
        for play, value in values.items():
            assert abs(rows[play]["q_value"] - value) <= table.certificate.error_bound, (hand, dealer, play)
    assert abs(table.certificate.value - reference.game(house)) <= table.certificate.error_bound
