"""Thirty games of many kinds as an author writes them: every certified value against value iteration."""

from pathlib import Path

import pyarrow.parquet as pq
import pytest

from dicebase.pipeline import steps
from dicebase.pipeline.plan import make_plan
from dicebase.tables.names import find_game
from reference.value_iteration import values
from support.own_games import known

KINDS = Path(__file__).with_name("kinds")
NAMES = sorted(path.stem for path in KINDS.glob("*.py"))
QUICK = ("hare_and_tortoise", "statues", "store")  # cycles of two players, endless play, a discount


def test_there_are_thirty():
    assert len(NAMES) == 30


@pytest.mark.parametrize(
    "name", [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in NAMES]
)
def test_every_value_is_that_of_value_iteration(tmp_path, name):
    with known(KINDS):
        table = find_game(name)[0]
        start, found = values(table.build_rules({}, {}), table.match_class.sense)
        ((place, piece),) = make_plan({"tables": {table.name: [{}]}}).slices.items()
        steps.solve(tmp_path, piece.key)
        steps.certify(tmp_path, *place, piece.certificate_key)
    (certificate,) = pq.read_table(next(tmp_path.glob("certificates/*/*.parquet"))).to_pylist()
    rows = pq.read_table(next(tmp_path.glob("tables/*/*.parquet"))).to_pylist()
    columns = [column.name for column in table.rules_class.columns]
    stored = {tuple(row[column] for column in columns): row["value"] for row in rows}
    assert certificate["error_bound"] < 1e-11
    assert certificate["value"] == pytest.approx(start, rel=1e-11, abs=1e-11)
    assert stored == pytest.approx(
        {state: value for state, value in found.items() if state is not None}, rel=1e-11, abs=1e-11
    )
