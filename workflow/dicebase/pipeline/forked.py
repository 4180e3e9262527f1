"""A job starts as a copy of a process that has loaded what all of them load (docs/scale/scale.md, Starts of processes).

python -IS forked.py WORDS...   run `dicebase.pipeline.jobs` with these words: in a copy of the process that listens
                                at $DICEBASE_JOBS or, where none does, as on another machine, in this one
"""

import os
import socket
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

ADDRESS = "DICEBASE_JOBS"
LISTEN = "listen"


def ask() -> int:
    """Have these words run; returns how that ended."""
    with socket.socket(socket.AF_UNIX) as job:
        try:
            job.connect(os.environ[ADDRESS])
        except (KeyError, OSError):
            os.execv(sys.executable, [sys.executable, "-m", "dicebase.pipeline.jobs", *sys.argv[1:]])
        socket.send_fds(job, ["\0".join([os.getcwd(), *sys.argv[1:]]).encode()], [1, 2])
        job.shutdown(socket.SHUT_WR)
        ended = job.recv(1)
    if not ended:
        print("error: the job was killed", file=sys.stderr)
    return ended[0] if ended else 1


@contextmanager
def ready(kept: Sequence[int] = ()) -> Iterator[None]:
    """Jobs that begin in the block start so. They have the files of these numbers open until they end, whatever becomes
    of this process: a lock lasts as long as the jobs of a killed run."""
    import subprocess
    import tempfile

    with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX) as listener:
        listener.bind(address := f"{folder}/jobs")
        listener.listen()
        os.environ[ADDRESS] = address
        words = [sys.executable, "-P", __file__, LISTEN, str(listener.fileno())]  # a file: DuckDB takes -c for a person
        with subprocess.Popen(words, stdin=subprocess.PIPE, pass_fds=[listener.fileno(), *kept]):
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

    from dicebase.pipeline import jobs

    words, (out, said), *_ = socket.recv_fds(job, 1 << 20, 2)
    while more := job.recv(1 << 20):
        words += more
    os.dup2(out, 1)
    os.dup2(said, 2)
    folder, *words = words.decode().split("\0")
    os.chdir(folder)
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
