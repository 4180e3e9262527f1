"""Eight doubles side by side: each lane computes what a double does, on any processor."""

import hashlib
import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis.extra.numpy import arrays
from hypothesis.strategies import floats
from numba import njit

from dicebase.games.pig import Rules
from dicebase.solvers.turns.compiled import compile_turn
from dicebase.solvers.turns.duel import solve_duel
from dicebase.vocabulary.arithmetic.simd import LANES, in_blocks, load, splat, store, where

NUMBERS = arrays(float, 2 * LANES, elements=floats(-1e6, 1e6, allow_subnormal=False))


@njit(error_model="numpy")
def calculate(numbers, factor, found):
    x, y = load(numbers, 0), load(numbers, LANES)
    total = splat(factor)
    total += factor * x - y / factor
    store(found, 0, where(x > y, total, x * y + 1.0))


@given(NUMBERS, floats(0.5, 100))
@settings(deadline=None, max_examples=50)
def test_every_lane_computes_as_a_double_does(numbers, factor):
    found = np.empty(LANES)
    calculate(numbers, factor, found)
    x, y = numbers[:LANES], numbers[LANES:]
    assert np.array_equal(found, np.where(x > y, factor + (factor * x - y / factor), x * y + 1.0))


@pytest.mark.parametrize("size", [1, 7, 8, 9, 16])
def test_blocks_are_filled_up_with_nothing(size):
    numbers = np.arange(2.0 * size).reshape(2, size) + 1
    wide = in_blocks(numbers)
    assert wide.shape[1] % LANES == 0 and wide.shape[1] - size < LANES
    assert np.array_equal(wide[:, :size], numbers) and not wide[:, size:].any()


def digest() -> str:
    """A digest of the values of a solver with lanes, which depends on every bit."""
    return hashlib.sha256(solve_duel(compile_turn(Rules()), 15).tobytes()).hexdigest()


def test_narrower_vectors_give_the_same_bits(tmp_path):
    narrow = {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": "", "NUMBA_CACHE_DIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, __file__], env=os.environ | narrow, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == digest()


if __name__ == "__main__":
    print(digest())
