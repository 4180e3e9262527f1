"""The commands of the project, started as people start them."""

import io
import json
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from contextlib import chdir, redirect_stderr, redirect_stdout
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from tempfile import NamedTemporaryFile

import psutil

from dicebase.cli import main

ROOT = Path(__file__).parents[2]

AFTER = dict.fromkeys(("catalog", "map", "datapackage", "audit", "report", "explorer"), 1)
"""The jobs of a run once something is certified."""


def python(*words: object, cwd: Path, **variables: object) -> subprocess.CompletedProcess:
    """`python words...` in a folder; `variables` are added to the environment."""
    command = [sys.executable, *map(str, words)]
    return subprocess.run(command, cwd=cwd, env=environment(**variables), capture_output=True, text=True)


def dicebase(*words: object, cwd: Path, **variables: object) -> subprocess.CompletedProcess:
    """The command `dicebase words...` in a folder."""
    return python("-c", "import sys; from dicebase.cli import main; sys.exit(main())", *words, cwd=cwd, **variables)


def dicebase_here(*words: object, cwd: Path) -> subprocess.CompletedProcess:
    """The same in this process."""
    out, err = io.StringIO(), io.StringIO()
    with chdir(cwd), redirect_stdout(out), redirect_stderr(err):
        try:
            code = main([str(word) for word in words])
        except SystemExit as done:
            code = done.code
    return subprocess.CompletedProcess(words, code, out.getvalue(), err.getvalue())


def error_of(capsys, *words: object) -> str:
    """What a command says of wrong input: exit code 2, one line on stderr, nothing on stdout."""
    try:
        code = main([str(word) for word in words])
    except SystemExit as done:
        code = done.code
    out, err = capsys.readouterr()
    assert code == 2 and out == ""
    assert err.startswith("error: ") and err.endswith("\n") and err.count("\n") == 1, err
    return err


def environment(**variables: object) -> dict[str, str]:
    """This process's environment without what would lead a command to other files, plus `variables`."""
    own = {k: v for k, v in os.environ.items() if k not in ("DICEBASE_GAMES", "SNAKEMAKE_PROFILE")}
    own |= {k: str(v) for k, v in variables.items()}
    if find_spec("snakemake_executor_plugin_slurm"):  # which needs pandas
        return own
    bare = str(Path(__file__).parent / "bare")
    return own | {"PYTHONPATH": f"{variables['PYTHONPATH']}{os.pathsep}{bare}" if "PYTHONPATH" in variables else bare}


class Snakemake:
    """A run of the workflow of `root` that goes on, with `folder` as its working directory; what it says is lost where
    no file is given. Of this process there is one at a time."""

    def __init__(self, folder: Path, *words: object, root: Path = ROOT, said: str = os.devnull, **variables: object):
        self.command = snakemake_command(folder, *words, root=root)
        self._forks = snakemake_forks()
        run = self.command[3:], os.getcwd(), environment(**variables), said
        print(json.dumps(run), file=self._forks.stdin, flush=True)
        self.pid = int(self._forks.stdout.readline())

    def ended(self) -> bool:
        return not psutil.pid_exists(self.pid)

    def wait(self) -> int:
        """The code with which it ends."""
        return int(self._forks.stdout.readline())


def snakemake(folder: Path, *words: object, root: Path = ROOT, **variables: object) -> subprocess.CompletedProcess:
    """A run that has ended; stdout and stderr together in stdout."""
    with NamedTemporaryFile("r", encoding="utf-8") as said:
        run = Snakemake(folder, *words, root=root, said=said.name, **variables)
        return subprocess.CompletedProcess(run.command, run.wait(), said.read())


@cache
def snakemake_forks() -> subprocess.Popen:
    """Of this process, with which it ends."""
    command, pipes = Path(__file__).parent / "snakemake_forks.py", {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    return subprocess.Popen([sys.executable, "-P", command], env=environment(PYTHONPATH=""), text=True, **pipes)


def snakemake_command(folder: Path, *words: object, root: Path = ROOT) -> list[str]:
    """Words that go to options with several values, such as --configfile, come last."""
    options = ["--snakefile", root / "Snakefile", "--directory", folder, "--cores", 2]
    return [sys.executable, "-m", "snakemake", *map(str, [*options, *words])]


def jobs(done: subprocess.CompletedProcess) -> dict[str, int]:
    """How many jobs of each verb a run, or a dry run, has planned; `all` and `total` aside. What is solved is of three
    rules, by the files that a slice has."""
    assert done.returncode == 0, done.stdout
    stats = re.search(r"Job stats:\n(?:.*\n){2}((?:\w+ +\d+\n)*)", done.stdout)
    counted = dict(line.split() for line in stats[1].splitlines()) if stats else {}
    found: Counter[str] = Counter()
    for rule, count in counted.items():
        found[rule.split("_")[0]] += int(count) if rule not in ("all", "total") else 0
    return dict(+found)


def copy_of_the_workflow(folder: Path) -> Path:
    """The workflow's code in a folder of its own, where a test may edit it; compiled code comes along."""
    shutil.copy2(ROOT / "Snakefile", folder)
    ignored = shutil.ignore_patterns("node_modules")
    shutil.copytree(ROOT / "workflow", folder / "workflow", ignore=ignored)
    return folder
