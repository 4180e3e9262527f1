"""benchmarks/tools/schedule.py: the time that jobs with dependencies take on a number of cores."""

import pytest
from hypothesis import given
from hypothesis import strategies as st


@pytest.fixture(scope="module")
def tool(script):
    return script("schedule")


def test_the_makespan_of_a_small_schedule(tool):
    Job = tool.Job
    jobs = {"a": Job(3), "b": Job(2), "c": Job(2), "d": Job(1, frozenset("a"))}
    assert [tool.makespan(jobs, cores) for cores in (1, 2, 3)] == [8, 4, 4]
    assert tool.makespan({}, 2) == 0


@pytest.mark.parametrize(
    ("waits", "problem"), [({"a": "b"}, "a waits for b"), ({"a": "b", "b": "a"}, "a waits for itself")]
)
def test_a_schedule_with_a_missing_job_or_a_cycle_is_refused(tool, waits, problem):
    with pytest.raises(ValueError, match=problem):
        tool.makespan({name: tool.Job(1, frozenset(after)) for name, after in waits.items()}, 1)


@given(data=st.data(), cores=st.integers(1, 4))
def test_the_makespan_lies_between_the_bounds_of_graham(tool, data, cores):
    count = data.draw(st.integers(1, 8))
    jobs, longest = {}, {}
    for name in range(count):
        seconds = data.draw(st.integers(0, 9))
        after = data.draw(st.frozensets(st.integers(0, name - 1))) if name else frozenset()
        jobs[name] = tool.Job(seconds, after)
        longest[name] = seconds + max((longest[b] for b in after), default=0)
    path, work = max(longest.values()), sum(job.seconds for job in jobs.values())
    assert max(path, work / cores) <= tool.makespan(jobs, cores) <= work / cores + (1 - 1 / cores) * path + 1e-9
    assert tool.makespan(jobs, 1) == work
