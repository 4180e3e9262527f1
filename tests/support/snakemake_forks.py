"""Runs of Snakemake in forks of a process that has imported it once: of three CPU seconds its imports take two.

A line of stdin is a run, as JSON: its words, folder, environment, and the file for what it says. Two lines of stdout
are its process, which leads a group of its own, and the code with which it ends.
"""

import json
import os
import sys

from snakemake import cli, report  # noqa: F401

BEFORE = os.environ.get("PYTHONPATH", "").split(os.pathsep)


def fork(words: list[str], folder: str, variables: dict[str, str], output: str) -> int:
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
    sys.argv = ["snakemake", *words]
    sys.exit(cli.main())


for line in sys.stdin:
    print(fork(*json.loads(line)), flush=True)
