"""Double Pig, in which the player must roll again after a double: rules with modes in which stopping is forbidden."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

import pytest

from dicebase.matches.duels.duel import DuelOfTurns
from dicebase.matches.turns.turn import BestTurn
from dicebase.solvers import reference
from dicebase.solvers.turns.compiled import compile_turn
from dicebase.solvers.turns.duel import solve_duel
from dicebase.tabulate.turns import complete
from dicebase.vocabulary import ConfigurationError, Loss, Option, RepeatedTurn, Roll, check_rules, parameter
from support import contract_turns

FREE, AGAIN = 0, 1


@dataclass(frozen=True)
class DoublePig(RepeatedTurn):
    """Two dice; a 1 loses the turn, two 1s lose all points, and after any other double the player must roll again."""

    sides: int = parameter(6, "sides of each die", low=3, high=20)

    modes = (FREE, AGAIN)
    must_roll = (AGAIN,)
    title = citation = "Double Pig"
    stop = "hold"

    def rolls(self, total: int, mode: int) -> Iterator[Roll]:
        for a, b in product(range(1, self.sides + 1), repeat=2):
            if 1 in (a, b):
                yield Roll(1, "", loss=Loss.WIPE if a == b else Loss.BUST)
            else:
                yield Roll(1, "", (Option(a + b, AGAIN if a == b else FREE),))


def but(**said) -> type[DoublePig]:
    """The same rules with other class attributes."""
    return dataclass(frozen=True)(type("Rules", (DoublePig,), said))


def test_a_turn_of_three_sides_by_hand():
    # A roll at t has the value s t + w. Of 9 rolls, 2 lead to holding at t + 5, 2 to rolling at t + 4 and t + 6.
    game = complete(BestTurn(DoublePig(3)))
    assert game.continuation.line((0, AGAIN)) == (Fraction(2, 7), Fraction(90, 49))
    (rows,) = contract_turns.tabulate_turn(game)
    assert rows.exact == Fraction(90, 49)
    assert game.actions((5, FREE)) == ("hold", "roll") and game.actions((4, AGAIN)) == ("roll",)


@pytest.mark.parametrize("least", [0, 9])
def test_a_turn_is_the_reference_solution_state_by_state(least):
    game = complete(BestTurn(but(least_stop=least)(4)))
    contract_turns.check_play(game)
    contract_turns.check_table(game)
    assert all(game.actions(state) == ("roll",) for state in reference.solve(game).value if state[0] < least)


def test_a_duel_is_the_reference_solution():
    rules = DoublePig(3)
    game = DuelOfTurns(rules, 12)
    exact, values = reference.solve(game), solve_duel(compile_turn(rules), 12)
    for me, opponent in game.records():
        assert abs(exact.value[me, opponent, 0, FREE] - Fraction(values[me, opponent])) <= 1e-14


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"must_roll": (2,)}, "must_roll: (2,) are not some of the modes, (0, 1)"),
        ({"least_stop": -1}, "least_stop: -1 is not a whole number from 0"),
        ({"opening": 10}, "opening: not allowed if a player's total can fall back to 0"),
    ],
)
def test_wrong_rules_are_refused(wrong, said):
    check_rules(DoublePig())
    with pytest.raises(ConfigurationError) as error:
        check_rules(but(**wrong)())
    assert said in str(error.value)
