"""Standard streams that are closed, full, of another encoding, or closed by their reader."""

import subprocess
import sys

import pytest

from support import commands

RUN = [sys.executable, "-c", "import sys; from dicebase.cli import main; sys.exit(main())"]
FULL = "standard output: the disk is full"
ASCII = "standard output uses ascii, which cannot encode '\\xe9'; set PYTHONUTF8=1"


@pytest.mark.parametrize(
    ("words", "streams", "code", "out", "err"),
    [
        (["tables"], ">&-", 0, "", ""),
        (["sql", "SELECT 1"], ">&-", 0, "", ""),
        (["lookup", "nosuch"], "2>&-", 2, "", ""),
        (["solve", "pig_turn", "-o", "mine"], "2>&- <&-", 0, "pig_turn: solved and certified in mine\n", ""),
        (["tables"], ">/dev/full", 2, "", f"error: {FULL}\n"),
        (["sql", "SELECT * FROM range(100000)"], ">/dev/full", 2, "", f"error: {FULL}\n"),
        (["sql", "SELECT chr(233) AS a"], "", 2, "", f"error: {ASCII}\n"),
        (["sql", "SELECT chr(233) AS a", "--json"], "", 0, '[{"a": "\\u00e9"}]\n', ""),
    ],
    ids=lambda x: x if isinstance(x, str) else None,
)
def test_streams_that_cannot_be_written(results, tmp_path, words, streams, code, out, err):
    command = ["sh", "-c", f'"$@" {streams}', "sh", *RUN, "--results", results, *words]
    ours = commands.environment(PYTHONIOENCODING="ascii", PYTHONUNBUFFERED="")
    done = subprocess.run([*map(str, command)], cwd=tmp_path, env=ours, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (code, out, err)


@pytest.mark.parametrize(("words", "code", "err"), [(["sql", "FROM range(100000)"], 0, b""), (["verify"], 1, None)])
def test_a_reader_may_leave_early_and_verify_fails_then(results, words, code, err):
    command = [*RUN, "--results", str(results), *words]
    with subprocess.Popen(command, env=commands.environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE) as run:
        run.stdout.readline()
        run.stdout.close()
        assert run.stderr.read() == err or err is None
        assert run.wait() == code
