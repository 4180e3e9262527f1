"""The output of `snakemake --logger dicebase`: a progress line with the jobs done, the time left and the jobs running,
and a line per failed job. Snakemake's own log, under .snakemake/log, has everything else.

Snakemake finds the plug-in by the name of this folder, which is beside the package."""

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

EVERY = 20  # seconds between progress lines without a terminal
ROOM = 2**16  # bytes; a disk with less free space counts as full
TRUST = 20  # seconds of finished jobs after which the measured pace counts for more than the cost model


class LogHandler(LogHandlerBase):
    """Rewrites the progress line on a terminal; elsewhere prints a new one every EVERY seconds."""

    writes_to_stream = has_filter = has_formatter = True
    writes_to_file = needs_rulegraph = False

    def __post_init__(self) -> None:
        logging.raiseExceptions = False  # on a full disk, each line of Snakemake's log would print a traceback
        self.terminal = sys.stderr.isatty()
        self.jobs = 0
        self.waiting: dict[costs.JobName, costs.Cost | None] = {}  # jobs not yet done
        self.running: dict[int, tuple[costs.JobName, float]] = {}  # by Snakemake's job number: the job, its start
        self.at_once, self.predicted = 1, 0.0  # jobs at once; predicted seconds of all jobs
        self.began = self.said = 0.0  # times: start of the run, last line

    def emit(self, record: logging.LogRecord) -> None:
        """Handle one record. Snakemake calls this from a single separate thread."""
        try:
            self._emit(record, getattr(record, "event", None), time.monotonic())
        except Exception:
            self.handleError(record)

    def _emit(self, record: logging.LogRecord, event: LogEvent | None, now: float) -> None:
        if hasattr(record, "planned"):  # sent by `onstart` in the Snakefile
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
            pass  # repeats the command line of a failed job
        elif record.levelno >= logging.WARNING or record.funcName == "logfile_hint":
            self._say(record.getMessage())

    def close(self) -> None:
        """Erase the unfinished progress line."""
        self._clear()
        super().close()

    def _left(self, now: float) -> float:
        """Return the seconds that the unfinished jobs will take according to the cost model."""
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
    """Return the last line of a failed job's logs, or say that the disk is full if they are empty."""
    lines = [line for path in map(Path, logs) if path.is_file() for line in path.read_text().splitlines() if line]
    full = any(shutil.disk_usage(path.parent).free < ROOM for path in map(Path, logs) if path.is_file())
    return lines[-1].removeprefix("error: ") if lines else "the disk is full" if full else "failed"
