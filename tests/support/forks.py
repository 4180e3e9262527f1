"""Run programs in forks of a process that has imported their modules: imports take two of three CPU seconds of
Snakemake, and nearly the whole second of a job.

python forks.py MODULE...

A line of stdin describes a run as JSON: the module whose `main` it calls, its arguments, folder, environment, the file
for its output, and code that is executed first. Two lines of stdout give its process, which leads a group of its own,
and its exit code.
"""

import json
import os
import sys
from importlib import import_module

BEFORE = os.environ.get("PYTHONPATH", "").split(os.pathsep)
for name in sys.argv[1:]:
    import_module(name)


def fork(program: str, words: list[str], folder: str, variables: dict[str, str], output: str, first: str) -> int:
    """Run a program in a fork and return its exit code; the fork itself ends with SystemExit."""
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
