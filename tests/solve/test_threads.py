"""Several threads: the same bits as one, whatever the turn; one thread starts no other; fewer than one are refused."""

import json
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tiny
from dicebase.cli import main
from dicebase.errors import ConfigurationError
from dicebase.find import find_table
from dicebase.game import Loss, Option, Roll
from dicebase.plan import make_slice
from dicebase.solve import duel
from dicebase.solve.compiled import compile_turn
from dicebase.solve.duel import solve_duel
from dicebase.solve.lanes import LANES, cuts
from dicebase.tables import STATES
from dicebase.tabulate import solve_slice
from dicebase.threads import ahead, side_by_side
from match_checks import compiled_pig, compiled_ten_thousand
from random_turns import MadeUp

BUST, WIPE = Roll(1, "", loss=Loss.BUST), Roll(1, "", loss=Loss.WIPE)
# Nothing can be lost before the second roll, which may end the turn by force; a phase of its own for even totals.
ENTRY = MadeUp(
    (
        ((Roll(1, "", (Option(1, 2),)),), (BUST, WIPE, Roll(3, "", (Option(2, None), Option(1, 2))))),
        ((Roll(1, "", (Option(1, 2), Option(3, 1))),), (BUST, Roll(2, "", (Option(1, 1), Option(3, None))))),
    ),
    modes=(1, 2),
)
TURNS = {
    "Pig": (compiled_pig(), 70),
    "Pig, two dice": (compiled_pig(6, 2), 70),
    "Ten Thousand": (compiled_ten_thousand(), 40),
    "entry": (compile_turn(ENTRY), 60),
}


@pytest.fixture
def pools(monkeypatch):
    """Everything is split as finely as it can be; the numbers of calls that went to each pool."""
    used = []

    class Counting(ThreadPoolExecutor):
        def __init__(self, *arguments):
            super().__init__(*arguments)
            used.append(0)

        def submit(self, *call):
            used[-1] += 1
            return super().submit(*call)

    monkeypatch.setattr(duel, "WORTH_A_THREAD", 1)
    monkeypatch.setattr(duel, "ThreadPoolExecutor", Counting)
    monkeypatch.setattr("dicebase.threads.ThreadPoolExecutor", Counting)
    return used


@pytest.mark.parametrize("name", TURNS)
def test_threads_give_the_same_bits(pools, name):
    turn, T = TURNS[name]
    one = solve_duel(turn, T * turn.unit)
    assert np.isfinite(one).all() and not any(pools)
    for threads in (2, 3, 50):
        pools.clear()
        assert solve_duel(turn, T * turn.unit, threads=threads).tobytes() == one.tobytes()
        assert all(pools)


def test_small_sums_are_not_worth_a_thread(monkeypatch):
    monkeypatch.setattr(ThreadPoolExecutor, "submit", None)
    solve_duel(compiled_pig(), 50, threads=8)
    with pytest.raises(TypeError):
        solve_duel(compiled_ten_thousand(), 5000, threads=8)


@given(st.integers(1, 5 * LANES), st.integers(-1, 9))
@settings(derandomize=True, database=None, deadline=None)
def test_turns_are_cut_into_whole_blocks(count, parts):
    where = cuts(count, parts)
    sizes = np.diff([0, *where, count])
    assert len(sizes) <= max(1, parts) and (sizes > 0).all() and (sizes[:-1] % LANES == 0).all()
    assert np.ptp(-(-sizes // LANES)) <= 1


# --- the whole job -----------------------------------------------------------------------------------------------


def key_of(name, **given):
    table = find_table(name)
    return json.loads(make_slice(table, "it", [table.variant(given, {}, name)], {}).key)


@pytest.mark.parametrize(
    "key",
    [key_of("pig_duel", target=40), key_of("pig_duel_scores", target=12), key_of("pig_turn"), key_of("hog_duel")],
    ids=lambda key: key["table"],
)
def test_files_hold_the_same_rows_for_any_number_of_threads(pools, tmp_path, key):
    for threads in (1, 2, 3):
        solve_slice(key, tmp_path / str(threads), threads)
        assert threads > 1 or not any(pools)
    one, *others = (pq.read_table(tmp_path / str(threads) / STATES) for threads in (1, 2, 3))
    assert one.num_rows and all(other.equals(one) for other in others)


@pytest.mark.parametrize("threads", [0, -3])
def test_fewer_than_one_are_refused(capsys, tmp_path, monkeypatch, threads):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ConfigurationError, match=f"threads: {threads} is not a whole number above 0"):
        solve_slice(key_of("pig_turn"), tmp_path / "slice", threads)
    with pytest.raises(SystemExit) as stop:
        main(["solve", "pig_turn", f"--threads={threads}"])
    assert stop.value.code == 2 and "error: argument --threads:" in capsys.readouterr().err
    key = json.dumps(key_of("pig_turn"))
    done = tiny.python("-m", "dicebase.job", "solve", key, "--results", "here", f"--threads={threads}", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (2, f"error: threads: {threads} is not a whole number above 0\n")
    assert not list(tmp_path.iterdir())


def test_the_command_passes_them_on(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    asked = []

    def solve(key, folder, threads):
        asked.append(threads)
        return solve_slice(key, folder, threads)

    monkeypatch.setattr("dicebase.single.solve_slice", solve)
    assert main(["solve", "pig_turn", "--threads", "3"]) == main(["solve", "pig_turn"]) == 0
    assert asked == [3, 1]


# --- work and threads --------------------------------------------------------------------------------------------


def parts_of(made, fails_at=None):
    for number in range(4):
        if number == fails_at:
            raise ConfigurationError("no further")
        made.append((number, threading.current_thread()))
        yield number


def test_one_part_is_made_ahead_and_not_two():
    made, used = [], []
    for part in ahead(parts_of(made), 2):
        used.append(part)
        assert len(made) <= len(used) + 1
    assert used == [0, 1, 2, 3] and made[0][1] is threading.main_thread() is not made[1][1]


def test_one_thread_makes_all_parts_itself():
    made = []
    for part in ahead(parts_of(made), 1):
        assert len(made) == part + 1
    assert {thread for _, thread in made} == {threading.main_thread()}


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("number", [0, 2])
def test_what_fails_in_a_part_fails_where_it_is_used(threads, number):
    used = []
    with pytest.raises(ConfigurationError, match="no further"):
        used.extend(ahead(parts_of([], number), threads))
    assert used == list(range(number))


@pytest.mark.parametrize("threads", [1, 2])
def test_no_parts_are_none(threads):
    assert list(ahead(iter([]), threads)) == []


def test_calls_side_by_side_come_back_in_order():
    with ThreadPoolExecutor(2) as pool:
        assert side_by_side(pool, pow, [2, 3, 4, 5], [5, 4, 3, 2]) == [32, 81, 64, 25]
        with pytest.raises(ZeroDivisionError):
            side_by_side(pool, divmod, [1, 2], [1, 0])
