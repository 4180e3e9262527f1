"""Runs of a program in forks of a process that has imported what it needs once: of three CPU seconds of Snakemake its
imports take two, and of one of a job nearly all.

python forks.py MODULE OTHER...   a run calls `main` of MODULE; others are imported as well

A line of stdin is a run, as JSON: its words, folder, environment, the file for what it says, and code that is executed
first. Two lines of stdout are its process, which leads a group of its own, and the code with which it ends.
"""

import json
import os
import sys
from importlib import import_module

BEFORE = os.environ.get("PYTHONPATH", "").split(os.pathsep)
PROGRAM, *_ = [import_module(name) for name in sys.argv[1:]]


def fork(words: list[str], folder: str, variables: dict[str, str], output: str, first: str) -> int:
    """Raises SystemExit in the fork."""
    if child := os.fork():
        print(child, flush=True)
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    streams = os.open(os.devnull, os.O_RDONLY), os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    for stream in range(3):
        os.dup2(streams[stream > 0], stream)
    os.setpgid(0, 0)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(variables)
    path = variables.get("PYTHONPATH", "").split(os.pathsep)
    sys.path = [*path, *(place for place in sys.path if place not in BEFORE)]
    sys.argv = [PROGRAM.__name__, *words]
    exec(first, {})
    sys.exit(PROGRAM.main())


for line in sys.stdin:
    print(fork(*json.loads(line)), flush=True)
