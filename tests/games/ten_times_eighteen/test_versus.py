"""The best response to the score-optimal strategy: decisions against fractions."""

import pytest

from reference.ten_times_eighteen_versus import best_response
from support import grids

VERSUS = "ten_times_eighteen_versus"


def free_slots(mask, slots):
    return [i for i in range(1, slots + 1) if mask >> i - 1 & 1]


CONFIG = """
tables:
  ten_times_eighteen_versus:
    - {distribution: 1d6, slots: 3}
"""


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    return grids.once(tmp_path_factory, "versus", lambda folder: grids.build(folder, CONFIG))


def test_every_decision_follows_from_the_values(db):
    chance = best_response(dict.fromkeys(range(1, 7), 1), (1, 2, 3))
    rows = db.sql(f"SELECT free, scored, roll_total, action, q_value, regret FROM {VERSUS}_actions").fetchall()
    assert len(rows) == db.tables(VERSUS)[0]["actions"]
    for free, scored, roll, action, q_value, regret in rows:
        slots = free_slots(free, 3)
        q = {i: chance([s for s in slots if s != i], scored + i * roll)[0] for i in slots}
        assert abs(q_value - q[int(action)]) < 1e-12 and abs(regret - (max(q.values()) - q[int(action)])) < 1e-12
    states = db.sql(f"SELECT count(*), count(DISTINCT (free, scored, roll_total)) FROM {VERSUS}").fetchall()
    assert states == [(db.tables(VERSUS)[0]["states"],) * 2]
