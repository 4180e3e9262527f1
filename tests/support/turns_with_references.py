"""Helpers for race, reach and duel: turns with their references, and one turn in plain rationals."""

from fractions import Fraction
from functools import cache

from dicebase.games import pig, ten_thousand
from dicebase.solvers.turns.compiled import CompiledTurn, compile_turn
from dicebase.vocabulary import Definition, Loss, Roll, Turn
from reference import matches
from reference.matches_ten_thousand import ten_thousand as plain_ten_thousand
from reference.turn import roll_worth
from support.random_turns import MadeUp, always

# Table 1 of Crocce & Mordecki (2014).
POINTS = {"1": 100, "5": 50} | {str(face) * 3: 100 * face for face in range(2, 7)} | {"111": 1000}
LOST = always(Roll(1, "", loss=Loss.BUST))


@cache
def compiled_pig(sides: int = 6, dice: int = 1) -> CompiledTurn:
    return compile_turn(pig.Rules(sides, dice))


@cache
def compiled_ten_thousand() -> CompiledTurn:
    return compile_turn(ten_thousand.Rules(Definition("paper", {"dice": 5, "combinations": POINTS})))


def with_reference(game: str, *parameters: int) -> tuple[CompiledTurn, matches.Turn]:
    """A compiled turn and the turn of the reference, which enumerates its rolls by itself; both in the same units."""
    if game == "ten_thousand":
        return compiled_ten_thousand(), plain_ten_thousand()
    turn = compiled_pig(*parameters)
    plain = matches.pig(*parameters)
    return turn, matches.Turn(turn.unit, plain.start, plain.rolls)


def in_rationals(
    rules: Turn, turn: CompiledTurn, bank: list[Fraction], *, win, bust, wipe, choose=max
) -> dict[tuple[int, int], Fraction]:
    """{(turn total in units, mode index): value of rolling} if len(bank) units are missing, directly from the rules.

    bank[t] is the value of banking t units.
    """
    unit = turn.unit

    def ending(total, mode=None):
        return bank[total // unit] if total < len(bank) * unit else win

    W = roll_worth(
        rules,
        [t * unit for t in range(len(bank) - 1, -1, -1)],
        bank=ending,
        end=ending,
        beyond=ending,
        bust=bust,
        wipe=wipe,
        choose=choose,
    )
    return {(total // unit, rules.modes.index(mode)): worth for (total, mode), worth in W.items()}


def lost_at_first() -> CompiledTurn:
    """A turn whose first roll is always lost; only a mode that nobody can choose would score."""
    score = pig.Rules().rolls(0, 0)
    return compile_turn(MadeUp(((LOST.table[0][0], tuple(roll for roll in score if roll.options)),), (1, 0)))
