"""Certificates of Hog: sound tables hold within their bounds, and faults of several rows are refused."""

import pyarrow.parquet as pq
import pytest

from dicebase.certify.slices import certify_slice
from dicebase.tables.names import find_table
from support import grids
from support.faults import change, choice, put, refused, rewrite

SLICES = {
    "race": ("race", {"target": 9, "max_dice": 4}),
    "reach": ("reach", {"target": 7, "max_dice": 4, "throws": 2}),
    "duel": ("duel", {"target": 5, "max_dice": 4}),
    "duel, all": ("duel", {"target": 7, "max_dice": 3, "on_one": "all"}),  # Anderson's method stops early here
    "simultaneous": ("simultaneous", {"target": 5, "max_dice": 5}),
    "simultaneous, all": ("simultaneous", {"target": 4, "max_dice": 4, "on_one": "all"}),
}


def solve(match, folder, parameters):
    """The slice of one variant of a table."""
    table = find_table(f"hog_{match}")
    full = table.variant(parameters, {}, "here")
    return grids.solved(table, [full], folder, {})


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    root = tmp_path_factory.mktemp("sound")
    return {name: solve(match, root / name, variant) for name, (match, variant) in SLICES.items()}


# --- sound tables ----------------------------------------------------------------------------------------------------


def test_a_throw_below_the_value_by_rounding_is_accepted(tmp_path):
    """Six dice, target 10: at (0, 4) three dice, 1/33 of the mix, are below the value by more than the bound."""
    folder = solve("simultaneous", tmp_path / "six", {"max_dice": 6, "target": 10})
    (certificate,) = certify_slice(folder, None, None)
    rows = pq.read_table(folder.actions).to_pylist()
    states = pq.read_table(folder.rows).to_pylist()
    values = {(row["me"], row["opponent"]): row["value"] for row in states}
    short = [values[row["me"], row["opponent"]] - row["q_value"] for row in rows if row["optimal"]]
    assert certificate.error_bound < max(short) < 1e-14  # the mixes' last digits depend on the processor


@pytest.mark.parametrize("match", ["duel", "simultaneous"])
def test_tables_are_certified_if_nearly_every_throw_is_lost(tmp_path, match):
    """Ten coins and 20 points: at (0, 0) both players throw all coins, and score in only one of 1024 throws."""
    coins = {"sides": 2, "max_dice": 10, "target": 20, "on_one": "all"}
    (certificate,) = certify_slice(solve(match, tmp_path / "coins", coins), None, None)
    assert 1e-16 < certificate.error_bound < 1e-12  # about a thousand throws, each with rounding errors


@pytest.mark.parametrize("match", ["duel", "simultaneous"])
def test_matches_too_long_for_any_bound_are_refused(tmp_path, match):
    """One coin and 80 points: to win, a player needs forty heads in a row."""
    coin = {"sides": 2, "max_dice": 1, "target": 80, "on_one": "all"}
    assert "matches are too long" in refused(solve(match, tmp_path / "coin", coin))


# --- planted faults --------------------------------------------------------------------------------------------------


def mixing(rows, i):
    return 0 < rows[i]["probability"] < 1


def moved(rows):
    """Move probability from one throw of a mix to the next."""
    i, j = [i for i in range(len(rows)) if mixing(rows, i)][:2]
    rows[i]["probability"] -= 1e-9
    rows[j]["probability"] += 1e-9
    return rows


def pure(rows):
    """Replace a mix by the throw that it uses most."""
    i = next(i for i in range(len(rows)) if mixing(rows, i))
    key = [(k, rows[i][k]) for k in ("me", "opponent")]
    state = [row for row in rows if all(row[k] == v for k, v in key)]
    most = max(state, key=lambda row: row["probability"])
    for row in state:
        row["probability"], row["optimal"] = float(row is most), row is most
    return rows


def uniform(rows):
    """Replace every mix by one that uses its throws equally often."""
    support = {}
    for row in rows:
        if row["probability"] > 0:
            support[row["me"], row["opponent"]] = support.get((row["me"], row["opponent"]), 0) + 1
    for row in rows:
        if row["probability"] > 0:
            row["probability"] = 1 / support[row["me"], row["opponent"]]
    return rows


@pytest.mark.parametrize("fault", [moved, pure, uniform])
@pytest.mark.parametrize("name", [name for name in SLICES if name.startswith("simultaneous")])
def test_another_mix_is_refused(sound, tmp_path, name, fault):
    folder = grids.copied(sound[name], tmp_path / "slice")
    rewrite(folder.actions, fault)
    assert "hog_simultaneous " in refused(folder)


def test_a_mix_marked_unique_that_is_not_unique_is_refused(tmp_path):
    """Two coins and five points: at (0, 0) both one coin and two are optimal."""
    folder = solve("simultaneous", tmp_path / "coins", {"sides": 2, "max_dice": 2, "target": 5})
    rows = pq.read_table(folder.rows).to_pylist()
    assert not rows[0]["unique"] and any(row["unique"] for row in rows)
    assert certify_slice(folder, None, None)
    rewrite(folder.rows, change("unique", put(True), lambda rows, i: not rows[i]["unique"]))
    assert "unique is True" in refused(folder)


def test_a_mix_between_two_optimal_mixes_marked_unique_is_refused(tmp_path):
    """The mix is strictly complementary and both supports have the same size, but every mix has the same value."""
    folder = solve("simultaneous", tmp_path / "coins", {"sides": 2, "max_dice": 2, "target": 5})

    def first(row):
        return row["me"] == row["opponent"] == 0

    even = {"probability": 0.5, "optimal": True}
    mixed = {"action": "mixed", "margin": None}
    rewrite(folder.actions, lambda rows: [r | even if first(r) else r for r in rows])
    rewrite(folder.rows, lambda rows: [r | mixed if first(r) else r for r in rows])
    assert certify_slice(folder, None, None)
    rewrite(folder.rows, change("unique", put(True), lambda rows, i: first(rows[i])))
    assert "at me=0 opponent=0: unique is True" in refused(folder)


def test_a_tie_of_the_duel_not_marked_undecided_is_refused(tmp_path):
    """With coins, one coin and two are equally good at (0, 4) of 5."""
    folder = solve("duel", tmp_path / "tie", {"sides": 2, "max_dice": 2, "target": 5})
    rows = pq.read_table(folder.actions).to_pylist()
    assert any(row["undecided"] for row in rows)
    assert certify_slice(folder, None, None)
    rewrite(folder.actions, change("undecided", put(False), lambda rows, i: rows[i]["undecided"]))
    assert "me=0 opponent=4" in refused(folder)


@pytest.mark.parametrize("name", SLICES)
def test_a_state_missing_from_both_files_or_past_the_target_is_refused(sound, tmp_path, name):
    for number, edit in enumerate((_without_last, _with_another)):
        folder = grids.copied(sound[name], tmp_path / str(number))
        for path in grids.there(folder):
            rewrite(path, edit)
        refused(folder)


def _key(row):
    return {k: row[k] for k in ("score", "throws_left", "me", "opponent") if k in row}


def _without_last(rows):
    return [row for row in rows if _key(row) != _key(rows[-1])]


def _with_another(rows):
    last = _key(rows[-1])
    points = "score" if "score" in last else "opponent"
    return [*rows, *({**r, points: r[points] + 1} for r in rows if _key(r) == last)]


@pytest.mark.parametrize("name", ["duel", "duel, all"])
def test_a_worse_policy_in_every_column_is_refused(sound, tmp_path, name):
    """Declare a worse throw the best one, consistently in action, probability, optimal, regret and margin."""
    folder = grids.copied(sound[name], tmp_path / "slice")
    states = pq.read_table(folder.rows).to_pylist()
    state = next(row for i, row in enumerate(states) if choice(states, i))
    other = "1" if state["action"] != "1" else "2"

    def here(row):
        return _key(row) == _key(state)

    rewrite(folder.rows, lambda rows: [{**r, "action": other, "margin": 0.0} if here(r) else r for r in rows])
    rewrite(
        folder.actions,
        lambda rows: [
            {**r, "probability": float(r["action"] == other), "regret": 0.0, "optimal": True, "undecided": True}
            if here(r) and r["action"] in (other, state["action"])
            else r
            for r in rows
        ],
    )
    assert "regret of" in refused(folder)
