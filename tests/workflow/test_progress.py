"""The lines of a run with `--logger dicebase`, by the plug-in in workflow/snakemake_logger_plugin_dicebase."""

import logging
import re
from types import SimpleNamespace

import pytest
from snakemake_interface_logger_plugins.common import LogEvent

import snakemake_logger_plugin_dicebase as plugin
from dicebase.pipeline.costs import Cost
from support import commands

SLOW, QUICK, LAST = ("solve", "pig_duel", "all"), ("solve", "pig_turn", "all"), ("catalog", "", "")
PLANNED = {SLOW: Cost(300, 100, 1), QUICK: Cost(100, 100, 1), LAST: None}


@pytest.fixture
def clock(monkeypatch):
    """A clock that the test sets."""
    now = SimpleNamespace(seconds=0.0)
    monkeypatch.setattr(plugin.time, "monotonic", lambda: now.seconds)
    return now


@pytest.fixture
def say(clock, capsys, monkeypatch):
    """A function that passes one record to a handler and returns the text that it prints."""
    monkeypatch.setattr(logging, "raiseExceptions", True)
    handler = plugin.LogHandler(None, None)

    def say(text="", level=logging.INFO, **said):
        handler.handle(logging.makeLogRecord({"msg": text, "levelno": level} | said))
        return capsys.readouterr().err

    assert say("3 jobs: about 5 min", planned=PLANNED, at_once=1) == "3 jobs: about 5 min\n"
    return say


def begins(number, name):
    rule, *place = name
    wildcards = dict(zip(("table", "slice"), filter(None, place), strict=False))
    return {"event": LogEvent.JOB_INFO, "jobid": number, "rule_name": rule, "wildcards": wildcards}


def test_a_line_has_finished_and_running_jobs_and_the_time_left(say, clock):
    assert say(**begins(1, QUICK)) == ""  # less than 20 seconds after the last line
    clock.seconds = 100.0
    assert say(event=LogEvent.JOB_FINISHED, job_id=1) == ""  # nothing runs
    assert say(**begins(2, SLOW)) == "1 of 3 jobs done, about 5 min left: solve pig_duel\n"
    clock.seconds = 340.0
    assert say(**begins(3, LAST)) == "1 of 3 jobs done, about 60 s left: solve pig_duel, catalog\n"
    clock.seconds = 400.0
    assert say(event=LogEvent.JOB_FINISHED, job_id=2) == "2 of 3 jobs done, about 0 s left: catalog\n"


def test_the_time_left_follows_the_pace_of_the_machine(say, clock):
    say(**begins(1, QUICK))
    clock.seconds = 340.0  # the model predicted 100 seconds
    say(event=LogEvent.JOB_FINISHED, job_id=1)
    assert "about 15 min left" in say(**begins(2, SLOW))


def test_a_failed_job_is_one_line_from_its_log(say, tmp_path):
    log = tmp_path / "log"
    log.write_text("pig_duel: 1 of 2 variants\nerror: the value is infinite\n")
    say(**begins(1, SLOW))
    said = say("", logging.ERROR, event=LogEvent.JOB_ERROR, jobid=1, log=[str(log)])
    assert said == f"error: solve pig_duel all: the value is infinite; see {log}\n"
    assert say("WorkflowError: ...", logging.ERROR, event=LogEvent.ERROR) == "WorkflowError: ...\n"


@pytest.mark.parametrize(("free", "why"), [(0, "the disk is full"), (2**20, "failed")])
def test_a_failed_job_without_a_log_names_a_full_disk(say, tmp_path, monkeypatch, free, why):
    monkeypatch.setattr(plugin.shutil, "disk_usage", lambda _: SimpleNamespace(free=free))
    (tmp_path / "log").touch()
    say(**begins(1, SLOW))
    said = say("", logging.ERROR, event=LogEvent.JOB_ERROR, jobid=1, log=[str(tmp_path / "log")])
    assert said == f"error: solve pig_duel all: {why}; see {tmp_path / 'log'}\n"
    assert not logging.raiseExceptions, "Snakemake's own log would print a traceback for each line"


def test_other_messages_are_not_printed(say):
    assert say("Select jobs to execute...") == ""
    assert say(event=LogEvent.JOB_FINISHED, job_id=0) == ""  # the rule `all`


def test_a_failed_run_names_its_job_and_its_exit_code(tmp_path):
    endless = "{dice: 1, combinations: {'1': 1, '2': 1, '3': 1, '4': 1, '5': 1, '6': 1}}"
    defined = f"definitions: {{ten_thousand: {{rules: {{endless: {endless}}}}}}}"
    (tmp_path / "mine.yaml").write_text(f"{defined}\ntables: {{ten_thousand_turn: [{{rules: endless}}]}}")
    done = commands.snakemake(tmp_path, "--logger", "dicebase", "--configfile", tmp_path / "mine.yaml")
    assert done.returncode == 1
    first, failed, *_ = [line for line in done.stdout.splitlines() if not line.startswith("Using ")]
    assert re.match(r"8 jobs: about .* of results; ", first)
    assert re.match(r"error: solve ten_thousand_turn .*: the value is infinite.*; see results/logs/solve/", failed)
    (log,) = (tmp_path / "results" / "logs").rglob("*.log")
    assert "the value is infinite" in log.read_text() and len(log.read_text().splitlines()) == 1
    assert not [path for path in (tmp_path / "results").rglob("*") if path.suffix in (".parquet", ".part", ".duckdb")]
