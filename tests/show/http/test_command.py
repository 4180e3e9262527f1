"""The server as people start it: its address, its errors, and what it needs to be installed."""

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
from dicebase.vocabulary import ConfigurationError, DicebaseError, MissingTableError
from support import commands


def test_a_server_says_where_it_listens_and_stops_when_told(results):
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


@pytest.mark.parametrize("port", [-1, 65536])
def test_a_port_is_a_number_of_sixteen_bits(results, port):
    with pytest.raises(DicebaseError, match=f"port {port} is not allowed; give a whole number from 0 to 65535"):
        serve.run(results, "127.0.0.1", port, print)


def test_without_tables_nothing_is_served(tmp_path):
    with pytest.raises(MissingTableError, match="make"):
        serve.run(tmp_path, "127.0.0.1", 0, print)


def test_without_the_extra_the_error_says_what_to_install(results, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    assert main(["serve", "--results", str(results)]) == 2
    assert capsys.readouterr().err == "error: serve: uvicorn is not installed; pip install 'dicebase[serve]'\n"


def test_only_what_serves_needs_the_extra(results):
    code = "import sys; import dicebase.show.http; from dicebase.cli import main; main(); print(*sys.modules)"
    done = commands.python("-c", code, "lookup", "pig_turn", "turn_total=5", cwd=results.parent)
    assert done.returncode == 0, done.stderr
    assert not {"starlette", "uvicorn"} & set(done.stdout.split())


def test_the_command_serves(results, monkeypatch, capsys):
    def run(*given, started, sql):
        assert given == (str(results), "::1", 80)
        started(f"http://[::1]:80/ {sql}")

    monkeypatch.setattr(serve, "run", run)
    for words, sql in ([], False), (["--sql"], True):
        assert main(["serve", "--results", str(results), "--host", "::1", "--port", "80", *words]) == 0
        assert f"http://[::1]:80/ {sql}\n" in capsys.readouterr().out
    assert "--port" in commands.error_of(capsys, "serve", "--port", "http")


def test_an_empty_host_is_not_all_addresses(results):
    with pytest.raises(ConfigurationError, match="the host is empty"):
        serve.run(results, "", 0, started=lambda _: pytest.fail("it listens"))
