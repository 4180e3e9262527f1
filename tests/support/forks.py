"""Runs of programs in forks of a process that has imported what they need once: of three CPU seconds of Snakemake its
imports take two, and of one of a job nearly all.

python forks.py MODULE...

A line of stdin is a run, as JSON: the module whose `main` it calls, its words, folder, environment, the file for what
it says, and code that is executed first. Two lines of stdout are its process, which leads a group of its own, and the
code with which it ends.
"""

import json
import os
import sys
from importlib import import_module

BEFORE = os.environ.get("PYTHONPATH", "").split(os.pathsep)
for name in sys.argv[1:]:
    import_module(name)


def fork(program: str, words: list[str], folder: str, variables: dict[str, str], output: str, first: str) -> int:
    """Raises SystemExit in the fork."""
    streams = os.open(os.devnull, os.O_RDONLY), os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    if child := os.fork():
        print("process", child, flush=True)
        for stream in streams:
            os.close(stream)
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    for stream in range(3):
        os.dup2(streams[stream > 0], stream)
    os.setpgid(0, 0)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(variables)
    path = variables.get("PYTHONPATH", "").split(os.pathsep)
    sys.path = [*path, *(place for place in sys.path if place not in BEFORE)]
    sys.argv = [program, *words]
    exec(first, {})
    sys.exit(import_module(program).main())


for line in sys.stdin:
    print("code", fork(*json.loads(line)), flush=True)
