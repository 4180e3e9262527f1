"""Crocce and Mordecki's states and moves, by the rules and the production solver of dicebase.

A configuration is (f, o, t), a state (tau, i, n) is the paper's: tau chips after the roll, the score of i included.
Here a state is (points before the roll, dice of the roll); one chip is 50 points.
"""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache

from dicebase.games.ten_thousand import Rules
from dicebase.matches.turn import BestTurn
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

# The columns of Table 6: dice to roll, and the configurations they stand for.
ONE_DIE = [(1, 0, 0), (0, 1, 0)]
COLUMNS = {
    "n4": (4, ONE_DIE),
    "n3_200_110": (3, [(2, 0, 0), (1, 1, 0)]),
    "n3_020": (3, [(0, 2, 0)]),
    "n3_other": (3, ONE_DIE),
    "n2_210": (2, [(2, 1, 0)]),
    "n2_120": (2, [(1, 2, 0)]),
    "n2_200_110": (2, [(2, 0, 0), (1, 1, 0)]),
    "n5": (5, [i for n in range(1, 6) for i in paper.scoring(n) if paper.d(i) == n]),
}


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


@cache
def dice_of(configuration: tuple[int, int, int], n: int) -> tuple[str, ...]:
    """The rolls of n dice, as sorted digits, that show this configuration."""
    return tuple(r.dice for r in rules().rolls(0, n) if paper.configuration(tuple(map(int, r.dice))) == configuration)


def thrown(i: tuple, n: int) -> int:
    """The dice of the roll that gave i and leaves n to roll."""
    return paper.d(i) if n == paper.DICE else n + paper.d(i)


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


def published(tau: int, i: tuple, n: int) -> Iterator[tuple[float, str]]:
    """(points, action) of each state of the published table that is (tau, i, n); none if play never gets there."""
    for roll in dice_of(i, thrown(i, n)):
        state = (tau - paper.s(i)) * CHIP, roll
        if state in production():
            actions, ranked, _ = production()[state]
            yield ranked.value, action_name(roll, actions[ranked.best])


def q_values(tau: int, i: tuple, n: int) -> dict[str, Fraction]:
    """What each action is worth by equation (3*) over the production solver's V_r, whether or not play gets there."""
    q = {"s": Fraction(tau), "r": rolled()[tau, n]}
    if n != paper.DICE:
        for j in paper.smaller(i):
            after = tau - paper.s(i) + paper.s(j)
            if after >= 0:
                q[paper.move_name(i, j)] = rolled()[after, n + paper.d(i) - paper.d(j)]
    return q
