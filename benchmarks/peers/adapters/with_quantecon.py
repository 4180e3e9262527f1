"""QuantEcon: iterate the operator of DiscreteDP, whose methods refuse a discount of one, and use `minmax` for Hog."""

import warnings

import numpy as np
from iterate import by_states, until_still
from problems import PROBLEMS
from quantecon.markov import DiscreteDP
from quantecon.optimize.minmax import minmax


def build(problem: str, size: int):
    model = PROBLEMS[problem](size)
    if problem == "hog_simultaneous":
        return model
    actions = np.arange(len(model.state)) - model.first[model.state]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the warning is about a discount of one
        return DiscreteDP(model.reward, model.P, 1.0, model.state, actions), model.shown


def solve(problem: str, built) -> np.ndarray:
    if problem == "hog_simultaneous":
        return by_states(built, lambda game: minmax(np.ascontiguousarray(game))[0])
    ddp, shown = built
    return until_still(ddp.bellman_operator, ddp.num_states)[shown]
