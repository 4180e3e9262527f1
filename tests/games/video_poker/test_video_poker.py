"""Video poker: printed returns and counts, plain enumeration on a short deck, typed hands, and altered tables."""

from fractions import Fraction
from itertools import combinations, combinations_with_replacement
from math import comb
from typing import ClassVar

import pytest
import yaml

import dicebase
from dicebase.games.video_poker import PAIRS, PLAIN, WILD
from dicebase.matches.deals.draws import DrawReturn, read_hand
from dicebase.solvers.draws.holds import Holds
from dicebase.tables.names import find_table
from dicebase.vocabulary import RANKS, SUITS, ConfigurationError, read_cards, write_cards
from reference.video_poker import coins
from support import commands, grids
from support.contract import Contract, Published

PAYS = yaml.safe_load((commands.ROOT / "config/cards.yaml").read_text(encoding="utf-8"))["definitions"]["video_poker"]
JACKS = PAYS["pays"]["jacks_or_better_9_6"]
SHORT = JACKS | {"ranks": "TJQKA", "flush": 20, "four_of_a_kind": 8, "label": "Twenty cards"}
DEFINITIONS = {"pays": {**PAYS["pays"], "short": SHORT}}


class TestVideoPoker(Contract):
    game, match = "video_poker", "return"
    definitions: ClassVar = DEFINITIONS
    published = (Published("9/6 Jacks or Better, many sources", {}, Fraction(1653526326983, 1661102543100)),)


def rules(pays):
    """The rules of a pay table by name, or of a content."""
    named, content = ("mine", pays) if isinstance(pays, dict) else (pays, DEFINITIONS["pays"][pays])
    return find_table("video_poker_return").build_rules({"pays": named}, {"pays": {named: content}})


def test_only_wild_cards_let_the_machine_pay_a_lower_rank_that_pays_more():
    cards = tuple(read_cards("9h 8h 7h 6h 5h"))
    assert rules(JACKS | {"flush": 60}).rank(cards) == "straight_flush"
    assert rules(PAYS["pays"]["deuces_wild_full_pay"] | {"flush": 60}).rank(cards) == "flush"


@pytest.mark.parametrize("pair", [*PAIRS, None])
def test_every_hand_has_the_rank_of_a_separate_program(pair):
    named = WILD if pair is None else [name for name in PLAIN if name == pair or name not in PAIRS]
    pays = dict(zip(named, range(100, 0, -1), strict=False))  # each rank pays a different number of coins
    game = rules(pays if pair else pays | {"wild": "deuces"})
    for ranks in combinations_with_replacement(range(2, 15), 5):
        natural = [rank for rank in ranks if pair or rank > 2]
        if max(map(ranks.count, ranks)) <= 4:
            for suited in {len(natural) == 1, len({*natural}) == len(natural)}:
                suits = [SUITS[0] if suited and rank in natural else SUITS[i % 4] for i, rank in enumerate(ranks)]
                hand = tuple((RANKS[rank - 2], suit) for rank, suit in zip(ranks, suits, strict=True))[::-1]
                assert game.payouts[game.rank(hand)] == coins(ranks, suited, pays, not pair), hand


def plain(game, hand):
    """(coins, final hands) of every hold of a hand, by the cards held, from all final hands of the deck."""
    deck = [(rank, suit) for rank in reversed(game.ranks) for suit in reversed(SUITS)]
    found = {}
    for final in combinations(deck, 5):
        held = frozenset(final) & {*hand}
        coins, many = found.get(held, (0, 0))
        found[held] = coins + game.payouts[game.rank(final)], many + 1
    return found


@pytest.fixture(scope="module")
def short(tmp_path_factory):
    config = yaml.safe_dump(
        {
            "definitions": {"video_poker": {"pays": {"short": SHORT}}},
            "tables": {f"video_poker_{match}": [{"pays": "short"}] for match in ("return", "distribution", "variance")},
        }
    )
    return grids.once(tmp_path_factory, "short_deck", lambda f: grids.build(f / "results", config)) / "results"


def test_every_hold_equals_plain_enumeration(short):
    db, game, total = dicebase.open(short), rules(SHORT), Fraction()
    for hand in ("Jh Jd As Tc Kd", "Th Jc Qd Ks Ac", "As Ks Qs Js Ah", "Tc Td Th Ts Ac"):
        cards = read_cards(hand)
        answer = db.lookup("video_poker_return", hand=hand, pays="short")
        actions = {frozenset(read_cards(a["action"].replace("nothing", ""))): a for a in answer["actions"]}
        expected = {held: Fraction(*counted) for held, counted in plain(game, cards).items()}
        assert {held: a["value"] for held, a in actions.items()} == {held: float(q) for held, q in expected.items()}
        best = max(expected.values())
        assert {held for held, a in actions.items() if a["optimal"]} == {h for h, q in expected.items() if q == best}
        assert not any(a.get("undecided") for a in actions.values())
        total += best
    assert total > 4


@pytest.mark.slow
def test_the_return_and_the_ranks_equal_plain_enumeration(short):
    game, solved = rules(SHORT), Holds(rules(SHORT))
    found = Fraction()
    for hand, deals in zip(solved.classes.cards.tolist(), solved.classes.deals[solved.classes.hands], strict=True):
        cards = [("23456789TJQKA"[(bit.bit_length() - 1) % 13], SUITS[(bit.bit_length() - 1) // 13]) for bit in hand]
        found += int(deals) * max(Fraction(*counted) for counted in plain(game, cards).values())
    assert solved.moment(1) == found / comb(20, 5)


def test_sql_and_lookup_agree_for_any_order_and_any_suits(short):
    db, best = dicebase.open(short), set()
    for hand in ("Jh Jd As Tc Kd", "kD,10c aS jd JH", "K♦ 10♣ A♠ J♦ J♥"):
        answer = db.lookup("video_poker_return", hand=hand, pays="short")
        rows = db.rows(f"SELECT action, q_value, regret, optimal FROM video_poker_return_at('{hand}', pays := 'short')")
        said = [tuple(a[n] for n in ("action", "value", "regret", "optimal")) for a in answer["actions"]]
        assert rows[1] == said
        assert answer["state"]["hand"] == read_hand(hand)
        best.add(frozenset(answer["actions"][0]["action"].split()))
    assert len(best) == 1


def test_the_tables_of_a_pay_table_agree(short):
    db = dicebase.open(short)
    ask = lambda query: db.rows(query)[1][0]  # noqa: E731
    mean, deals = ask("SELECT sum(value * deals) / sum(deals), sum(deals) FROM video_poker_return")
    again, whole, squares = ask(
        "SELECT sum(coins * probability), sum(probability), sum(coins ** 2 * probability) FROM video_poker_distribution"
    )
    one, two = (ask(f"SELECT value FROM video_poker_variance WHERE hands = {n}")[0] for n in (1, 2))
    shared = ask(f"SELECT sum((value - {mean}) ** 2 * deals) / sum(deals) FROM video_poker_return")[0]
    assert (deals, again, whole) == (comb(20, 5), pytest.approx(mean, rel=1e-14), pytest.approx(1, rel=1e-14))
    assert (one, two - one) == (pytest.approx(squares - mean**2, rel=1e-12), pytest.approx(shared, rel=1e-12))


def test_a_hand_that_was_played_is_judged(short, tmp_path):
    record, hand = tmp_path / "hands.csv", "Jh Jd As Tc Kd"
    actions = dicebase.open(short).lookup("video_poker_return", hand=hand, pays="short")["actions"]
    best, second = actions[0]["action"], " ".join(reversed(actions[1]["action"].split()))
    record.write_text(f"video_poker_return pays=short\nhand,action\n{hand},{best}\n{hand},{second}\n")
    review = dicebase.open(short).review(record)
    assert [step["loss"] for step in review["steps"]] == [0, actions[1]["regret"]]
    assert (review["steps"][1]["best"], review["result"]) == (best, actions[0]["value"] + actions[1]["value"])
    record.write_text("video_poker_return pays=short\nhand,action\nJh Jd As Tc Kd,Qh\n")
    with pytest.raises(ConfigurationError, match="line 3: action 'Qh' is not allowed; possible are"):
        dicebase.open(short).review(record)


@pytest.mark.parametrize(
    ("hand", "what"),
    [
        ("Jh Jd As Tc Jh", "Jh is in the hand twice"),
        ("Jh Jd As Tc 1h", "'1h' is not a card; a card is a rank of"),
        ("Jh Jd As Tc", "'Jh Jd As Tc' has 4 cards, not 5"),
        ("Jh Jd As Tc K", "'K' has no suit; give Kc, Kd, Kh or Ks"),
    ],
)
def test_a_wrong_hand_is_refused_in_one_line(short, hand, what):
    db = dicebase.open(short)
    for ask in (db.lookup, lambda table, **given: db.lookup_many(table, [given])):
        with pytest.raises(ConfigurationError) as error:
            ask("video_poker_return", hand=hand, pays="short")
        assert f"video_poker_return: hand: {what}" in str(error.value)


@pytest.mark.parametrize(
    ("pays", "what"),
    [
        ({"royal_flush": 800}, "'straight_flush' is missing; it needs royal_flush, straight_flush, four_of_a_kind"),
        ({n: x for n, x in JACKS.items() if n != "jacks_or_better"}, "needs one of tens_or_better, jacks_or_better"),
        (JACKS | {"five_of_a_kind": 1}, "'five_of_a_kind' is not a rank of a hand"),
        (JACKS | {"flush": 5.5}, "flush: 5.5 is not a whole number from 0 to 100000"),
        (JACKS | {"wild": "jokers"}, "wild: 'jokers' is not deuces"),
        (JACKS | {"ranks": "AK"}, "ranks: 'AK' is not five or more neighbours"),
        (["x"], "['x'] is not a pay table"),
    ],
)
def test_a_wrong_pay_table_is_refused_in_one_line(pays, what):
    with pytest.raises(ConfigurationError) as error:
        made = find_table("video_poker_return").build_rules({"pays": "mine"}, {"pays": {"mine": pays}})
        assert made.payouts != made.ranks
    assert str(error.value).startswith("pays 'mine'") and what in str(error.value)


def test_a_listing_explains_a_card_that_the_deck_lacks():
    assert DrawReturn(rules("short")).why_missing(()) == "the deck has the ranks T J Q K A in four suits"
    assert write_cards(read_cards("10♥️ 2C")) == "Th 2c"
