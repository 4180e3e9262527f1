"""Tasks in several processes. The processes import no test, so tasks are functions of Python."""

import multiprocessing
import os
import time
from concurrent.futures import Future
from contextlib import nullcontext
from functools import partial

import psutil
import pytest

from dicebase.pipeline import processes
from dicebase.pipeline.processes import Task, results_in_order
from dicebase.vocabulary import DicebaseError


def say(text):
    return partial(exec, f"import sys; print({text!r}, file=sys.stderr)")


def test_results_and_output_come_in_the_order_of_the_tasks(capfd):
    tasks = [Task(say("one"), 1), Task(partial(max, 2, 5), 30), Task(say("three"), 20)]
    found = []
    for result in results_in_order(tasks, 2):
        found.append((result, capfd.readouterr().err))
    assert found == [(None, "one\n"), (5, ""), (None, "three\n")]


def test_the_longest_task_is_started_first(monkeypatch):
    started = []

    class Pool:
        def submit(self, run, task):
            started.append(task)
            (done := Future()).set_result(run(task))
            return done

    monkeypatch.setattr(processes, "_processes", lambda count: nullcontext(Pool()))
    tasks = [Task(partial(int, str(seconds)), seconds) for seconds in (5, 30, 1, 20)]
    assert list(results_in_order(tasks, 2)) == [5, 30, 1, 20]
    assert [task() for task in started] == [30, 20, 5, 1]


def test_short_tasks_run_in_this_process():
    pids = set(results_in_order([Task(os.getpid, 1)] * 5, 2))
    assert pids == {os.getpid()}
    assert os.getpid() not in set(results_in_order([Task(os.getpid, 5)] * 5, 2))


def test_processes_have_their_own_hash_seed(monkeypatch):
    monkeypatch.setenv("PYTHONHASHSEED", "0")
    assert len({n for _ in range(2) for n in results_in_order([Task(partial(hash, "dicebase"), 20)] * 2, 2)}) >= 2


def test_closing_the_results_ends_running_tasks():
    results = results_in_order([Task(partial(int, "5"), 1), Task(partial(time.sleep, 600), 100)], 2)
    assert next(results) == 5
    # The pool's own thread may collect the exit codes first, so ask the operating system which processes are left.
    children = [psutil.Process(child.pid) for child in multiprocessing.active_children()]
    results.close()
    ended, running = psutil.wait_procs(children, timeout=60)
    assert len(ended) == 2 and not running


def test_a_process_that_dies_is_an_error_of_one_line():
    with pytest.raises(DicebaseError, match="a process died"):
        list(results_in_order([Task(partial(exec, "import os; os._exit(3)"), 100), Task(partial(int, "5"), 1)], 2))


def test_processes_end_with_their_parent(tmp_path):
    """The process of a sleeping task notices that its parent was killed."""
    pid = tmp_path / "pid"
    sleeps = f"import os, time; open({str(pid)!r}, 'w').write(str(os.getpid())); time.sleep(600)"
    code = (
        "from functools import partial; from dicebase.pipeline.processes import Task, results_in_order\n"
        f"list(results_in_order([Task(partial(exec, {sleeps!r}), 100), Task(partial(int, 5), 1)], 2))"
    )
    parent = multiprocessing.get_context("spawn").Process(target=exec, args=(code, {}))
    parent.start()
    while not (pid.exists() and pid.read_text()):
        assert parent.is_alive()
        time.sleep(0.05)
    child = psutil.Process(int(pid.read_text()))
    parent.kill()
    child.wait(60)


def test_the_time_left_follows_the_pace(monkeypatch):
    told, now = [], iter([0.0, 0.0, 40.0])
    monkeypatch.setattr(processes.time, "monotonic", lambda: next(now))
    tasks = [Task(partial(int, "1"), 20.0), Task(partial(int, "2"), 20.0)]
    assert list(results_in_order(tasks, 1, lambda *given: told.append(given))) == [1, 2]
    # At first 40 s are left. The first task takes 40 s instead of 20 s, so the second is predicted to take 30 s.
    assert told == [(0, 2, 40.0), (1, 2, 30.0)]
