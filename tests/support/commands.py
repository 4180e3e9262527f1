"""Start the commands of the project as users do."""

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

from dicebase import games
from dicebase.cli import main
from dicebase.vocabulary import DicebaseError

ROOT = Path(__file__).parents[2]

AFTER = dict.fromkeys(("catalog", "map", "datapackage", "audit", "report", "explorer"), 1)
"""The jobs that a run has after those that certify."""


def python(*words: object, cwd: Path, **variables: object) -> subprocess.CompletedProcess:
    """`python words...` in a folder; `variables` are added to the environment."""
    command = [sys.executable, *map(str, words)]
    return subprocess.run(command, cwd=cwd, env=environment(**variables), capture_output=True, text=True)


def dicebase(*words: object, cwd: Path, **variables: object) -> subprocess.CompletedProcess:
    """The command `dicebase words...` in a folder."""
    return python("-c", "import sys; from dicebase.cli import main; sys.exit(main())", *words, cwd=cwd, **variables)


def dicebase_here(*words: object, cwd: Path) -> subprocess.CompletedProcess:
    """The command `dicebase words...` in this process."""
    out, err = io.StringIO(), io.StringIO()
    with chdir(cwd), redirect_stdout(out), redirect_stderr(err):
        try:
            code = main([str(word) for word in words])
        except SystemExit as done:
            code = done.code
    return subprocess.CompletedProcess(words, code, out.getvalue(), err.getvalue())


def error_of(capsys, *words: object) -> str:
    """The error of a command on wrong input: exit code 2, one line on stderr, nothing on stdout."""
    try:
        code = main([str(word) for word in words])
    except SystemExit as done:
        code = done.code
    out, err = capsys.readouterr()
    assert code == 2 and out == ""
    assert err.startswith("error: ") and err.endswith("\n") and err.count("\n") == 1, err
    return err


def environment(**variables: object) -> dict[str, str]:
    """This process's environment, without variables that lead commands to other files, plus `variables`."""
    own = {k: v for k, v in os.environ.items() if k not in ("DICEBASE_GAMES", "SNAKEMAKE_PROFILE")}
    own |= {k: str(v) for k, v in variables.items()}
    if find_spec("snakemake_executor_plugin_slurm"):  # which needs pandas
        return own
    bare = str(Path(__file__).parent / "bare")
    return own | {"PYTHONPATH": f"{variables['PYTHONPATH']}{os.pathsep}{bare}" if "PYTHONPATH" in variables else bare}


class Fork:
    """A program that runs in a folder, in a fork (forks.py), while the test goes on. Its output goes to the file `said`
    or is lost. The code `first` is executed before it. One Snakemake, one certifier and one other program run at a
    time."""

    def __init__(
        self, program: str, folder: Path, *words: object, said: str = os.devnull, first: str = "", **variables
    ):
        other = "dicebase.certify" if "certify" in words[:1] else "dicebase"
        self._forks = forks(SNAKEMAKE if program == SNAKEMAKE else other)
        run = program, [str(word) for word in words], str(folder), environment(**variables), said, first
        print(json.dumps(run), file=self._forks.stdin, flush=True)
        self.pid = self._said("process")

    def ended(self) -> bool:
        return not psutil.pid_exists(self.pid)

    def wait(self) -> int:
        """Wait for the exit code."""
        return self._said("code")

    def _said(self, what: str) -> int:
        """The next number of a kind; numbers of runs for which a failed test did not wait are skipped."""
        while not (line := self._forks.stdout.readline()).startswith(what):
            assert line, "the process that forks has died"
        return int(line.split()[1])


def ended(program: str, folder: Path, *words: object, **more: object) -> subprocess.CompletedProcess:
    """Run a program to its end, with stdout and stderr together in stdout."""
    with NamedTemporaryFile("r", encoding="utf-8") as said:
        return subprocess.CompletedProcess(
            words, Fork(program, folder, *words, said=said.name, **more).wait(), said.read()
        )


def job(folder: Path, *words: object, **more: object) -> subprocess.CompletedProcess:
    """Run the job behind a rule of the workflow to its end."""
    return ended(JOBS, folder, *words, **more)


def certify(results: Path, table: str, name: str, key: str) -> None:
    """Certify as `solve_one.certify_in_new_process` does, but in a fork, which starts in a fifth of the time and also
    has its own hash seed."""
    paths = f"import dicebase.games\ndicebase.games.__path__[1:] = {games.__path__[1:]!r}"
    variables = {"PYTHONPATH": os.pathsep.join(map(os.path.abspath, sys.path))}
    words = "certify", key, table, name, "--results", results.resolve()
    done = job(Path.cwd(), *words, first=paths, **variables)
    said = [line for line in done.stdout.splitlines() if not line.startswith("took ")]
    if done.returncode:
        raise DicebaseError(next(line for line in said if line.startswith("error: ")).removeprefix("error: "))
    sys.stderr.write("".join(f"{line}\n" for line in said))


def snakemake(folder: Path, *words: object, root: Path = ROOT, **variables: object) -> subprocess.CompletedProcess:
    """Run the workflow of `root` to its end, with `folder` as its working directory."""
    ours = {"PYTHONPATH": root / "workflow"} | variables  # an installed package may be of another checkout
    return ended(SNAKEMAKE, ROOT, *snakemake_words(folder, *words, root=root), **ours)


SNAKEMAKE, JOBS, COMMAND = "snakemake.cli", "dicebase.pipeline.jobs", "dicebase.cli"
SHARED = {
    SNAKEMAKE: ("snakemake.report.html_reporter", "jinja2", "jsonschema", "smart_open"),
    "dicebase": ("numba", "pyarrow.compute", "scipy.sparse.csgraph", "dicebase.tables.parquet"),
}
SHARED["dicebase.certify"] = SHARED["dicebase"]
"""The modules that programs load late. Snakemake's list has none of dicebase, because its workflow may be a copy."""


@cache
def forks(of: str) -> subprocess.Popen:
    """Start a process that forks programs and ends with this process."""
    words = [sys.executable, "-P", Path(__file__).parent / "forks.py", of, *SHARED[of]]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    ours = environment(PYTHONPATH="" if of == SNAKEMAKE else ROOT / "workflow")
    return subprocess.Popen(words, env=ours, text=True, **pipes)


def snakemake_words(folder: Path, *words: object, root: Path = ROOT) -> list[object]:
    """The arguments of Snakemake; `words` come last, because options such as --configfile take several values."""
    return ["--snakefile", root / "Snakefile", "--directory", folder, "--cores", 2, *words]


def jobs(done: subprocess.CompletedProcess) -> dict[str, int]:
    """{verb: number of jobs} that a run or a dry run has planned, without `all` and `total`. Three rules solve slices,
    depending on the files of a slice."""
    assert done.returncode == 0, done.stdout
    stats = re.search(r"Job stats:\n(?:.*\n){2}((?:\w+ +\d+\n)*)", done.stdout)
    counted = dict(line.split() for line in stats[1].splitlines()) if stats else {}
    found: Counter[str] = Counter()
    for rule, count in counted.items():
        found[rule.split("_")[0]] += int(count) if rule not in ("all", "total") else 0
    return dict(+found)


def copy_of_the_workflow(folder: Path) -> Path:
    """The workflow's code in a folder of its own, where a test may edit it, with the compiled code."""
    shutil.copy2(ROOT / "Snakefile", folder)
    ignored = shutil.ignore_patterns("node_modules")
    shutil.copytree(ROOT / "workflow", folder / "workflow", ignore=ignored)
    return folder
