"""Sparse linear systems of components."""

import numpy as np
from scipy.sparse import csr_array, eye_array

from dicebase.vocabulary.arithmetic import cycles


def test_a_system_that_mixes_well_is_never_factorised(monkeypatch):
    """The factors of such a system are dense: 86,000 states take minutes. The residual of long rows stays above one
    rounding error, which must not be taken for a failure of the iterations."""
    states, terms = 1200, 200
    random = np.random.default_rng(1)
    rows = np.repeat(np.arange(states), terms)
    chances = random.dirichlet(np.ones(terms), states).ravel() * 0.99
    ahead = csr_array((chances, (rows, random.integers(0, states, states * terms))), shape=(states, states))
    matrix, exact = eye_array(states, format="csr") - ahead, random.random(states)
    monkeypatch.setattr(cycles, "splu", None)
    found, direct = cycles.solve_linear(matrix, matrix @ exact, np.zeros(states))
    assert not direct
    assert np.abs(found - exact).max() < 1e-12
