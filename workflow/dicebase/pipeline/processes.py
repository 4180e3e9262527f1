"""Run tasks in several processes, longest first, and yield their results in the order of the tasks."""

import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, redirect_stderr
from io import StringIO
from typing import Any, NamedTuple

from dicebase.vocabulary import DicebaseError
from dicebase.vocabulary.progress import Progress, silent

SHORT = 20.0
"""Seconds of work below which starting processes, which takes a second or two each, does not pay off."""

TRUST = 20.0
"""Seconds of finished work after which the measured pace counts for more than the predictions."""


class Task(NamedTuple):
    """A function without arguments that can be pickled, and its approximate time in seconds."""

    run: Callable[[], Any]
    seconds: float


def results_in_order(tasks: Sequence[Task], at_once: int, progress: Progress = silent) -> Iterator[Any]:
    """Yield what each task returns, in the order of the tasks. Closing the iterator ends the tasks that still run.

    The standard error of a task is printed just before its result. `progress` is called with the number of finished
    tasks, the number of all tasks, and the seconds left. Raises DicebaseError if a process dies.
    """
    began, work = time.monotonic(), sum(task.seconds for task in tasks)
    at_once = 1 if work < SHORT else min(at_once, len(tasks))

    def report(done: Sequence[int]) -> None:
        seconds = sum(tasks[number].seconds for number in done)
        pace = (time.monotonic() - began + TRUST) / (seconds / at_once + TRUST)
        progress(len(done), len(tasks), (work - seconds) / at_once * pace)

    if at_once == 1:
        for number, task in enumerate(tasks):
            report(range(number))
            yield task.run()
        return
    with _processes(at_once) as pool:
        longest_first = sorted(range(len(tasks)), key=lambda number: -tasks[number].seconds)
        futures = {number: pool.submit(_run, tasks[number].run) for number in longest_first}
        for number in range(len(tasks)):
            while wait([futures[number]], timeout=1).not_done:
                report([n for n in futures if futures[n].done()])
            result, said = futures[number].result()
            print(said, end="", file=sys.stderr)
            yield result


@contextmanager
def _processes(count: int) -> Iterator[ProcessPoolExecutor]:
    """Start new processes, each with a random hash seed. They end with the block, or when this process ends."""
    os.environ["PYTHONHASHSEED"] = "random"
    pool = ProcessPoolExecutor(count, multiprocessing.get_context("spawn"), _begin)
    try:
        yield pool
    except BrokenProcessPool as error:
        what = "a process died, perhaps because memory ran out; fewer --cores need less"
        raise DicebaseError(what) from error
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        for process in multiprocessing.active_children():
            process.terminate()


def _begin() -> None:
    """Ignore Ctrl-C, because the parent then ends this process, and exit if the parent dies."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=lambda: (multiprocessing.parent_process().join(), os._exit(1)), daemon=True).start()


def _run(task: Callable[[], Any]) -> tuple[Any, str]:
    """Return (the result of a task, its standard error)."""
    with redirect_stderr(StringIO()) as said:
        return task(), said.getvalue()
