"""Policies of results, read from text files: their values, their mistakes, and wrong files."""

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pytest

import dicebase
from dicebase import policies
from dicebase.show import text as show
from dicebase.vocabulary import ConfigurationError
from support import grids

UR = {"pieces": 2, "before": 2, "middle": 4, "after": 1}
PLACES = {"bear_off_duel": "board, opponent, roll", "royal_ur_duel": "board, to_enter, opponent_to_enter, roll"}
CONFIG = f"""tables:
  bear_off_duel: [{{checkers: 1}}]
  bear_off_duel_matchups: [{{checkers: 1}}]
  royal_ur_duel: [{UR}]
  royal_ur_duel_matchups: [{UR}]
"""
# Play on the second board has cycles.
GRID = grids.of("races", CONFIG)
BOARDS = [("bear_off_duel", {"checkers": 1}), ("royal_ur_duel", UR)]


def rows(results, table, what):
    """All actions with the SQL expression `what` as their probability, as a policy."""
    columns = PLACES[table]
    with dicebase.open(results) as db:
        return db.sql(f"SELECT {columns}, action, {what} AS probability FROM {table}_actions").to_arrow_table()


def published(results, table, row, column):
    """The certified probabilities of a pair: (if the row policy begins, if the column policy begins)."""
    with dicebase.open(results) as db:
        query = f"FROM {table}_matchups WHERE row_policy = '{row}' AND column_policy = '{column}'"
        found = dict(db.sql(f"SELECT first, probability {query}").fetchall())
    return found["row"], found["column"]


@pytest.mark.parametrize(("table", "given"), BOARDS)
def test_a_file_has_the_values_of_the_certified_matchups(results, table, given, tmp_path):
    mixed = rows(results, table, f"1 / count(*) OVER (PARTITION BY {PLACES[table]})")
    pyarrow.csv.write_csv(mixed, tmp_path / "any.csv")
    for column in ("optimal", "first_listed"):
        found = policies.evaluate(results, table, str(tmp_path / "any.csv"), column, **given)
        known = published(results, table, "random", column)
        assert (found["first"], found["second"]) == pytest.approx(known, abs=1e-12)
    answer = policies.respond(results, table, str(tmp_path / "any.csv"), **given)
    ours = answer["first"], answer["second"]
    assert ours == pytest.approx(published(results, table, "best_response", "random"), abs=1e-12)
    best = policies.response(results, table, mixed, **given)
    again = policies.evaluate(results, table, best, "random", **given)
    assert (again["first"], again["second"]) == pytest.approx(ours, abs=1e-12)


def test_the_losses_of_mistakes_add_up(results):
    table, given = BOARDS[1]
    answer = policies.report(results, table, "random", **given)
    found = policies.mistakes(results, table, "random", **given)
    assert sum(found["loss"].to_pylist()) == pytest.approx(0.5 - answer["average"], abs=1e-12)
    assert found.slice(0, 3).to_pylist() == answer["mistakes"][:3]
    assert "The most costly mistakes:" in show.evaluation_text(answer)
    nothing = policies.report(results, table, rows(results, table, "probability"), **given)
    assert nothing["mistakes"] == [] and nothing["average"] == pytest.approx(0.5, abs=1e-12)
    assert "Every decision that occurs is optimal." in show.evaluation_text(nothing)


def passing_anywhere(t):
    return t.filter(pc.not_equal(t["action"], "pass"))[:1].set_column(4, "action", pa.array(["pass"]))


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda t: t.slice(0, 3), "states are missing that a match can reach .*: board=.* and .* more"),
        (
            lambda t: t.set_column(0, "board", pa.array([f"{b}x" for b in t["board"].to_pylist()])),
            "not a state of this",
        ),
        (lambda t: t.set_column(4, "action", pc.replace_substring(t["action"], "enter", "7")), "no.* of the actions"),
        (passing_anywhere, "not a legal action there: .* action=pass"),
        (lambda t: pa.concat_tables([t, t]), "a state and action occur twice"),
    ],
)
def test_a_table_that_is_no_policy_is_refused(results, change, why):
    table, given = BOARDS[1]
    taken = rows(results, table, "probability")
    with pytest.raises(ConfigurationError, match=why):
        policies.evaluate(results, table, change(taken.filter(pc.equal(taken["probability"], 1))), **given)
