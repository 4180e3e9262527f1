"""Gambit: its floating-point linear program, once for every matrix game."""

import numpy as np
import pygambit
from iterate import by_states
from problems import PROBLEMS


def build(problem: str, size: int):
    return PROBLEMS[problem](size)


def solve(problem: str, built) -> np.ndarray:
    return by_states(built, matrix_game)


def matrix_game(M: np.ndarray) -> float:
    game = pygambit.StrategicGame.from_arrays(M, -M)
    found = pygambit.nash.lp_solve(game, rational=False).equilibrium
    return float(found.payoffs["1"])
