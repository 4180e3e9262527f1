"""What a run is said to take, and what is asked of a cluster."""

import math
import re

import pytest

from dicebase.cli import main
from dicebase.pipeline import configuration
from dicebase.pipeline.costs import (
    LEAST_MEMORY,
    LEAST_TIME,
    UNKNOWN_MEMORY,
    UNKNOWN_TIME,
    Cost,
    Costs,
    Growth,
    all_jobs,
    duration,
    estimate,
    mem_mb,
    read_costs,
    runtime,
)
from dicebase.pipeline.plan import Plan, make_plan

PIG = {
    "seconds": {"start": 2.0, "scale": 0.5, "powers": {"target": 3, "sides": 1}},
    "memory": {"start": 200.0, "scale": 1.0, "powers": {"target": 2}},
}
MODEL = {
    "machine": "a machine",
    "measured": "2026-01-01",
    "after": {
        "catalog": {
            "seconds": {"start": 3.0, "megabyte": 0.5},
            "memory": {"start": 200.0, "slice": 10.0},
            "megabytes": {"megabyte": 2.0},
        }
    },
    "tables": {"pig_duel": {"solve": PIG, "certify": PIG, "files": {"megabytes": {"start": 1.0, "scale": 2.0}}}},
}
CONFIG = {"tables": {"pig_duel": [{"target": [2, 10], "slice_by": []}], "pig_turn": [{}]}}


@pytest.fixture(scope="module")
def plan():
    return make_plan(CONFIG)


@pytest.fixture(scope="module")
def costs():
    return Costs(MODEL)


def test_a_variant_is_a_product():
    growth = Growth(start=1.0, scale=2.0, powers={"n": 2}, rates={"k": math.log(2)}, factors={"w": {"a": 3, "b": 5}})
    assert growth.of_variant({"n": 3, "k": 4, "w": "a"}) == pytest.approx(2 * 9 * 16 * 3)
    assert growth.of_variant({"n": 3, "k": 4, "w": "never seen"}) == pytest.approx(2 * 9 * 16 * 5)
    two = [{"n": 1, "k": 0, "w": "a"}, {"n": 2, "k": 0, "w": "b"}]
    assert growth.total(two) == pytest.approx(1 + 6 + 40)
    assert growth.most(two) == pytest.approx(1 + 40)


def test_a_slice_adds_up_in_time_and_not_in_memory(costs, plan):
    cost = costs.of_slice("solve", plan.find("pig_duel", "all"))
    assert cost.seconds == pytest.approx(2 + 0.5 * 6 * (2**3 + 10**3))
    assert cost.memory == pytest.approx(200 + 10**2)
    assert cost.disk == pytest.approx(1 + 2 + 2)


def test_a_job_that_was_killed_is_given_more(costs, plan):
    job = plan.find("pig_duel", "all")
    cost = costs.of_slice("solve", job)
    assert [mem_mb(cost, attempt) for attempt in (1, 3)] == [LEAST_MEMORY, 3 * LEAST_MEMORY]
    assert runtime(cost, 1) == math.ceil(4 * 3026 / 60) > LEAST_TIME
    assert runtime(cost, 2) == 2 * runtime(cost, 1)


def test_a_table_never_measured_is_given_much(costs, plan):
    job = plan.find("pig_turn", "sides=6_dice=1")
    cost = costs.of_slice("solve", job)
    assert cost is None
    assert (mem_mb(cost, 1), runtime(cost, 2)) == (UNKNOWN_MEMORY, 2 * UNKNOWN_TIME)


def test_what_reads_all_tables_grows_with_them(costs, plan):
    assert costs.after("catalog", plan) is None  # one of the tables was never measured
    measured = make_plan({"tables": {"pig_duel": CONFIG["tables"]["pig_duel"]}})
    assert costs.after("catalog", measured) == Cost(seconds=3 + 0.5 * 5, memory=200 + 10, disk=10)
    assert costs.after("report", measured) is None


def test_the_estimate_says_what_it_does_not_know(costs, plan):
    said = estimate(costs.of(plan, all_jobs(plan)), 2)
    assert said.startswith(f"10 jobs: at least {duration(6052)} with 2 at a time; {duration(6052)} of work; ")
    assert "; 5 MB of results; 300 MB of memory in the largest job (solve pig_duel all)" in said
    assert said.endswith("not counted, as never measured: audit, catalog, datapackage, explorer, map, pig_turn, report")


def test_the_estimate_counts_what_is_to_be_done(costs, plan):
    measured = make_plan({"tables": {"pig_duel": CONFIG["tables"]["pig_duel"]}})
    said = estimate(costs.of(measured, [("certify", "pig_duel", "all"), ("catalog", "", "")]), 1)
    assert said.startswith(f"2 jobs: about {duration(3026 + 5.5)} with 1 at a time; ") and "; 10 MB of results" in said
    assert estimate({}, 1) == "0 jobs: about 0 s with 1 at a time; 0 s of work"


def test_the_command_estimates_a_configuration(tmp_path, capsys):
    config = tmp_path / "mine.yaml"
    config.write_text("tables: {pig_duel: [{target: [20, 40]}]}")
    assert main(["estimate", "--config", str(config), "--cores", "3"]) == 0
    said = r"10 jobs: about .* with 3 at a time; .* of work; \d+ MB of results; \d+ MB of memory in the largest"
    assert re.match(said, capsys.readouterr().out)


@pytest.mark.parametrize("cores", ["0", "-1", "two", "1.5"])
def test_no_cores_are_refused(cores, capsys):
    with pytest.raises(SystemExit, match="2"):
        main(["estimate", f"--cores={cores}"])
    assert f"'{cores}' is not allowed; give a whole number, at least 1" in capsys.readouterr().err


@pytest.mark.parametrize(("seconds", "said"), [(0.4, "0 s"), (99, "99 s"), (130, "2 min"), (7200, "2.0 h")])
def test_durations_are_said_as_people_say_them(seconds, said):
    assert duration(seconds) == said


def test_the_model_grows_with_the_target():
    costs = read_costs()
    small, large = (
        make_plan({"tables": {"pig_duel": [{"target": target}]}}).slices.popitem()[1] for target in (100, 1000)
    )
    for rule in ("solve", "certify"):
        first, second = costs.of_slice(rule, small), costs.of_slice(rule, large)
        assert second.seconds > 10 * first.seconds > 0
        assert mem_mb(second, 1) >= mem_mb(first, 1)


def test_every_table_of_the_full_grid_was_measured():
    full = make_plan(configuration.read(["config/full.yaml"]))
    assert [name for name, cost in read_costs().of(full, all_jobs(full)).items() if cost is None] == []


def test_a_layer_takes_what_its_positions_do():
    # docs/scale/layers.md: 152 and 66 CPU seconds and 4.5 GB, measured.
    seven = make_plan({"tables": {"royal_ur_layers": [{"pieces": 7, "layer": "7-6"}]}})
    largest = seven.find("royal_ur_layers", next(name for _, name in seven.slices if "layer=7-6" in name))
    solve, certify = (read_costs().of_slice(rule, largest) for rule in ("solve", "certify"))
    assert 100 < solve.seconds < 200 and 50 < certify.seconds < 100
    assert 4000 < solve.memory < 6000 and 6000 < mem_mb(solve, 1) < 9000


@pytest.mark.parametrize("at_once", [1, 2, 8])
def test_a_run_takes_the_longest_chain_or_its_share_of_the_work(costs, plan, at_once):
    # Four slices that take as long, each solved and then certified; the catalogue is made at the end.
    four = Plan({("pig_duel", str(i)): plan.find("pig_duel", "all") for i in range(4)})
    last = costs.after("catalog", four).seconds
    names = [(rule, *place) for rule in ("solve", "certify") for place in four.slices] + [("catalog", "", "")]
    least = max(2 * 3026 + last, (8 * 3026 + last) / at_once)
    assert f"about {duration(least)} with" in estimate(costs.of(four, names), at_once)
