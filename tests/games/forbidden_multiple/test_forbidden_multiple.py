"""The forbidden multiple: the web page's output, its program, exact values, and where the value is finite."""

from fractions import Fraction
from functools import cache

import pytest

from dicebase.games.forbidden_multiple import Rules
from dicebase.matches.turns.turn import BestTurn
from dicebase.solvers import reference
from dicebase.tabulate.turns import complete
from dicebase.tabulate.turns import turn as tabulate_turn
from dicebase.vocabulary import sums
from reference import forbidden_multiple as page
from support.contract import Published, TurnRulesContract
from support.contract_turns import read_rows
from support.printed import read

SIDES = (4, 6, 8, 10, 12, 20)


@cache
def production(multiple: int = 10, sides: int = 6, dice: int = 1) -> tuple[BestTurn, dict]:
    """A variant and its table, {(total,): (actions, ranked, _)}."""
    game = complete(BestTurn(Rules(multiple, sides, dice)))
    return game, read_rows(next(tabulate_turn(game)))


class TestForbiddenMultiple(TurnRulesContract):
    game = "forbidden_multiple"
    small = (
        {"multiple": 10},
        {"multiple": 2},
        {"multiple": 3},
        {"multiple": 7},
        {"multiple": 12, "dice": 2},
        {"multiple": 23, "sides": 4},
        {"multiple": 17, "sides": 20},
        {"multiple": 5, "sides": 2, "dice": 2},
    )
    published = (
        Published("the web page, output: S = 0", {"multiple": 10}, "13.217"),
        # At 1 the coin leads to 2, which loses, or to 3, where the player stops: 3/2. The start leads to 1 or loses.
        Published("a coin that must not make 2, by hand", {"multiple": 2, "sides": 2}, Fraction(3, 4)),
    )


def test_multiples_are_terminal_and_not_stored():
    game, table = production()
    assert not any(total and total % 10 == 0 for (total,) in table)
    assert "the game is lost, there is nothing to decide" in game.why_missing((20,))
    assert table[0,][0] == ["roll"], "0 is no positive multiple; the first roll is compulsory"


def test_no_remainder_of_the_page_is_tied_but_other_multiples_have_ties():
    """The page says that ties have measure zero, but totals are whole numbers, and some are tied for N = 3 and 7."""
    tied = {
        multiple: [s for (s,), (_, ranked, _) in production(multiple)[1].items() if ranked.margin == 0]
        for multiple in (3, 7, 10)
    }
    assert tied == {3: [7, 8], 7: [15, 16, 17, 18, 19, 20], 10: []}


def test_with_remainder_1_2_or_3_one_never_stops_so_no_total_is_past_all_rolling():
    """The page says 'past some point you always prefer to stop', and sets V(S) = S from S_max on."""
    game, _ = production()
    # 0 is only the start, never a remainder that play comes back to.
    assert {phase for phase, _ in game.continuation.safe} == {0, 1, 2, 3}
    w = {r: game.continuation.worth[r, 0] for r in range(10)}
    # By hand: from 3 the player lands on 4 to 9 and stops; from 2 on 3 to 8, from 1 on 2 to 7, and rolls at 2 and 3.
    assert w[3] == Fraction(7, 2)
    assert w[2] == Fraction(7, 2) + w[3] / 6 == Fraction(49, 12)
    assert w[1] == Fraction(7, 2) + (w[2] + w[3]) / 6 == Fraction(343, 72)
    assert all(w[r] == 0 for r in range(4, 10))
    # The page's own numbers agree: V(41) = 45.764 is 41 + 343/72.
    printed = {int(row["total"]): row["value"] for row in read("forbidden_multiple_values")}
    assert [Fraction(printed[40 + r]) - 40 - r - w[r] < Fraction(1, 2000) for r in (1, 2, 3)] == [True] * 3


def test_the_pages_boundary_does_no_harm_at_200_but_would_at_other_sizes_it_suggests():
    V = page.exact_by_fractions(10, page.D6, 400)
    wrong = {}
    for s_max in range(150, 201):
        W = page.exact_by_fractions(10, page.D6, s_max)
        if differing := [s for s in range(s_max + 1) if W[s] != V[s]]:
            wrong[s_max] = differing
    assert wrong == {**{s: [s] for s in range(151, 200, 10)}, **{s: [s - 1, s] for s in range(152, 200, 10)}}
    assert V[191] - page.exact_by_fractions(10, page.D6, 191)[191] == Fraction(91, 72)


# If a total is safe across a multiple, as 11 for N = 12 and two dice, the page's boundary is only a lower bound.
EXACT = [
    *((n, s, 1) for s in SIDES for n in (2, 3, 7, 10, 13)),
    *((n, s, 1) for s in (4, 12) for n in (24, 60)),
    *((n, s, 2) for s in SIDES for n in (3, 5, 7)),
    (10, 6, 2),
    (11, 6, 2),
    (23, 12, 2),
]


@pytest.mark.parametrize(("multiple", "sides", "dice"), EXACT)
def test_every_total_equals_the_pages_equation_in_fractions(multiple, sides, dice):
    game, table = production(multiple, sides, dice)
    # A multiple far beyond the cut-off; optimal play stops before it.
    s_max = multiple * (game.last // multiple + 3)
    V = page.exact_by_fractions(multiple, sums(sides, dice).items(), s_max)
    assert reference.solve(game).start == next(tabulate_turn(game)).exact == V[0]
    for (total,), (_, ranked, _) in table.items():
        assert ranked.value == float(V[total])
