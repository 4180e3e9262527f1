"""The certifier of long runs substitutes a table's values into the equations and refuses wrong values."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pytest

from dicebase.certify.published import CertificationError, Published
from dicebase.certify.turns.long_run import check
from dicebase.games.ten_thousand import Rules
from dicebase.matches.turns.long_run import LongRun
from dicebase.tabulate.turns import long_run
from dicebase.vocabulary import Definition
from support.faults import fail

CARD = {"dice": 2, "combinations": {"1": 100, "5": 50, "aa": 300}, "least_bank": 100, "lost_in_row": [0, 100]}


@dataclass
class Table:
    """A game and its published rows, the arguments of the check."""

    game: LongRun
    published: Published


@pytest.fixture(params=[{}, {"hot_dice": "forced"}], ids=["free", "forced"])
def table(request) -> Table:
    (rows,) = long_run(LongRun(Rules(Definition("mine", CARD | request.param))))
    kinds = {"action": object, "margin": float}
    states = {name: np.array(column, kinds.get(name)) for name, column in rows.states.items()}
    keys = {c.name: np.repeat(states[c.name], rows.counts) for c in rows.game.columns}
    actions = {n: np.array(column, object if n == "action" else None) for n, column in rows.beside.items()}
    published = Published(rows.game, states, keys | actions)
    published.exact = rows.exact
    return Table(rows.game, published)


def test_a_solved_table_is_certified(table):
    found = check(table.game, table.published, fail)
    assert found.value == float(table.published.exact) == table.published.values[0]


@pytest.mark.parametrize("by", [Fraction(1, 10**30), -Fraction(1, 10**30), Fraction(5)])
def test_a_wrong_mean_is_refused(table, by):
    table.published.exact += by
    with pytest.raises(CertificationError, match=r"the points per turn are claimed to be|a lost turn has the value"):
        check(table.game, table.published, fail)


def test_a_value_that_is_off_by_one_unit_in_the_last_place_is_refused(table):
    table.published.values = table.published.values.copy()
    table.published.values[-1] = np.nextafter(table.published.values[-1], np.inf)
    with pytest.raises(CertificationError, match="in rationals it is"):
        check(table.game, table.published, fail)


def test_a_wrong_claim_about_far_totals_is_refused(table):
    far = table.game.continuation
    for wrong in (far.cutoff + 50, far.cutoff - 50):
        game = table.game.with_continuation(type(far)(wrong, far.worth, far.slopes))
        with pytest.raises(CertificationError, match="values of far totals are claimed from"):
            check(game, table.published, fail)
    slopes = {**far.slopes, (0, 2): Fraction(1, 2)}
    with pytest.raises(CertificationError, match="the rules give"):
        check(table.game.with_continuation(type(far)(far.cutoff, far.worth, slopes)), table.published, fail)
