"""Crocce and Mordecki's states and moves, by the rules and the production solver of dicebase.

In the paper a configuration is (f, o, t), and a state is (tau, i, n): tau chips after the roll, including the score of
i. Here a state is (points before the roll, dice of the roll); one chip is 50 points.
"""

from collections import Counter
from fractions import Fraction
from functools import cache

from dicebase.games.ten_thousand import Rules
from dicebase.matches.turns.turn import BestTurn
from dicebase.solvers.turns.compiled import compile_turn
from dicebase.solvers.turns.exact_turn import solve_exactly
from dicebase.tabulate.turns import turn as tabulate_turn
from dicebase.vocabulary import Definition
from reference import ten_thousand as paper
from support.contract_turns import read_rows
from support.grids import DEFAULT

TABLE = DEFAULT["definitions"]["ten_thousand"]["rules"]["crocce_mordecki"]
CHIP = 50
MOVES = {
    "stop_roll": (),
    "m5": ("m5",),
    "m5_m1": ("m5", "m1"),
    "m5_m1_m55": ("m5", "m1", "m55"),
    "m5_m1_m55_m51": ("m5", "m1", "m55", "m51"),
    "all": paper.MOVES,
}
ACTIONS = {"": "r", "5": "m5", "1": "m1", "55": "m55", "15": "m51"}  # by the dice resigned


def rules(moves: str = "all") -> Rules:
    return Rules(Definition("crocce_mordecki", TABLE), moves)


@cache
def rolled(moves: str = "all") -> dict[tuple[int, int], Fraction]:
    """V_r(tau, n) in chips by the production solver, below Theorem 4.1(b)'s boundary V = tau from 56 on."""
    turn = compile_turn(rules(moves))
    tail = [[Fraction(tau)] * len(turn.modes) for tau in range(paper.TAU_STAR, paper.TAU_STAR + turn.max_gain)]
    solved = solve_exactly(turn, paper.TAU_STAR, tail)
    return {(tau, n): Fraction(*solved[tau][turn.modes.index(n)]) for tau in range(paper.TAU_STAR) for n in turn.modes}


@cache
def production() -> dict[tuple[int, str], tuple]:
    """The published table of the whole game: {(points before the roll, dice): (actions, ranking, _)}."""
    return read_rows(next(tabulate_turn(BestTurn(rules()))))


def paper_state(points: int, roll: str) -> tuple[int, tuple[int, int, int], int]:
    """The (tau, i, n) of a state of the published table."""
    i = paper.configuration(tuple(map(int, roll)))
    return points // CHIP + paper.s(i), i, len(roll) - paper.d(i) or paper.DICE


def resigned(roll: str, kept: str) -> str:
    """The scoring dice of a roll that a player puts back, as sorted digits."""
    f, o, t = paper.configuration(tuple(map(int, roll)))
    scoring = Counter({"5": f, "1": o, str(t): 3 if t else 0})
    return "".join(sorted((scoring - Counter(kept)).elements()))


def action_name(roll: str, action: str) -> str:
    """An action of a roll in the paper's letters: s, r or a move."""
    kept = action.removeprefix("keep ").split(",")[0]
    given_up = resigned(roll, kept)
    if action.endswith("bank"):
        return "s" if not given_up else "less than s"
    return ACTIONS.get(given_up, f"m{given_up}")


def q_values(tau: int, i: tuple, n: int) -> dict[str, Fraction]:
    """The value of each action by equation (3*) over the production solver's V_r, also in states that play never
    reaches."""
    q = {"s": Fraction(tau), "r": rolled()[tau, n]}
    if n != paper.DICE:
        for j in paper.smaller(i):
            after = tau - paper.s(i) + paper.s(j)
            if after >= 0:
                q[paper.move_name(i, j)] = rolled()[after, n + paper.d(i) - paper.d(j)]
    return q
