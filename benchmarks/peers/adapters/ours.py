"""dicebase's own solvers and, for one turn, ../one_turn.py, given arrays made from the package's rules."""

import numpy as np
from one_turn import turn_values
from problems import CHIP, DICE

from adapters import as_a_board
from dicebase.games import hog, pig, ten_thousand, ten_times_eighteen
from dicebase.matches.duels.duel import DuelOfTurns
from dicebase.solvers.sheets.one_roll.subsets import subset_values
from dicebase.solvers.throws.duel import gain_probabilities
from dicebase.solvers.throws.simultaneous import solve_simultaneous
from dicebase.solvers.turns.compiled import compile_turn
from dicebase.solvers.turns.duel import duel_turns, solve_duel
from dicebase.vocabulary import Definition

SCORING = {
    "dice": 5,
    "combinations": {"1": 100, "5": 50, "111": 1000, "222": 200, "333": 300, "444": 400, "555": 500, "666": 600},
}


def build(problem: str, size: int):
    if problem == "cards_up":
        return as_a_board.build(problem, size)
    if problem == "pig_duel":
        return compile_turn(DuelOfTurns(pig.Rules(), size).rules), size
    if problem == "hog_simultaneous":
        rules = hog.Rules(max_dice=DICE)
        return gain_probabilities([rules.gains(dice) for dice in rules.choices]), size
    if problem == "ten_times_eighteen":
        rules = ten_times_eighteen.Rules(slots=size)
        weights = np.array(list(rules.weights.values()), dtype=float)
        return weights / weights.sum(), np.outer(np.arange(1.0, size + 1), list(rules.weights))
    return compile_turn(ten_thousand.Rules(Definition("crocce_mordecki", SCORING))), size // CHIP


def solve(problem: str, built) -> np.ndarray:
    if problem == "cards_up":
        return as_a_board.solve(problem, built)
    if problem == "pig_duel":
        turn, target = built
        V = solve_duel(turn, target)
        for me in range(target):  # compute the decisions in every state too
            duel_turns(turn, V, me)
        return 2 * V - 1
    if problem == "hog_simultaneous":
        q, target = built
        return solve_simultaneous(q, target, False).value
    if problem == "ten_times_eighteen":
        return subset_values(*built)[1:]
    turn, totals = built
    bank = np.arange(totals + turn.max_gain, dtype=float)
    tail = np.repeat(bank[totals:, None], len(turn.modes), axis=1)
    roll, best = turn_values(turn, bank[:totals], tail)
    best[0] = roll[0]  # the first roll is compulsory
    return best
