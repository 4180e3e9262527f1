"""A job starts as a copy of a process that has loaded what all of them load (docs/scale/scale.md, Starts of processes).

python -IS forked.py WORDS...   run `dicebase.pipeline.jobs` with these words: in a copy of the process that listens at
                                the address in the environment or, if none does, as on another machine, in this process

Two processes listen: one for jobs that certify, and one for all others. Python gives each its own random hash seed, so
rules whose answers depend on the order of a set do not give the certifier the same answers as the solver.
"""

from __future__ import annotations

import atexit
import os
import socket
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

CERTIFY, LISTEN = "certify", "listen"
ADDRESSES = {CERTIFY: "DICEBASE_CERTIFIERS", "": "DICEBASE_JOBS"}  # by the first word; variables of the environment
PLACES = ("DICEBASE_GAMES", "PYTHONPATH")  # where jobs find rules, and what these import


def ask() -> int:
    """Have these words run; returns the exit code."""
    words = sys.argv[1:]
    with socket.socket(socket.AF_UNIX) as job:
        try:
            job.connect(os.environ[ADDRESSES.get(words[0], ADDRESSES[""])])
        except (KeyError, OSError):
            variables = _variables(words[0])
            os.execve(sys.executable, [sys.executable, "-m", "dicebase.pipeline.jobs", *words], variables)
        message = [os.getcwd(), *(os.environ.get(name, "") for name in PLACES), *words]
        socket.send_fds(job, ["\0".join(message).encode()], [1, 2])
        job.shutdown(socket.SHUT_WR)
        ended = job.recv(1)
    if not ended:
        print("error: the job was killed", file=sys.stderr)
    return ended[0] if ended else 1


def certify_elsewhere(results: Path, table: str, name: str, key: str) -> None:
    """`steps.certify` in a process with another hash seed; raises DicebaseError with what it says.

    The process that listens starts with the first call and ends with this one.
    """
    import subprocess

    import dicebase.games as games
    from dicebase.vocabulary import DicebaseError

    if ADDRESSES[CERTIFY] not in os.environ:
        started = ready(firsts=[CERTIFY])
        started.__enter__()
        atexit.register(started.__exit__, None, None, None)
    words = [sys.executable, "-IS", __file__, CERTIFY, key, table, name, "--results", str(results.resolve())]
    places = (os.pathsep.join(map(os.path.abspath, path)) for path in (games.__path__[1:], sys.path))
    variables = os.environ | dict(zip(PLACES, places, strict=True))
    error = "the process that certifies ended without a word"
    with subprocess.Popen(words, stderr=subprocess.PIPE, text=True, env=variables) as asked:
        for line in asked.stderr:
            if line.startswith("error: "):
                error = line.removeprefix("error: ").strip()
            elif not line.startswith("took "):
                sys.stderr.write(line)
    if asked.returncode:
        raise DicebaseError(error)


def _variables(first: str) -> dict[str, str]:
    """The environment of a process that runs jobs with this first word."""
    return os.environ | ({"PYTHONHASHSEED": "random"} if first == CERTIFY else {})


@contextmanager
def ready(kept: Sequence[int] = (), firsts: Sequence[str] = tuple(ADDRESSES)) -> Iterator[None]:
    """Start jobs this way inside the block, those with the given first words. They keep the files with the numbers
    `kept` open until they end, whatever becomes of this process: a lock lasts as long as the jobs of a killed run."""
    import subprocess
    import tempfile

    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        for first in firsts:
            listener = stack.enter_context(socket.socket(socket.AF_UNIX))
            listener.bind(address := f"{folder}/{ADDRESSES[first]}")
            listener.listen()
            os.environ[ADDRESSES[first]] = address
            # A file: DuckDB takes a process that runs -c for a person.
            words = [sys.executable, "-P", __file__, LISTEN, str(listener.fileno())]
            files = [listener.fileno(), *kept]
            stack.enter_context(subprocess.Popen(words, stdin=subprocess.PIPE, pass_fds=files, env=_variables(first)))
        yield


def listen(number: int) -> None:
    """Fork for each that asks at the socket of this number, until standard input ends, as it does with the workflow."""
    import gc
    import select
    import signal

    from dicebase.pipeline import jobs

    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for them
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    listener = socket.socket(fileno=number)
    os.environ["OMP_NUM_THREADS"] = "1"  # as Snakemake says to a job
    jobs.start_light()
    import numba
    import pyarrow.compute  # noqa: F401
    import scipy.sparse.csgraph  # noqa: F401

    import dicebase.tables.names
    import dicebase.tables.parquet  # noqa: F401

    numba.njit(lambda: 0)()  # Numba loads the rest with the first kernel
    gc.freeze()
    while True:
        ready, _, _ = select.select([listener, sys.stdin], [], [])
        if sys.stdin in ready:
            return
        job, _ = listener.accept()
        if not os.fork():
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            signal.signal(signal.SIGINT, signal.default_int_handler)
            listener.close()
            _run(job)
        job.close()


def _run(job: socket.socket) -> None:
    """Do what was asked, and end."""
    import traceback

    import dicebase.games as games
    from dicebase.pipeline import jobs

    words, (out, said), *_ = socket.recv_fds(job, 1 << 20, 2)
    while more := job.recv(1 << 20):
        words += more
    os.dup2(out, 1)
    os.dup2(said, 2)
    folder, own_games, modules, *words = words.decode().split("\0")
    os.chdir(folder)
    games.__path__[1:] = filter(None, own_games.split(os.pathsep))
    sys.path += [place for place in modules.split(os.pathsep) if place and place not in sys.path]
    ended = 1
    try:
        ended = jobs.main(words)
    except SystemExit as told:
        ended = told.code
    except BaseException:
        traceback.print_exc()
    sys.stdout.flush()
    job.send(bytes([ended]))
    os._exit(ended)


if __name__ == "__main__":
    sys.exit(listen(int(sys.argv[2])) if sys.argv[1] == LISTEN else ask())
