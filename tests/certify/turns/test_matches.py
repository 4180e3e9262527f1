"""Tables of matches of turns: sound ones hold within their bound, and refusals of deliberate faults name the row."""

import json
import math
import shutil
from functools import cache

import numpy as np
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from dicebase.certify.slices import certify_slice
from dicebase.certify.turns import matches
from dicebase.solvers import reference
from dicebase.tables.names import find_table
from dicebase.vocabulary import ROWS, STARTS, DicebaseError
from support import grids
from support.faults import change, damaged, plus, put, refused, rewrite
from support.match_tables import DEFINITIONS, by_starts

SLICES = {
    "race": ("pig_race", [{"target": 9}, {"target": 12}]),
    "race with wipes": ("pig_race", [{"target": 9, "dice": 2}, {"target": 12, "dice": 2}]),
    "reach": ("pig_reach", [{"target": 9, "turns": 3}, {"target": 10, "turns": 2}]),
    "reach with wipes": ("pig_reach", [{"target": 9, "dice": 2, "turns": 4}, {"target": 10, "dice": 2, "turns": 2}]),
    "duel": ("pig_duel", [{"target": 7}, {"target": 8}]),
    "duel with wipes": ("pig_duel", [{"target": 6, "dice": 2}, {"target": 7, "dice": 2}]),
    "dice kept": ("ten_thousand_duel", [{"rules": "pocket", "target": 150}, {"rules": "pocket", "target": 400}]),
    "last turn": ("ten_thousand_duel", [{"rules": "last", "target": 150}, {"rules": "last", "target": 200}]),
}


def solve(name, variants, folder, store=ROWS):
    """A slice of some variants of a table."""
    table = find_table(name)
    full = [table.variant(v, DEFINITIONS, name) for v in variants]
    return grids.solved(table, full, folder, DEFINITIONS, store)


@pytest.fixture(scope="session")
def sound(tmp_path_factory):
    def solved(slice_, store):
        return solve(*slice_, tmp_path_factory.mktemp("turns") / "all", store)

    found = {kind: solved(slice_, ROWS) for kind, slice_ in SLICES.items()}
    return found | {f"{kind} by starts": solved(slice_, STARTS) for kind, slice_ in SLICES.items()}


@pytest.fixture(scope="session")
def certificates(sound):
    """A function that returns the certificates of a kind of sound slice, certified on first use."""
    return cache(lambda kind: certify_slice(sound[kind], None, None))


@pytest.fixture
def before(request, certificates):
    """The certificates of the slice that a test damages."""
    (kind,) = [x for name, x in request.node.callspec.params.items() if name in ("folder", "starts", "either")]
    return certificates(kind)


# Slices of each format stored by rows, by the starts of turns, and in either way.
STARTED = [f"{kind} by starts" for kind in SLICES]
folder, starts, either = damaged(SLICES), damaged(STARTED), damaged([*SLICES, *STARTED])


def named(row):
    """The name of a row in messages."""
    names = ("turns_left", "banked", "me", "opponent", "turn_total")
    return " ".join(f"{name}={row[name]}" for name in names if name in row)


# --- sound tables ----------------------------------------------------------------------------------------------------


def test_no_published_number_is_wrong_by_more_than_the_bound(folder, before):
    table = find_table(json.loads(pq.ParquetFile(folder.rows).metadata.metadata[b"dicebase.key"])["table"])
    rows = pq.read_table(folder.rows).to_pylist()
    assert sum(c.states for c in before) == len(rows)
    for c in before[:1]:  # the smaller one
        game = table.build(c.parameters, DEFINITIONS)
        solution = reference.solve(game)
        assert c.error_bound < 1e-13 and abs(c.value - solution.start) <= c.error_bound
        for row in (row for row in rows if c.parameters.items() <= row.items()):
            state = tuple(row[column.name] for column in game.columns)
            assert abs(row["value"] - solution.value[state]) <= c.error_bound
            if row["margin"] is not None:
                other = "roll" if row["action"] != "roll" else game.rules.stop
                q_value = row["value"] - game.sense * row["margin"]
                assert abs(q_value - solution.q(state, other)) <= c.error_bound


def test_no_position_that_follows_from_starts_is_wrong_by_more_than_the_bound(starts, before):
    table = find_table(json.loads(pq.ParquetFile(starts.rows).metadata.metadata[b"dicebase.key"])["table"])
    rows = pq.read_table(starts.rows).to_pylist()
    (c, _), whole = before, 0
    game = table.build(c.parameters, DEFINITIONS)
    solution = reference.solve(game)
    assert c.store == STARTS and c.error_bound < 1e-13 and abs(c.value - solution.start) <= c.error_bound
    values = np.array([row["value"] for row in rows if c.parameters.items() <= row.items()])
    assert len(values) == len(list(game.records()))
    states = [state for state in solution.value if game.listed(state)]
    columns = dict(zip([x.name for x in game.columns], np.array(states).T, strict=True))
    found = by_starts(game, {"value": values, "turn_total": np.zeros(len(values), int)}, columns)
    assert found.found.all() and c.states == len(states)
    for state, q_values in zip(states, found.q_values.tolist(), strict=True):
        for action in game.actions(state):
            whole += 1
            assert abs(q_values[found.names.index(action)] - solution.q(state, action)) <= c.error_bound
    assert whole == c.actions == np.isfinite(found.q_values).sum()


def test_stored_by_starts_a_slice_has_the_starts_of_its_rows_and_plays_the_same_games(sound, certificates):
    for kind in SLICES:
        kinds = kind, f"{kind} by starts"
        rows, starts = (pq.read_table(sound[k].rows) for k in kinds)
        assert starts.schema.equals(rows.schema, check_metadata=False)
        rows = rows.filter(pc.equal(rows["turn_total"], 0))
        assert rows.drop("value").equals(starts.drop("value"))
        assert starts["value"].to_pylist() == pytest.approx(rows["value"].to_pylist(), rel=1e-14)
        for one, other in zip(*map(certificates, kinds), strict=True):
            assert (one.simulated, one.games) == (other.simulated, other.games) and one.games > 0
            assert (one.states, one.actions) == (other.states, other.actions)


def test_bounds_wider_than_the_differences_of_actions_are_refused(starts, monkeypatch):
    monkeypatch.setattr(matches, "rounding_inside", lambda *_: 0.2)
    assert "are marked decided, but the error bound is 0.2" in refused(starts)


def test_a_file_written_anew_in_smaller_parts_holds(either, before):
    folder = either
    table, footer = pq.read_table(folder.rows), pq.ParquetFile(folder.rows).metadata.metadata
    with pq.ParquetWriter(folder.rows, table.schema) as writer:
        writer.write_table(table, row_group_size=7)
        writer.add_key_value_metadata({k: v for k, v in footer.items() if k.startswith(b"dicebase.")})
    assert certify_slice(folder, None, None) == before


@pytest.mark.parametrize("start", [True, False])
def test_a_small_error_is_in_the_bound(folder, before, start):
    wrong = 4e-13 if start else 5e-12
    rewrite(folder.rows, change("value", plus(wrong), lambda rows, i: (rows[i]["turn_total"] == 0) == start))
    after = certify_slice(folder, None, None)
    assert wrong <= after[0].error_bound < 50 * wrong and after[1] == before[1]


# --- planted faults --------------------------------------------------------------------------------------------------


def choice(rows, i):
    """A row in the later half whose actions are far apart."""
    return i > len(rows) // 2 and (rows[i]["margin"] or 0) > 1e-4


def begins(rows, i):
    return i > len(rows) // 2 and rows[i]["turn_total"] == 0


# {fault: (the damage, the row that the refusal names)}; test_every_table plants many more.
AT_ITS_ROW = {
    "a value 1e-10 too low": (change("value", plus(-1e-10), choice), choice),
    "the action that is not legal yet": (change("action", put("hold"), begins), begins),
    "a margin 1e-9 too large": (change("margin", plus(1e-9), choice), choice),
    "reachable where it is not, or the other way round": (change("reachable", lambda r: not r, choice), choice),
}


@pytest.mark.parametrize("fault", AT_ITS_ROW)
def test_a_fault_in_a_row_is_refused_by_that_row(folder, fault):
    damage, where = AT_ITS_ROW[fault]
    rows = pq.read_table(folder.rows).to_pylist()
    row = next(rows[i] for i in range(len(rows)) if where(rows, i))
    rewrite(folder.rows, damage)
    assert f" at {named(row)}" in refused(folder)


@pytest.mark.parametrize("amount", [1e-9, -1e-9, 1e-3, math.nan, math.inf])
def test_a_wrong_start_of_a_turn_is_refused_there_or_where_play_leads_to_it(either, amount):
    rewrite(either.rows, change("value", plus(amount), begins))
    assert "turn_total=" in refused(either)


def test_a_small_error_of_a_start_is_in_the_bound(starts, before):
    rewrite(starts.rows, change("value", plus(4e-13), lambda rows, i: rows[i]["target"] == rows[0]["target"]))
    try:
        after = certify_slice(starts, None, None)
    except DicebaseError as error:  # the bound of a race grows with its length
        assert "are marked decided, but the error bound is" in str(error)
    else:
        assert 4e-13 <= after[0].error_bound < 50 * 4e-13 and after[1] == before[1]


def test_rows_of_all_positions_are_not_starts(sound, tmp_path):
    starts = grids.copied(sound["duel by starts"], tmp_path / "slice")
    rows = pq.read_table(sound["duel"].rows).to_pylist()
    rewrite(starts.rows, lambda _: rows)
    assert "another row here" in refused(starts)


def test_stored_actions_are_refused(sound, tmp_path):
    files = grids.copied(sound["duel"], tmp_path / "slice")
    files.actions.parent.mkdir(parents=True)
    shutil.copy(files.rows, files.actions)
    assert "says nothing more" in refused(files)
