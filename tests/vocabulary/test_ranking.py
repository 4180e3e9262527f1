"""Ranking one position, many positions and positions in SQL gives the same answers."""

import math

import duckdb
import numpy as np
import pyarrow as pa
import pytest

from dicebase.catalog.sql.queries import ANSWERS, queries
from dicebase.tables.follow.ranking import Choices, rank_choices
from dicebase.vocabulary import TIE, rank, rank_mix

DRAW = np.random.default_rng(11)
# Few different values, so that there are ties, and differences around TIE.
Q_VALUES = DRAW.integers(0, 4, (300, 5)) / 4 + DRAW.choice([0.0, 0.5e-12, 2e-12], (300, 5))
NAMES = list("edcba")
FIELDS = ("q_values", "regrets", "probabilities", "optimal", "undecided")


@pytest.mark.parametrize("sense", [1, -1])
def test_one_and_many_and_sql_agree(sense):
    together = rank_choices(Choices(NAMES, Q_VALUES, np.ones(300, bool), np.arange(5)), sense, TIE)
    rows = [(i, NAMES[k], k, k, q) for i, of in enumerate(Q_VALUES.tolist()) for k, q in enumerate(of)]
    columns = dict(zip(("place", "action", "number", "leads_to", "q_value"), zip(*rows, strict=True), strict=True))
    with duckdb.connect() as connection:
        connection.register("choices", pa.table({name: list(column) for name, column in columns.items()}))
        query = queries().ranked("SELECT * FROM choices", ["place"], repr(TIE), sense)
        found = connection.execute(f"SELECT * FROM ({query}) ORDER BY place, action DESC").fetchall()
    undecided = 0
    for i, of in enumerate(Q_VALUES.tolist()):
        alone = rank(of, sense=sense, tolerance=TIE)
        expected = list(zip(NAMES, *(getattr(alone, name) for name in FIELDS), strict=True))
        assert list(together.actions(i)) == [(a, q, regret, p, *flags) for a, q, regret, p, *flags in expected]
        assert [row[1:] for row in found[5 * i : 5 * i + 5]] == expected
        assert (together.values[i], together.margins[i], together.best[i]) == (alone.value, alone.margin, alone.best)
        undecided += any(alone.undecided)
    assert len(ANSWERS) == len(found[0]) - 1 and 0 < undecided < 300


def test_rationals_are_compared_before_they_are_rounded():
    ranked = rank([10**30, 10**30 + 1, 10**30 + 1], 3 * 10**30)
    assert ranked.q_values[0] == ranked.q_values[1] and ranked.optimal == [False, True, True]
    assert ranked.margin == 0.0 and ranked.best == 1 and not any(ranked.undecided)
    assert 0 < ranked.regrets[0] < 1e-30


def test_the_regret_of_a_worse_action_is_never_rounded_to_0():
    ranked = rank([10**400, 10**400 - 1, 10**400], 10**800)
    assert ranked.regrets == [0.0, math.ulp(0.0), 0.0] and ranked.optimal == [True, False, True]
    assert ranked.margin == 0.0
    assert rank([10**400, 10**400 - 1], 10**800).margin == math.ulp(0.0)


def test_actions_that_lead_to_the_same_are_a_proved_tie_and_certain_values_too():
    q = np.array([[0.5, 0.5, 0.25], [1.0, 1.0, 0.5], [np.nan, 0.5, 0.5]])
    found = np.ones(3, bool)
    same = rank_choices(Choices(NAMES[:3], q, found, np.array([7, 7, 8])), 1, TIE)
    assert same.optimal.sum(axis=1).tolist() == [2, 2, 2] and same.undecided.any(axis=1).tolist() == [
        False,
        False,
        True,
    ]
    certain = rank_choices(Choices(NAMES[:3], q, found, np.arange(3), certain=True), 1, TIE)
    assert certain.undecided.any(axis=1).tolist() == [True, False, True]
    assert [len(list(certain.actions(i))) for i in range(3)] == [3, 3, 2]


def test_a_mix_has_no_margin_and_a_mix_of_one_has():
    mixed = rank_mix(0.5, [0.5 - 1e-13, 0.5, 0.25], [0.25, 0.75, 0.0])
    assert mixed.margin is None and mixed.best is None and mixed.regrets == [0.0, 0.0, 0.25]
    assert rank_mix(0.5, [0.5 - 1e-13, 0.5, 0.25], [0.25, 0.75, 0.0], equal=False).regrets[0] > 0
    assert rank_mix(0.5, [0.5, 0.25], [1.0, 0.0])[1] == 0.25 and rank_mix(0.5, [0.5], [1.0]).margin is None
