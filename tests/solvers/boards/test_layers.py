"""Layers whose positions are numbers and moves: solved, or refused for one of two reasons."""

import numpy as np
import pytest

from dicebase.solvers.boards import layers
from dicebase.solvers.boards.layers import solve_layer
from dicebase.vocabulary import ConfigurationError
from dicebase.vocabulary.layers import Moves

END = 2  # the number of the end, after the two positions of the layer


def layer(*to):
    """The moves of two positions with two rolls each; every argument lists the moves of one roll."""
    begin = np.cumsum([0, *(len(moves) for moves in to)])
    there = np.array([there for moves in to for there in moves], np.int32)
    return [(0, Moves(begin, there, np.empty(0), np.zeros(2, np.uint8)))]


def test_a_layer_has_the_values_of_its_equations():
    # v0 = (1 + v1) / 2, because at the end the opponent loses; v1 = (1 - v0) / 2, because 0 is less than 1 - v0.
    values = solve_layer(layer([~END], [1], [END, ~0], [END]), [(1, 1)], 2, [[0.0]], 1)
    assert values == pytest.approx([0.6, 0.2], abs=1e-15)


def test_a_layer_in_which_best_play_never_ends_is_refused_with_a_loop():
    with pytest.raises(ConfigurationError, match=r"^play need not end: .* through positions 0 -> 1 -> 0$"):
        solve_layer(layer([1], [1], [~0, END], [~0]), [(1, 1)], 2, [[0.0]], 1)


def test_values_that_have_not_converged_are_not_called_endless(monkeypatch):
    monkeypatch.setattr(layers, "MOST_SWEEPS", 3)
    with pytest.raises(ConfigurationError, match=r"^values have not converged: after 3 sweeps they change by "):
        solve_layer(layer([~END], [1], [~0], [0]), [(1, 10**9)], 2, [[0.0]], 1)


def test_sweeps_over_all_moves_find_the_same_values(monkeypatch):
    monkeypatch.setattr(layers, "EVALUATED", 0)
    values = solve_layer(layer([~END], [1], [END, ~0], [END]), [(1, 1)], 2, [[0.0]], 1)
    assert values == pytest.approx([0.6, 0.2], abs=1e-15)
