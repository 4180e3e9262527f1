"""Policies of duels: by name, formula, table and file; their values, best responses and most expensive mistakes."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

import dicebase
from dicebase import policies
from dicebase.policies.evaluation import TOLD
from dicebase.show import text as show
from dicebase.vocabulary import ConfigurationError, MissingTableError
from reference import duel_policies, matches
from reference.duel_policies import BEST

PIG, TWO_DICE, TO_30, TEN = {"target": 12}, {"dice": 2, "target": 10}, {"target": 30}, {"target": 300}
LAST = {"rules": "last", "target": 250}
HOG, HOG_ALL = {"target": 12, "max_dice": 4}, {"target": 7, "max_dice": 3, "on_one": "all"}


def rows_of(duels, table, where):
    """The states of a variant with their best actions, as a policy."""
    with dicebase.open(duels) as db:
        columns = {"hog_duel": "", "pig_duel": "turn_total, ", "ten_thousand_duel": "turn_total, dice, "}[table]
        return db.sql(f"SELECT me, opponent, {columns}action FROM {table} WHERE {where}").to_arrow_table()


@pytest.fixture(scope="module")
def best(duels):
    return rows_of(duels, "pig_duel", "target = 12 AND dice = 1")


def hold_at(number):
    """The policy of Pig to 12 that holds at a number, as a table of its reachable states."""
    states = [(a, b, t) for a in range(12) for b in range(12) for t in range(12 - a) if t != 1 and t < number + 6]
    columns = dict(zip(("me", "opponent", "turn_total"), map(list, zip(*states, strict=True)), strict=True))
    return pa.table(columns | {"action": ["roll" if t < number else "hold" for _, _, t in states]})


def test_a_formula_equals_the_named_policy(duels):
    stated = policies.evaluate(duels, "pig_duel", "hold_at 3 + 2", "hold_at 3 if me < 12 else target", **PIG)
    named = policies.evaluate(duels, "pig_duel", "hold_at_5", "hold_at_3", **PIG)
    assert [stated[name] for name in ("first", "second")] == [named[name] for name in ("first", "second")]
    assert stated["policy"] == "hold_at 3 + 2"
    thrown = policies.evaluate(duels, "hog_duel", "always 2", "always 1 + me % 2", **HOG)
    assert thrown["first"] > policies.evaluate(duels, "hog_duel", "always_2", **HOG)["first"]


def test_a_pair_has_the_values_of_value_iteration(duels):
    found = policies.evaluate(duels, "pig_duel", "hold_at_5", "hold_at_3", **PIG)
    mine, theirs = ((lambda me, opponent, t, mode, n=n: t < n, lambda *_: 0) for n in (5, 3))
    first, second = duel_policies.matchup(matches.pig(), 12, mine, theirs)
    assert (found["first"], found["second"]) == pytest.approx((first, second), abs=1e-12)
    assert found["average"] == pytest.approx((first + second) / 2, abs=1e-12)
    assert (found["policy"], found["against"]) == ("hold_at_5", "hold_at_3")
    assert found["parameters"] == {"sides": 6, "dice": 1, "target": 12}
    answer = policies.respond(duels, "pig_duel", "hold_at_3", **PIG)
    first, second = duel_policies.matchup(matches.pig(), 12, BEST, theirs)
    assert (answer["first"], answer["second"]) == pytest.approx((first, second), abs=1e-12)
    assert answer["exploitability"] == pytest.approx((first + second) / 2 - 0.5, abs=1e-12)
    assert policies.evaluate(duels, "pig_duel", "best_response", "hold_at_3", **PIG)["first"] == answer["first"]


OPTIMAL = [
    ("pig_duel", PIG),
    ("pig_duel", TWO_DICE),
    ("hog_duel", HOG),
    ("hog_duel", HOG_ALL),
    ("ten_thousand_duel", TEN),
    ("ten_thousand_duel", LAST),
]


@pytest.mark.parametrize(("table", "given"), OPTIMAL)
def test_the_table_as_a_file_is_optimal(duels, tmp_path, table, given):
    where = " AND ".join(f"{name} = '{value}'" for name, value in given.items())
    rows = rows_of(duels, table, where + (" AND dice = 1" if given == PIG else ""))
    pq.write_table(rows, tmp_path / "best.parquet")
    with dicebase.open(duels) as db:
        found = policies.report(db, table, str(tmp_path / "best.parquet"), **given)
        start = dict.fromkeys(("me", "opponent"), 0) | ({} if table == "hog_duel" else {"turn_total": 0})
        start |= {"dice": 2 if given == LAST else 5} if table == "ten_thousand_duel" else {}
        value = db.lookup(table, **given, **start)["value"]
    assert found["first"] == pytest.approx(value, abs=1e-12)
    assert found["average"] == pytest.approx(0.5, abs=1e-12)
    assert found["exploitability"] == pytest.approx(0, abs=1e-12)
    assert found["mistakes"] == found["habits"] == []
    assert "Every decision that occurs is optimal." in show.evaluation_text(found)


RESPONSES = [("pig_duel", "hold_at_3", PIG), ("pig_duel", "hold_at_8", TWO_DICE), ("hog_duel", "always_2", HOG)]
LOSSES = [("pig_duel", "hold_at_5", PIG), ("pig_duel", "hold_at_20", TO_30), ("pig_duel", "hold_at_8", TWO_DICE)]
LOSSES += [("hog_duel", "always_2", HOG), ("hog_duel", "always_1", HOG_ALL)]


@pytest.mark.parametrize(("table", "policy", "given"), RESPONSES)
def test_the_best_response_is_a_policy_too(duels, table, policy, given):
    found = policies.response(duels, table, policy, **given)
    answer = policies.respond(duels, table, policy, **given)
    again = policies.evaluate(duels, table, found, policy, **given)
    assert (again["first"], again["second"]) == pytest.approx((answer["first"], answer["second"]), abs=1e-13)
    assert policies.evaluate(duels, table, found, **given)["average"] <= 0.5 + 1e-12


def test_the_best_response_in_ten_thousand_covers_every_state(duels):
    found = policies.response(duels, "ten_thousand_duel", "hold_at_200", target=300)
    stored = rows_of(duels, "ten_thousand_duel", "target = 300")
    states = ["me", "opponent", "turn_total", "dice"]
    assert found.select(states).to_pylist() == stored.select(states).to_pylist()
    assert set(found["action"].to_pylist()) == {"roll", "bank"}


def test_a_file_equals_the_named_policy(duels, tmp_path):
    pyarrow.csv.write_csv(hold_at(5), tmp_path / "mine.csv")
    named = policies.evaluate(duels, "pig_duel", "hold_at_5", **PIG)
    for own in (tmp_path / "mine.csv", hold_at(5), hold_at(5).to_pandas()):
        found = policies.evaluate(duels, "pig_duel", own, **PIG)
        assert (found["first"], found["second"]) == pytest.approx((named["first"], named["second"]), abs=1e-15)
    against = policies.evaluate(duels, "pig_duel", "optimal", str(tmp_path / "mine.csv"), **PIG)
    assert against["first"] == pytest.approx(1 - named["second"], abs=1e-14)


def test_a_mixed_policy_is_evaluated(duels):
    """In Hog to 7, one die and two dice with probability 1/2 each."""
    states = [(a, b) for a in range(7) for b in range(7)]
    mixed = pa.table(
        {
            "me": [a for a, _ in states for _ in "12"],
            "opponent": [b for _, b in states for _ in "12"],
            "action": [int(d) for _ in states for d in "12"],
            "probability": [0.5] * 2 * len(states),
        }
    )
    given = HOG_ALL
    found = policies.evaluate(duels, "hog_duel", mixed, "always_2", **given)
    one, two = (policies.evaluate(duels, "hog_duel", name, "always_2", **given) for name in ("always_1", "always_2"))
    assert min(one["first"], two["first"]) < found["first"] < max(one["first"], two["first"])
    pure = mixed.filter(pc.equal(mixed["action"], 1)).set_column(3, "probability", pa.array([1] * len(states)))
    assert policies.evaluate(duels, "hog_duel", pure, "always_2", **given)["first"] == pytest.approx(one["first"])


@pytest.mark.parametrize(("table", "policy", "given"), LOSSES)
def test_the_losses_of_mistakes_add_up(duels, table, policy, given):
    """Against optimal play the regrets add up to the loss."""
    found = policies.mistakes(duels, table, policy, **given)
    average = policies.evaluate(duels, table, policy, **given)["average"]
    assert pc.sum(found["loss"]).as_py() == pytest.approx(0.5 - average, abs=1e-11)
    loss, cost, frequency = (found[name].to_numpy() for name in ("loss", "cost", "frequency"))
    assert (np.diff(loss) <= 0).all() and (cost > 0).all()
    assert loss == pytest.approx(cost * frequency, rel=1e-12)
    banded = policies.habits(found, given["target"])
    assert pc.sum(banded["loss"]).as_py() == pytest.approx(loss.sum(), rel=1e-12)
    assert banded.num_rows < max(2, found.num_rows)


def test_the_cost_of_a_mistake_is_its_regret(duels):
    found = policies.mistakes(duels, "pig_duel", "hold_at_5", **PIG).to_pylist()
    with dicebase.open(duels) as db:
        for row in found[:20]:
            state = {name: row[name] for name in ("me", "opponent", "turn_total")}
            actions = {a["action"]: a for a in db.lookup("pig_duel", **PIG, **state)["actions"]}
            assert actions[row["action"]]["regret"] == pytest.approx(row["cost"], abs=1e-13)
            assert actions[row["optimal"]]["regret"] == 0


def changed(table, **columns):
    for name, values in columns.items():
        place = table.column_names.index(name) if name in table.column_names else table.num_columns
        table = table.remove_column(place) if name in table.column_names else table
        table = table.add_column(place, name, pa.array(values))
    return table


def with_one(table, name, value, row=7):
    """Replace one entry of a column."""
    values = table[name].to_pylist()
    values[row] = value
    return changed(table, **{name: values})


FAULTS = {
    "no column": (lambda t: t.drop_columns(["opponent"]), "policy: has no column 'opponent'"),
    "a column too many": (
        lambda t: changed(t, acton=t["action"].to_pylist()),
        "'acton' is not a column.*mean 'action'",
    ),
    "no rows": (lambda t: t.slice(0, 0), "has no rows"),
    "texts for numbers": (lambda t: changed(t, me=list(map(str, t["me"].to_pylist()))), "'me' is string, not whole"),
    "a missing number": (lambda t: with_one(t, "me", None), "policy: row 8: me=None is not a whole number"),
    "a fraction": (lambda t: with_one(t, "me", 0.5), "policy: row 8: me=0.5 is not a whole number"),
    "another game": (lambda t: with_one(t, "action", "bank"), "actions roll, hold: me=0 opponent=0 .*=8 action=bank"),
    "a missing action": (lambda t: with_one(t, "action", None), "actions roll, hold: me=0 .* action=None"),
    "an unknown state": (
        lambda t: with_one(t, "turn_total", 1),
        "not a state of a duel to 12: me=0 opponent=0 turn_total=1",
    ),
    "a won match": (lambda t: with_one(t, "opponent", 12), "not a state of a duel to 12: me=0 opponent=12"),
    "negative points": (lambda t: with_one(t, "opponent", -1), "not a state of a duel to 12: me=0 opponent=-1"),
    "a first roll refused": (lambda t: with_one(t, "action", "hold", 0), "the first roll is compulsory"),
    "a state twice": (lambda t: pa.concat_tables([t, t.slice(3, 5)]), "occur twice: me=0 .*; .*; .* and 2 more$"),
    "two actions": (lambda t: pa.concat_tables([t, with_one(t.slice(3, 1), "action", "hold", 0)]), "several actions"),
    "missing states": (
        lambda t: t.filter(pc.not_equal(t["turn_total"], 3)),
        "me=0 opponent=0 turn_total=3; me=0 .* more",
    ),
    "another variant": (lambda t: changed(t, sides=[4] * len(t)), "policy: row 1: sides=4 is not 6"),
    "too much": (lambda t: changed(t, probability=[1.5] * len(t)), "a probability is not from 0 to 1: me=0"),
    "too little": (lambda t: changed(t, probability=[0.5] * len(t)), "do not sum to 1: me=0 .* sum=0.5; .* more"),
    "no probability": (lambda t: changed(t, probability=["1"] * len(t)), "'probability' is string, not numbers"),
    "a word": (lambda t: changed(t, probability=["1", "half"] + ["1"] * (len(t) - 2)), "row 2: probability='half'"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_table_that_is_no_policy_is_refused_in_one_line(duels, fault):
    wrong, message = FAULTS[fault]
    with pytest.raises(ConfigurationError, match=message) as raised:
        policies.evaluate(duels, "pig_duel", wrong(hold_at(5)), **PIG)
    assert "\n" not in str(raised.value)


def test_unreachable_states_may_be_missing(duels, best):
    """The missing states are totals that the policy skips, totals out of reach, and the starts of turns."""
    whole = policies.evaluate(duels, "pig_duel", best, **PIG)
    without = best.filter(pc.and_(pc.not_equal(best["me"], 1), pc.greater(best["turn_total"], 0)))
    assert policies.evaluate(duels, "pig_duel", without, **PIG) == whole


HEAD = b"me,opponent,turn_total,action\n0,0,0"
FILES = {
    "byte.csv": (HEAD + b",roll\n0,\xe9,0,roll\n", "line 3: the byte 0xe9 is not UTF-8"),
    "utf16.csv": (b"\xff\xfe\x00", "line 1: the byte 0xff is not UTF-8"),
    "semicolons.csv": (b"me;opponent;turn_total;action\n0;0;0;roll\n", "line 1: columns are separated by semicolons"),
    "word.csv": (HEAD + b",roll\n0,x,0,roll\n", "line 3: opponent='x' is not a whole number"),
    "empty.csv": (HEAD + b",roll\n\n0,,0,roll\n", "line 4: opponent=None is not a whole number"),
    "variant.csv": (b"sides," + HEAD.replace(b"\n", b"\n6,") + b",roll\n4,0,0,0,roll\n", "line 3: sides=4 is not 6"),
    "short.csv": (HEAD + b"\n", "cannot be read as CSV: line 2: has 3 cells; there are 4 columns"),
    "none.csv": (None, "does not exist"),
    "none.parquet": (None, "does not exist"),
    "text.parquet": (b"me,opponent", "cannot be read"),
}


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_is_no_policy_is_refused_with_its_line(duels, tmp_path, name):
    content, message = FILES[name]
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(ConfigurationError) as raised:
        policies.evaluate(duels, "pig_duel", str(tmp_path / name), **PIG)
    assert str(raised.value).startswith(f"{tmp_path / name}: {message}")


STATE = {"me": [0], "opponent": [0], "turn_total": [2], "action": ["roll"]}
REFUSED = [
    ("pig_duel", "hold_at points", PIG, r"'points' is not allowed; .* me, opponent, target"),
    ("hog_duel", "always me", HOG, r"'always me' throws 0 dice at me=0 opponent=0"),
    ("pig_duel", Path("mine.txt"), PIG, "unknown kind of file"),
    ("pig_duel", pa.table(STATE | {"action": [[1]]}), PIG, "is neither a number nor a text"),
    ("pig_duel", pa.table(STATE | {"sides": [[6]]}), PIG, "is neither a number nor a text"),
    ("pig_duel", 5, PIG, "policy: give a table of Arrow, pandas or Polars"),
    ("pig_duel", "hold_20", PIG, "there is no policy 'hold_20'"),
    ("pig_duel", "optimal", {"side": 6}, "'side' is not a parameter of pig_duel; did you mean 'sides'"),
    ("bear_off_duel", "optimum", {"checkers": 1}, "there is no policy 'optimum' here; did you mean 'optimal'"),
]


@pytest.mark.parametrize(("table", "policy", "given", "message"), REFUSED, ids=range(len(REFUSED)))
def test_unknown_policies_objects_and_parameters_are_refused(duels, table, policy, given, message):
    with pytest.raises(ConfigurationError, match=message):
        policies.evaluate(duels, table, policy, **given)


def test_unknown_tables_and_variants_are_refused(duels):
    with pytest.raises(MissingTableError, match="pig_duel is not solved for sides=6 dice=1 target=13"):
        policies.evaluate(duels, "pig_duel", "optimal", target=13)
    with pytest.raises(MissingTableError, match=r"bear_off_duel, .*hog_duel, .*pig_duel, .*ten_thousand_duel"):
        policies.response(duels, "pig_race", "optimal")


def test_a_report_lists_mistakes_and_habits(duels):
    found = policies.report(duels, "pig_duel", "hold_at_20", target=30)
    text = show.evaluation_text(found)
    assert "hold_at_20 against optimal" in text and "The most costly habits:" in text
    assert text.splitlines()[-1].split()[:2] == ["hold", "0"]
    assert len(found["mistakes"]) <= TOLD and found["exploitability"] > 0
