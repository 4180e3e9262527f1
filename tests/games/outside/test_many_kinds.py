"""Games of many kinds as an author writes them: every certified value against value iteration."""

from pathlib import Path

import pyarrow.parquet as pq
import pytest

import dicebase
from dicebase.pipeline import steps
from dicebase.pipeline.plan import make_plan
from dicebase.tables.names import find_game
from dicebase.vocabulary import ConfigurationError
from reference.value_iteration import values
from support.own_games import known

KINDS, PUBLISHED = (Path(__file__).with_name(name) for name in ("kinds", "games"))
FILES = sorted([*KINDS.glob("*.py"), *PUBLISHED.glob("*.py")])
QUICK = ("hare_and_tortoise", "parking", "dealer")  # cycles of two players, a column of bools, chance after chance


@pytest.mark.parametrize(
    "file", [pytest.param(file, id=file.stem, marks=[pytest.mark.slow] * (file.stem not in QUICK)) for file in FILES]
)
def test_every_value_is_that_of_value_iteration(tmp_path, file):
    with known(file.parent):
        table = find_game(file.stem)[0]
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


def test_bools_are_stored_as_0_and_1_and_asked_for_in_words():
    with known(KINDS), dicebase.solve("parking_walk") as table:
        asked = {(f, table.lookup(place=3, free=f)["value"]) for f in ("yes", "true", 1)}
        assert {value for _, value in asked} == {3.0} and table.lookup(place=3, free="no")["value"] > 3
        with pytest.raises(ConfigurationError, match="free='maybe' is not a whole number"):
            table.lookup(place=3, free="maybe")
        (_, free) = table.catalog.describe("parking_walk")["columns"]
        assert free["description"] == "Free place: whether the place is free (0 is no, 1 is yes)"


@pytest.mark.slow
def test_columns_have_labels_and_words_for_their_values():
    with known(KINDS), dicebase.solve("hare_and_tortoise_duel") as table:
        (*_, animal) = table.catalog.describe("hare_and_tortoise_duel")["columns"]
        assert animal["description"] == "Animal: who moves (0 is tortoise, 1 is hare)"
        for number, word in ((0, "Tortoise"), (1, "hare")):
            assert table.lookup(me=0, other=0, hare=word) == table.lookup(me=0, other=0, hare=number)


@pytest.mark.slow
def test_a_distribution_counts_rational_rewards_in_parts_of_a_point():
    with known(KINDS), dicebase.solve("rebate_points_distribution") as table:
        rows = table.sql("SELECT outcome, probability FROM rebate_points_distribution").fetchall()
        (value,) = table.sql("SELECT value FROM tables").fetchall()[0]
        start, _ = values(find_game("rebate")[0].build_rules({}, {}), 1)
    # The stake doubles while it pays: 3/5 * 2 > 1. The last round takes 2**6 thirds, a loss costs a third of a point.
    assert dict(rows) == pytest.approx({64: 0.6**6, -1: 1 - 0.6**6}, abs=1e-15)
    assert value == pytest.approx(3 * start, rel=1e-14)
