"""`dicebase serve`: its address, its errors, and the packages that it needs."""

import json
import re
import signal
import socket
import subprocess
import sys
from urllib.request import urlopen

import pytest

from dicebase.cli import main
from dicebase.show import http as serve
from dicebase.vocabulary import DicebaseError, MissingTableError


def test_a_server_prints_its_address_and_stops_on_interrupt(results):
    code = f"from dicebase.show.http import run; run({str(results)!r}, '127.0.0.1', 0, print)"
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-u", "-c", code], text=True, **pipes) as process:
        try:
            address = process.stdout.readline().strip()
            assert re.fullmatch(r"http://127\.0\.0\.1:\d+/", address)
            assert "Best: roll" in json.load(urlopen(f"{address}v1/pig_turn?turn_total=19"))["advice"]
        finally:
            process.send_signal(signal.SIGINT)
        assert process.wait(20) == 0
        assert process.stderr.read() == ""


def test_an_address_in_use_is_an_error_of_one_line(results):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(DicebaseError, match=f"^serve: cannot listen at 127.0.0.1:{port}: Address already in use$"):
            serve.run(results, "127.0.0.1", port, print)


@pytest.mark.parametrize(
    ("host", "port", "message"),
    [("127.0.0.1", -1, "port -1 is not allowed"), ("127.0.0.1", 65536, "port 65536 is"), ("", 0, "the host is empty")],
)
def test_a_wrong_address_is_refused(results, host, port, message):
    with pytest.raises(DicebaseError, match=message):
        serve.run(results, host, port, started=lambda _: pytest.fail("it listens"))


def test_a_folder_without_tables_is_not_served(tmp_path):
    with pytest.raises(MissingTableError, match="make"):
        serve.run(tmp_path, "127.0.0.1", 0, print)


def test_a_missing_package_is_named_with_its_extra(results, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    assert main(["serve", "--results", str(results)]) == 2
    assert capsys.readouterr().err == "error: serve: uvicorn is not installed; pip install 'dicebase[serve]'\n"


def test_the_command_passes_its_options_on(results, monkeypatch, capsys):
    def run(*given, started, sql):
        assert given == (str(results), "::1", 80)
        started(f"http://[::1]:80/ {sql}")

    monkeypatch.setattr(serve, "run", run)
    for words, sql in ([], False), (["--sql"], True):
        assert main(["serve", "--results", str(results), "--host", "::1", "--port", "80", *words]) == 0
        assert f"http://[::1]:80/ {sql}\n" in capsys.readouterr().out
