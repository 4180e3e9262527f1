"""What a run of the workflow does besides its jobs: it locks the results folder, estimates the time of its jobs, and
ends them when it receives SIGTERM."""

from __future__ import annotations

import atexit
import signal
import threading
import time
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from dicebase.pipeline.costs import estimate, job_name
from dicebase.pipeline.lock import hold

if TYPE_CHECKING:
    from snakemake.workflow import Workflow

    from dicebase.pipeline.costs import Costs
    from dicebase.pipeline.plan import Plan

HELD = ExitStack()
"""The lock of the results folder."""


def begin(workflow: Workflow, plan: Plan, costs: Costs, results: Path, stored: bool) -> tuple[str, dict]:
    """Lock the results folder, unless it is in object storage. Return the estimate for the jobs to run, and what the
    logger needs to count them."""
    needed = [job for job in workflow.dag.needrun_jobs() if job.rule.name != "all"]
    jobs = costs.of(plan, [job_name(job.rule.name, job.wildcards) for job in needed])
    at_once = workflow.nodes or workflow.cores
    signal.signal(signal.SIGTERM, _end)
    atexit.register(HELD.close)  # Snakemake calls neither onsuccess nor onerror if it cannot write its own files
    if not stored:
        HELD.enter_context(hold(results, "the workflow"))
    return estimate(jobs, at_once), {"planned": jobs, "at_once": at_once}


def _end(*_: object) -> NoReturn:
    """End all jobs and then Snakemake, as Ctrl-C does. Snakemake's own handler of SIGTERM lets its jobs finish, and
    waits for ever if the signal comes while it holds its own lock."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    threading.Thread(target=_end_jobs, daemon=True).start()
    raise KeyboardInterrupt


def _end_jobs() -> None:
    import psutil

    while True:  # repeat, because a job may be starting that is not listed yet
        for job in psutil.Process().children(recursive=True):
            job.terminate()
        time.sleep(0.1)
