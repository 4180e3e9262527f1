"""The best cards of a duel: against every card of a small grid, Neller and Presser's card, and altered certificates."""

import random
from itertools import product

import pytest

from dicebase.games.pig import Rules
from dicebase.matches.card_listing import Language
from dicebase.matches.duels.duel_cards import DuelCards
from dicebase.matches.duels.duel_matchups import MatchupsOfTurns
from dicebase.solvers.cards import ranges, search
from dicebase.solvers.plays import evaluate
from dicebase.tabulate.turn_players import TurnPlayers
from dicebase.vocabulary import Definition
from dicebase.vocabulary.formula import formula
from reference import duel_policies
from reference.matches import duel, pig
from support.cards import certified
from support.duel_turns import solved


def players(formulas):
    league = Definition("cards", ["optimal", *({name: text} for name, text in formulas.items())])
    return TurnPlayers(MatchupsOfTurns(Rules(3, 1), 15, league))


def losses(formulas):
    """1 minus twice the mean probability of winning against optimal play, of each formula."""
    own = players({f"card_{i}": text for i, text in enumerate(formulas)})
    optimal, number = own.play_of(own.policy("optimal")), len(formulas)
    found = (evaluate(own.play_of(own.policy(f"card_{i}")), optimal) for i in range(number))
    return [Y[0, 0] - X[0, 0] for X, Y in found]


def test_no_card_of_a_small_grid_is_cheaper(tmp_path_factory):
    rows = certified("duel", tmp_path_factory)[1]
    forms = {
        "goal": "target if me >= {} else {}",
        "pace": "target if max(me, opponent) >= {} else {}",
        "together": "target if me + opponent >= {} else {}",
    }
    assert [row["language"] for row in rows] == [*forms]
    for row in rows:
        form, most = forms[row["language"]], {"together": 30}.get(row["language"], 15)
        every = [form.format(a, b) for a, b in product(range(1, most + 1), range(1, 16))]
        found = [x for i in range(0, len(every), 25) for x in losses(every[i : i + 25])]
        assert row["cost"] == pytest.approx(min(found), abs=1e-12) and row["proved"]
        assert 0 < row["least_cost"] <= row["cost"] < row["worst_case"]
        assert losses([row["policy"].removeprefix("hold_at ")]) == pytest.approx([row["cost"]], abs=1e-12)


def test_the_costs_are_those_of_value_iteration(tmp_path):
    (row,) = solved("pig_duel_cards", {"sides": 3, "dice": 1, "target": 12, "numbers": 1}, tmp_path)[1]
    assert row["policy"] == "hold_at 6" and row["card"] == "Hold at 6."
    card = (lambda me, opponent, total, _: total < 6), lambda *state: state[2]
    _, decisions = duel(pig(3), 12)
    best = (lambda *state: decisions[state][0] - decisions[state][1] > 1e-12), lambda *state: max(decisions[state])
    assert row["cost"] == pytest.approx(1 - sum(duel_policies.matchup(pig(3), 12, card, best)), abs=1e-12)
    response = duel_policies.matchup(pig(3), 12, duel_policies.BEST, card)
    assert row["worst_case"] == pytest.approx(sum(response) - 1, abs=1e-12)


@pytest.mark.slow
def test_neller_and_pressers_card_is_the_best_with_three_numbers(tmp_path):
    """Practical play of the dice game Pig (2010): 21 plus an eighth of the difference, race from 71, 0.9 % behind."""
    row = solved("pig_duel_cards", {"sides": 6, "dice": 1, "target": 100, "numbers": 3}, tmp_path)[1][0]
    assert row["policy"] == "hold_at target if max(me, opponent) >= 71 else 21 + (opponent - me + 8 // 2) // 8"
    assert row["proved"] and f"{100 * row['cost']:.4f}" == "0.9219"


def test_the_search_finds_the_least_of_all_cards():
    draw = random.Random(3)
    for _ in range(20):
        a, b, c = (draw.randrange(1, 40) for _ in range(3))
        grid = {"x": (1, 40, 1), "y": (2, 40, 2), "z": (1, 9, 1)}

        def cost(x, y, z, a=a, b=b, c=c):
            return abs(x - a) + abs(y - b) / 3 + (x + z - c) % 5

        def bound(_, box, a=a, b=b):
            (x, x2), (y, y2), _ = box.values()
            if all(low == high for low, high in box.values()):
                return cost(*(low for low, _ in box.values()))
            return max(0, x - a, a - x2) + max(0, y - b, b - y2) / 3

        found = search([grid], bound, 100_000)
        every = [cost(*of) for of in product(*(range(low, high + 1, by) for low, high, by in grid.values()))]
        assert found.cost == found.least == min(every) == cost(**found.card[1])


@pytest.mark.parametrize("numbers", [3, 4, 5])
def test_ranges_contain_every_card(numbers):
    draw, languages = random.Random(numbers), DuelCards(Rules(6, 1), 100, numbers).languages
    for (language,) in languages.values():
        for _ in range(200):
            box = {n: sorted(draw.randint(low, high) for _ in "12") for n, (low, high, _) in language.numbers.items()}
            me, opponent = draw.randrange(100), draw.randrange(100)
            here = {"me": (me, me), "opponent": (opponent, opponent), "target": (100, 100)}
            text = language.filled({name: draw.randint(*ends) for name, ends in box.items()})
            value = formula(text, (*here,), "")(me, opponent, 100)
            assert any(low <= value <= high for low, high, there in ranges(language.formula, here | box) if there)


def test_a_card_is_read_from_its_formula():
    language = Language("goal if me >= race else hold + (me + part // 2) // part", "", {})
    language = language._replace(numbers={"race": (1, 50, 1), "hold": (5, 50, 5), "part": (1, 9, 1)})
    numbers = {"race": 30, "hold": 20, "part": 8}
    text = language.filled(numbers)
    assert text == "goal if me >= 30 else 20 + (me + 8 // 2) // 8" and language.read(text) == numbers
    for wrong in (text.replace("8 // 2", "7 // 2"), text.replace("20", "21"), text.replace("30", "60"), f"{text} "):
        assert language.read(wrong) is None
