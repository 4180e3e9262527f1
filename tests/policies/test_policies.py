"""Policies evaluated: by name and from files, what is wrong with a file, and the mistakes that cost most."""

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
from support import grids

CONFIG = (
    grids.CROCCE_MORDECKI
    + """
tables:
  pig_duel: [{target: [12, 30], slice_by: [sides]}, {dice: 2, target: 10}]
  hog_duel: [{target: 12, max_dice: 4}, {target: 7, max_dice: 3, on_one: all}]
  ten_thousand_duel: [{target: 300}]
"""
)
PIG = {"target": 12}


@pytest.fixture(scope="module")
def duels(tmp_path_factory):
    """Small duels, solved."""
    return grids.once(tmp_path_factory, "duels", lambda folder: grids.build(folder / "results", CONFIG)) / "results"


def rows_of(duels, table, where):
    """The states of a variant with their best actions, as one writes a policy."""
    with dicebase.open(duels) as db:
        columns = {"hog_duel": "", "pig_duel": "turn_total, ", "ten_thousand_duel": "turn_total, dice, "}[table]
        return db.sql(f"SELECT me, opponent, {columns}action FROM {table} WHERE {where}").to_arrow_table()


@pytest.fixture(scope="module")
def best(duels):
    return rows_of(duels, "pig_duel", "target = 12 AND dice = 1")


def hold_at(number):
    """A policy of Pig to 12 as a frame, with the states that play comes to alone."""
    states = [(a, b, t) for a in range(12) for b in range(12) for t in range(12 - a) if t != 1 and t < number + 6]
    columns = dict(zip(("me", "opponent", "turn_total"), map(list, zip(*states, strict=True)), strict=True))
    return pa.table(columns | {"action": ["roll" if t < number else "hold" for _, _, t in states]})


# --- what a pair earns --------------------------------------------------------------------------------------------


def test_a_formula_is_the_policy_that_it_states(duels):
    stated = policies.evaluate(duels, "pig_duel", "hold_at 3 + 2", "hold_at 3 if me < 12 else target", **PIG)
    named = policies.evaluate(duels, "pig_duel", "hold_at_5", "hold_at_3", **PIG)
    assert [stated[name] for name in ("first", "second")] == [named[name] for name in ("first", "second")]
    assert stated["policy"] == "hold_at 3 + 2"
    thrown = policies.evaluate(duels, "hog_duel", "always 2", "always 1 + me % 2", target=12, max_dice=4)
    assert thrown["first"] > policies.evaluate(duels, "hog_duel", "always_2", target=12, max_dice=4)["first"]


@pytest.mark.parametrize(
    ("table", "policy", "what"),
    [
        (
            "pig_duel",
            "hold_at points",
            r"'points' is not allowed; give whole-number arithmetic with me, opponent, target",
        ),
        ("hog_duel", "always me", r"'always me' throws 0 dice at me=0 opponent=0; always_1 with any allowed number"),
    ],
)
def test_a_formula_that_is_no_policy_is_refused(duels, table, policy, what):
    with pytest.raises(ConfigurationError, match=what):
        policies.evaluate(duels, table, policy, **PIG, **({"max_dice": 4} if table == "hog_duel" else {}))


def test_a_pair_earns_what_value_iteration_says(duels):
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


@pytest.mark.parametrize(
    ("table", "given"),
    [
        ("pig_duel", PIG),
        ("pig_duel", {"dice": 2, "target": 10}),
        ("hog_duel", {"target": 12, "max_dice": 4}),
        ("hog_duel", {"target": 7, "max_dice": 3, "on_one": "all"}),
        ("ten_thousand_duel", {"target": 300}),
    ],
)
def test_the_table_as_a_file_is_optimal(duels, tmp_path, table, given):
    where = " AND ".join(f"{name} = '{value}'" for name, value in given.items())
    rows = rows_of(duels, table, where + (" AND dice = 1" if given == PIG else ""))
    pq.write_table(rows, tmp_path / "best.parquet")
    with dicebase.open(duels) as db:
        found = policies.report(db, table, str(tmp_path / "best.parquet"), **given)
        start = dict.fromkeys(("me", "opponent"), 0) | ({} if table == "hog_duel" else {"turn_total": 0})
        start |= {"dice": 5} if table == "ten_thousand_duel" else {}
        value = db.lookup(table, **given, **start)["value"]
    assert found["first"] == pytest.approx(value, abs=1e-12)
    assert found["average"] == pytest.approx(0.5, abs=1e-12)
    assert found["exploitability"] == pytest.approx(0, abs=1e-12)
    assert found["mistakes"] == found["habits"] == []
    assert "Every decision that occurs is optimal." in show.evaluation_text(found)


@pytest.mark.parametrize(
    ("table", "policy", "given"),
    [
        ("pig_duel", "hold_at_3", PIG),
        ("pig_duel", "hold_at_8", {"dice": 2, "target": 10}),
        ("hog_duel", "always_2", {"target": 12, "max_dice": 4}),
    ],
)
def test_the_best_response_is_a_policy_too(duels, table, policy, given):
    found = policies.response(duels, table, policy, **given)
    answer = policies.respond(duels, table, policy, **given)
    again = policies.evaluate(duels, table, found, policy, **given)
    assert (again["first"], again["second"]) == pytest.approx((answer["first"], answer["second"]), abs=1e-13)
    assert policies.evaluate(duels, table, found, **given)["average"] <= 0.5 + 1e-12


def test_the_best_response_in_ten_thousand_says_when_to_bank(duels):
    found = policies.response(duels, "ten_thousand_duel", "hold_at_200", target=300)
    stored = rows_of(duels, "ten_thousand_duel", "target = 300")
    states = ["me", "opponent", "turn_total", "dice"]
    assert found.select(states).to_pylist() == stored.select(states).to_pylist()
    assert set(found["action"].to_pylist()) == {"roll", "bank"}


def test_a_file_is_the_policy_it_states(duels, tmp_path):
    pyarrow.csv.write_csv(hold_at(5), tmp_path / "mine.csv")
    named = policies.evaluate(duels, "pig_duel", "hold_at_5", **PIG)
    for own in (tmp_path / "mine.csv", hold_at(5), hold_at(5).to_pandas()):
        found = policies.evaluate(duels, "pig_duel", own, **PIG)
        assert (found["first"], found["second"]) == pytest.approx((named["first"], named["second"]), abs=1e-15)
    against = policies.evaluate(duels, "pig_duel", "optimal", str(tmp_path / "mine.csv"), **PIG)
    assert against["first"] == pytest.approx(1 - named["second"], abs=1e-14)


def test_a_mix_is_evaluated(duels):
    """In Hog to 7, half of the time one die and half of the time two: value iteration on the mix."""
    states = [(a, b) for a in range(7) for b in range(7)]
    mixed = pa.table(
        {
            "me": [a for a, _ in states for _ in "12"],
            "opponent": [b for _, b in states for _ in "12"],
            "action": [int(d) for _ in states for d in "12"],
            "probability": [0.5] * 2 * len(states),
        }
    )
    given = {"target": 7, "max_dice": 3, "on_one": "all"}
    found = policies.evaluate(duels, "hog_duel", mixed, "always_2", **given)
    one, two = (policies.evaluate(duels, "hog_duel", name, "always_2", **given) for name in ("always_1", "always_2"))
    assert min(one["first"], two["first"]) < found["first"] < max(one["first"], two["first"])
    pure = mixed.filter(pc.equal(mixed["action"], 1)).set_column(3, "probability", pa.array([1] * len(states)))
    assert policies.evaluate(duels, "hog_duel", pure, "always_2", **given)["first"] == pytest.approx(one["first"])


# --- mistakes -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("table", "policy", "given"),
    [
        ("pig_duel", "hold_at_5", PIG),
        ("pig_duel", "hold_at_20", {"target": 30}),
        ("pig_duel", "hold_at_8", {"dice": 2, "target": 10}),
        ("hog_duel", "always_2", {"target": 12, "max_dice": 4}),
        ("hog_duel", "always_1", {"target": 7, "max_dice": 3, "on_one": "all"}),
    ],
)
def test_the_losses_are_what_the_policy_loses(duels, table, policy, given):
    """Against best play every match is lost by regrets alone, one after the other."""
    found = policies.mistakes(duels, table, policy, **given)
    average = policies.evaluate(duels, table, policy, **given)["average"]
    assert pc.sum(found["loss"]).as_py() == pytest.approx(0.5 - average, abs=1e-11)
    loss, cost, frequency = (found[name].to_numpy() for name in ("loss", "cost", "frequency"))
    assert (np.diff(loss) <= 0).all() and (cost > 0).all()
    assert loss == pytest.approx(cost * frequency, rel=1e-12)
    banded = policies.habits(found, given["target"])
    assert pc.sum(banded["loss"]).as_py() == pytest.approx(loss.sum(), rel=1e-12)
    assert banded.num_rows < max(2, found.num_rows)


def test_a_mistake_costs_what_the_table_says(duels):
    found = policies.mistakes(duels, "pig_duel", "hold_at_5", **PIG).to_pylist()
    with dicebase.open(duels) as db:
        for row in found[:20]:
            state = {name: row[name] for name in ("me", "opponent", "turn_total")}
            actions = {a["action"]: a for a in db.lookup("pig_duel", **PIG, **state)["actions"]}
            assert actions[row["action"]]["regret"] == pytest.approx(row["cost"], abs=1e-13)
            assert actions[row["optimal"]]["regret"] == 0


def test_how_often_a_mistake_is_met_is_what_play_says(duels):
    """Matches between hold at 5 and best play, played out."""
    found = policies.mistakes(duels, "pig_duel", "hold_at_5", **PIG)
    expected = pc.sum(found["frequency"]).as_py()
    wrong = {(r["me"], r["opponent"], r["turn_total"]) for r in found.to_pylist()}
    with dicebase.open(duels) as db:
        query = "SELECT me, opponent, turn_total FROM pig_duel WHERE target = 12 AND dice = 1 AND action = 'roll'"
        rolls = set(db.sql(query).fetchall())
    random, matches_played, met = np.random.default_rng(5), 20_000, 0
    for number in range(matches_played):
        totals, mover = [0, 0], number % 2
        while max(totals) < 12:
            me, opponent, t = totals[mover], totals[1 - mover], 0
            while True:
                if mover == 0 and t:
                    met += (me, opponent, t) in wrong
                if t and not (t < 5 if mover == 0 else (me, opponent, t) in rolls):
                    break
                face = int(random.integers(1, 7))
                t = 0 if face == 1 else t + face
                if face == 1 or me + t >= 12:
                    break
            totals[mover] += t
            mover = 1 - mover
    assert met / matches_played == pytest.approx(expected, abs=5 * (expected / matches_played) ** 0.5)


# --- what is wrong with a file ------------------------------------------------------------------------------------


def changed(table, **columns):
    for name, values in columns.items():
        place = table.column_names.index(name) if name in table.column_names else table.num_columns
        table = table.remove_column(place) if name in table.column_names else table
        table = table.add_column(place, name, pa.array(values))
    return table


def with_one(table, name, value, row=7):
    """One entry of a column replaced."""
    values = table[name].to_pylist()
    values[row] = value
    return changed(table, **{name: values})


FAULTS = {
    "no column": (lambda t: t.drop_columns(["opponent"]), "policy: has no column 'opponent'"),
    "a column too many": (lambda t: changed(t, acton=t["action"].to_pylist()), "'acton' is not a column.*'action'"),
    "no rows": (lambda t: t.slice(0, 0), "has no rows"),
    "a number that is none": (
        lambda t: changed(t, me=[str(x) for x in t["me"].to_pylist()]),
        "'me' is string, not whole",
    ),
    "a number missing": (lambda t: with_one(t, "me", None), "policy: row 8: me=None is not a whole number"),
    "a fraction": (lambda t: with_one(t, "me", 0.5), "policy: row 8: me=0.5 is not a whole number"),
    "an action of another game": (
        lambda t: with_one(t, "action", "bank"),
        "not one of the actions roll, hold: me=0 opponent=0 turn_total=8 action=bank",
    ),
    "an action missing": (lambda t: with_one(t, "action", None), "actions roll, hold: me=0 .* action=None"),
    "no such state": (lambda t: with_one(t, "turn_total", 1), "a state of a duel to 12: me=0 opponent=0 turn_total=1"),
    "points of who has won": (lambda t: with_one(t, "opponent", 12), "not a state of a duel to 12: me=0 opponent=12"),
    "points below none": (lambda t: with_one(t, "opponent", -1), "not a state of a duel to 12: me=0 opponent=-1"),
    "a first roll refused": (lambda t: with_one(t, "action", "hold", 0), "the first roll is compulsory"),
    "a state twice": (lambda t: pa.concat_tables([t, t.slice(3, 5)]), "occur twice: me=0 .*; .*; .* and 2 more$"),
    "two actions": (lambda t: pa.concat_tables([t, with_one(t.slice(3, 1), "action", "hold", 0)]), "several actions"),
    "states missing": (
        lambda t: t.filter(pc.not_equal(t["turn_total"], 3)),
        "missing that a match can reach: me=0 opponent=0 turn_total=3; me=0 opponent=2 .*; me=0 .* and [0-9]+ more",
    ),
    "another variant": (
        lambda t: changed(t, sides=[4] * t.num_rows),
        "policy: row 1: sides=4 is not 6; give the rows of one variant",
    ),
    "too much": (lambda t: changed(t, probability=[1.5] * t.num_rows), "a probability is not from 0 to 1: me=0"),
    "too little": (lambda t: changed(t, probability=[0.5] * t.num_rows), "do not sum to 1: me=0 .* sum=0.5; .* more"),
    "no probability": (lambda t: changed(t, probability=["1"] * t.num_rows), "'probability' is string, not numbers"),
    "half a probability": (
        lambda t: changed(t, probability=["1", "half"] * (t.num_rows // 2) + ["1"] * (t.num_rows % 2)),
        "policy: row 2: probability='half' is not a number",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_file_that_is_no_policy_is_refused_in_one_line(duels, fault):
    wrong, message = FAULTS[fault]
    with pytest.raises(ConfigurationError, match=message) as raised:
        policies.evaluate(duels, "pig_duel", wrong(hold_at(5)), **PIG)
    assert "\n" not in str(raised.value)


def test_what_no_match_comes_to_may_be_missing(duels, best):
    """The turn totals that the policy does not come to, totals out of reach, and the start of a turn."""
    whole = policies.evaluate(duels, "pig_duel", best, **PIG)
    without = best.filter(pc.and_(pc.not_equal(best["me"], 1), pc.greater(best["turn_total"], 0)))
    assert policies.evaluate(duels, "pig_duel", without, **PIG) == whole


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            b"me,opponent,turn_total,action\n0,0,0,roll\n0,\xe9,0,roll\n",
            "line 3: the byte 0xe9 is not UTF-8; save",
        ),
        (
            b"me;opponent;turn_total;action\n0;0;0;roll\n",
            "line 1: columns are separated by semicolons; ",
        ),
        (b"me,opponent,turn_total,action\n0,0,0,roll\n0,x,0,roll\n", "line 3: opponent='x' is not a whole number"),
        (b"me,opponent,turn_total,action\n0,0,0,roll\n\n0,,0,roll\n", "line 4: opponent=None is not a whole number"),
        (
            b"sides,me,opponent,turn_total,action\n6,0,0,0,roll\n4,0,0,0,roll\n",
            "line 3: sides=4 is not 6; give the row",
        ),
        (b"me,opponent,turn_total,action\n0,0,0\n", "cannot be read: line 2: has 3 cells; there are 4 columns"),
    ],
)
def test_a_wrong_row_of_a_csv_file_has_its_line(duels, tmp_path, content, message):
    (tmp_path / "mine.csv").write_bytes(content)
    with pytest.raises(ConfigurationError) as raised:
        policies.evaluate(duels, "pig_duel", str(tmp_path / "mine.csv"), **PIG)
    assert str(raised.value).startswith(f"{tmp_path / 'mine.csv'}: {message}")


def test_files_that_cannot_be_read(duels, tmp_path):
    (tmp_path / "text.csv").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "text.parquet").write_text("me,opponent")
    for name, message in [
        ("none.csv", "none.csv: does not exist"),
        ("none.parquet", "does not exist"),
        ("text.parquet", "text.parquet: cannot be read"),
        ("text.csv", "text.csv: line 1: the byte 0xff is not UTF-8; save the file as UTF-8"),
    ]:
        with pytest.raises(ConfigurationError, match=message):
            policies.evaluate(duels, "pig_duel", str(tmp_path / name), **PIG)
    with pytest.raises(ConfigurationError, match="unknown kind of file"):
        policies.evaluate(duels, "pig_duel", tmp_path / "mine.txt", **PIG)
    state = {"me": [0], "opponent": [0], "turn_total": [2], "action": ["roll"]}
    for odd in ({"action": [[1]]}, {"sides": [[6]]}):
        with pytest.raises(ConfigurationError, match="is neither a number nor a text"):
            policies.evaluate(duels, "pig_duel", pa.table(state | odd), **PIG)
    with pytest.raises(ConfigurationError, match="policy: give an Arrow, pandas or Polars table"):
        policies.evaluate(duels, "pig_duel", 5, **PIG)


def test_what_is_asked_for_is_there(duels):
    with pytest.raises(ConfigurationError, match="there is no policy 'hold_20'"):
        policies.evaluate(duels, "pig_duel", "hold_20", **PIG)
    with pytest.raises(MissingTableError, match="pig_duel is not solved for sides=6 dice=1 target=13"):
        policies.evaluate(duels, "pig_duel", "optimal", target=13)
    with pytest.raises(
        MissingTableError, match=r"evaluated in duels: bear_off_duel, .*hog_duel, .*pig_duel, .*ten_thousand_duel"
    ):
        policies.evaluate(duels, "pig_race", "optimal")
    with pytest.raises(ConfigurationError, match="'side' is not a parameter of pig_duel; did you mean 'sides'"):
        policies.evaluate(duels, "pig_duel", "optimal", side=6)


def test_what_a_report_says(duels):
    found = policies.report(duels, "pig_duel", "hold_at_20", target=30)
    text = show.evaluation_text(found)
    assert "hold_at_20 against optimal" in text and "The most costly habits:" in text
    assert text.splitlines()[-1].split()[:2] == ["hold", "0"]
    assert len(found["mistakes"]) <= TOLD and found["exploitability"] > 0
