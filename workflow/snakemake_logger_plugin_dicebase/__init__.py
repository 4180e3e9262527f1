"""What a run says with `snakemake --logger dicebase`: one line of how many jobs are done, how long the others take and
what runs now; one for each job that failed. All else is in Snakemake's own log, below .snakemake/log.

Snakemake finds the plug-in by the name of this folder, which lies where the package does."""

from __future__ import annotations

import logging
import shutil
import sys
import time
from dataclasses import replace
from pathlib import Path

from snakemake_interface_logger_plugins.base import LogHandlerBase
from snakemake_interface_logger_plugins.common import LogEvent

from dicebase.pipeline import costs

EVERY = 20  # seconds between lines, where there is no terminal
ROOM = 2**16  # bytes; a disk with less is full
TRUST = 20  # seconds of jobs done before the pace of this machine counts for more than that of the model's


class LogHandler(LogHandlerBase):
    """The line is rewritten on a terminal, and said again from time to time elsewhere."""

    writes_to_stream = has_filter = has_formatter = True
    writes_to_file = needs_rulegraph = False

    def __post_init__(self) -> None:
        logging.raiseExceptions = False  # if the disk is full, Snakemake's own log would print a traceback a line
        self.terminal = sys.stderr.isatty()
        self.jobs = 0
        self.waiting: dict[costs.JobName, costs.Cost | None] = {}  # all that are not done
        self.running: dict[int, tuple[costs.JobName, float]] = {}  # by Snakemake's number: the job, when it began
        self.at_once, self.predicted = 1, 0.0  # seconds of all
        self.began = self.said = 0.0  # when

    def emit(self, record: logging.LogRecord) -> None:
        """Called in a thread of its own, with one record after another."""
        try:
            self._emit(record, getattr(record, "event", None), time.monotonic())
        except Exception:
            self.handleError(record)

    def _emit(self, record: logging.LogRecord, event: LogEvent | None, now: float) -> None:
        if hasattr(record, "planned"):  # by `onstart` of the Snakefile
            self.waiting, self.at_once, self.began = dict(record.planned), record.at_once, now
            self.jobs, self.predicted = len(self.waiting), self._left(now)
            self._say(record.getMessage())
        elif event == LogEvent.JOB_INFO:
            if (name := costs.job_name(record.rule_name, record.wildcards)) in self.waiting:
                self.running[record.jobid] = name, now
                self._progress(now)
        elif event == LogEvent.JOB_FINISHED and record.job_id in self.running:
            del self.waiting[self.running.pop(record.job_id)[0]]
            self._progress(now)
        elif event == LogEvent.JOB_ERROR:
            name, _ = self.running.pop(record.jobid)
            self._say(f"error: {_text(name)}: {_last_line(record.log)}; see {' '.join(record.log)}")
        elif event == LogEvent.ERROR and "CalledProcessError" in record.getMessage():
            pass  # the command line of a job that failed
        elif record.levelno >= logging.WARNING or record.funcName == "logfile_hint":
            self._say(record.getMessage())

    def close(self) -> None:
        """Leave no half of a line behind."""
        self._clear()
        super().close()

    def _left(self, now: float) -> float:
        """Seconds that the jobs not yet done will take, by the model."""
        since = dict(self.running.values())
        known = {name: cost for name, cost in self.waiting.items() if cost}
        for name in known.keys() & since.keys():
            left = max(known[name].seconds - (now - since[name]), 0.0)
            known[name] = replace(known[name], seconds=left)
        return costs.least_time(known, self.at_once)

    def _progress(self, now: float) -> None:
        if not self.running or not (self.terminal or now > self.said + EVERY):
            return
        left = self._left(now)
        pace = (now - self.began + TRUST) / (self.predicted - left + TRUST)
        jobs = f"{self.jobs - len(self.waiting)} of {self.jobs} jobs done, about {costs.duration(left * pace)} left"
        line = f"{jobs}: {', '.join(_text(name[:2]) for name, _ in self.running.values())}"
        if self.terminal:
            self._clear()
            print(line[: shutil.get_terminal_size().columns - 1], end="", file=sys.stderr, flush=True)
        else:
            self._say(line)

    def _say(self, line: str) -> None:
        self._clear()
        print(line, file=sys.stderr, flush=True)
        self.said = time.monotonic()

    def _clear(self) -> None:
        if self.terminal:
            print("\r\033[K", end="", file=sys.stderr, flush=True)


def _text(name: tuple[str, ...]) -> str:
    return " ".join(filter(None, name))


def _last_line(logs: list[str]) -> str:
    """Why a job failed, in its own words, if the disk had room for them."""
    lines = [line for path in map(Path, logs) if path.is_file() for line in path.read_text().splitlines() if line]
    full = any(shutil.disk_usage(path.parent).free < ROOM for path in map(Path, logs) if path.is_file())
    return lines[-1].removeprefix("error: ") if lines else "the disk is full" if full else "failed"
