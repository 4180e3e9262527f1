"""The predicted time and memory of a run, and the resources requested from a cluster."""

import math
import re

import pytest

from dicebase.cli import main
from dicebase.pipeline import costs as module
from dicebase.pipeline.costs import Cost, Costs, all_jobs, duration, estimate, mem_mb, resources, runtime, size_of
from dicebase.pipeline.plan import Plan, make_plan

CONFIG = {"tables": {"pig_duel": [{"target": [40, 100], "slice_by": []}], "pig_turn": [{}]}}
ONE = {"tables": {"pig_duel": CONFIG["tables"]["pig_duel"]}}
COLUMNS = ("rule", "table", "slice", "size", "seconds", "memory", "disk")


@pytest.fixture(scope="module")
def plan():
    return make_plan(CONFIG)


@pytest.fixture(scope="module")
def piece(plan):
    return plan.find("pig_duel", "all")


@pytest.fixture(scope="module")
def costs(piece):
    rows = [(rule, "pig_duel", "all", size_of(piece), 3000, 350, 5) for rule in ("solve", "certify")]
    rows += [("solve", "pig_duel", "small", size_of(piece) / 1000, 1, 150, 1), ("catalog", "", "", 5, 6, 210, 10)]
    return Costs(dict(zip(COLUMNS, row, strict=True)) for row in rows)


def test_a_slice_takes_the_measured_time_in_proportion_to_its_rows(costs, piece):
    assert costs.of_slice("solve", piece) == Cost(3000, 350, 5)
    larger = make_plan({"tables": {"pig_duel": [{"target": 1000}]}}).slices.popitem()[1]
    ratio = size_of(larger) / size_of(piece)
    assert ratio > 10
    cost = costs.of_slice("solve", larger)
    assert (cost.seconds, cost.disk) == pytest.approx((3000 * ratio, 5 * ratio))
    assert cost.memory == pytest.approx(module.STARTED + (350 - module.STARTED) * ratio)


def test_a_killed_job_requests_more_when_it_is_repeated(costs, piece):
    cost = costs.of_slice("solve", piece)
    assert [mem_mb(cost, attempt) for attempt in (1, 3)] == [module.LEAST_MEMORY, 3 * module.LEAST_MEMORY]
    assert runtime(cost, 1) == math.ceil(4 * 3000 / 60) > module.LEAST_TIME
    assert runtime(cost, 2) == 2 * runtime(cost, 1)


def test_a_job_of_an_unmeasured_table_requests_the_default_resources(costs, plan):
    requested = resources(costs, plan, "solve")
    wildcards = {"table": "pig_turn", "slice": "sides=6_dice=1"}
    assert costs.of_slice("solve", plan.find(*wildcards.values())) is None
    assert requested["mem_mb"](wildcards, 1) == module.UNKNOWN_MEMORY
    assert requested["runtime"](wildcards, 2) == 2 * module.UNKNOWN_TIME


def test_a_rule_that_reads_all_tables_needs_all_of_them_measured(costs, plan):
    assert costs.after("catalog", plan) is None  # pig_turn was never measured
    assert costs.after("catalog", make_plan(ONE)) == Cost(seconds=6, memory=210, disk=10)
    assert costs.after("report", make_plan(ONE)) is None


def test_the_estimate_names_the_tables_never_measured(costs, plan):
    said = estimate(costs.of(plan, all_jobs(plan)), 2)
    assert said.startswith(f"10 jobs: at least {duration(6000)} with 2 at a time; {duration(6000)} of work; ")
    assert "; 10 MB of results; 350 MB of memory in the largest job (solve pig_duel all)" in said
    assert said.endswith("because never measured: audit, catalog, datapackage, explorer, map, pig_turn, report")
    # The estimate counts only the jobs to run.
    said = estimate(costs.of(make_plan(ONE), [("certify", "pig_duel", "all"), ("catalog", "", "")]), 1)
    assert said.startswith(f"2 jobs: about {duration(3006)} with 1 at a time; ") and "; 15 MB of results" in said
    assert estimate({}, 1) == "0 jobs: about 0 s with 1 at a time; 0 s of work"


def test_the_command_estimates_a_configuration(tmp_path, capsys):
    config = tmp_path / "mine.yaml"
    config.write_text("tables: {pig_duel: [{target: [20, 40]}]}")
    assert main(["estimate", "--config", str(config), "--cores", "3"]) == 0
    said = r"10 jobs: about .* with 3 at a time; .* of work; \d+ MB of results; \d+ MB of memory in the largest"
    assert re.match(said, capsys.readouterr().out)


def test_durations_have_the_unit_that_people_use():
    assert [duration(seconds) for seconds in (0.4, 99, 130, 7200)] == ["0 s", "99 s", "2 min", "2.0 h"]


@pytest.mark.parametrize("at_once", [1, 2, 8])
def test_a_run_takes_the_longest_chain_or_its_share_of_the_work(costs, piece, at_once):
    # Four equal slices, each solved and then certified; the catalogue comes last.
    four = Plan({("pig_duel", str(i)): piece for i in range(4)})
    last = costs.after("catalog", four).seconds
    names = [(rule, *place) for rule in ("solve", "certify") for place in four.slices] + [("catalog", "", "")]
    least = max(2 * 3000 + last, (8 * 3000 + last) / at_once)
    assert f"about {duration(least)} with" in estimate(costs.of(four, names), at_once)
