"""docs/why/house.md lists the packages and the calls of a lookup as they are in the code."""

import re
import sys

import pytest
import yaml
from test_architecture import IMPORTS

from dicebase.cli import main
from support import commands, grids

PAGE = (commands.ROOT / "docs/why/house.md").read_text(encoding="utf-8")
GRID = yaml.safe_load(grids.CROCCE_MORDECKI) | {"tables": {"ten_thousand_duel": [{"target": 300}]}}


def test_the_packages_of_the_page_are_those_of_the_rule():
    rooms = re.findall(r"^\| `(\w+)` \| [^|]+ \|$", PAGE.partition("## ")[0], re.MULTILINE)
    assert [*rooms, "cli"] == [*IMPORTS]


@pytest.fixture
def passed(tmp_path, monkeypatch):
    """(caller's file, file, function) for every call of the package's functions in the lookup of the page."""
    grids.build(tmp_path / "results", yaml.safe_dump(GRID))
    (command,) = re.findall(r"^`dicebase (lookup .*?)`", PAGE, re.MULTILINE)
    monkeypatch.chdir(tmp_path)
    calls = []

    def file_of(frame) -> str:
        return frame.f_code.co_filename.rpartition("/dicebase/")[2] if frame else ""

    def profile(frame, event, _):
        if event == "call" and "/workflow/dicebase/" in frame.f_code.co_filename:
            calls.append((file_of(frame.f_back), file_of(frame), frame.f_code.co_qualname))

    sys.setprofile(profile)
    try:
        assert main([*command.split(), "target=300"]) == 0
    finally:
        sys.setprofile(None)
    return calls


def test_a_lookup_calls_the_functions_of_the_page_in_their_order(passed):
    walk = re.findall(r"^ *([\w.]+) +([a-z_/]+\.py) ", PAGE.partition("```text\n")[2], re.MULTILINE)
    assert len(walk) == 18
    calls = iter((function, file) for _, file, function in passed)
    for step in walk:
        assert step in calls, f"{step} is not passed, or not there"


def test_a_lookup_calls_later_packages_only_for_its_rows(passed):
    order = [*IMPORTS]

    def place(file: str) -> int:
        return order.index(file.removesuffix(".py").partition("/")[0])

    known = [(a, b, name) for a, b, name in passed if a in {f for _, f, _ in passed} and "__init__" not in a + b]
    climbs = {(a, b, name) for a, b, name in known if place(b) > place(a)}
    # The vocabulary calls the rules, because it caches their answers.
    asked = {
        ("tables/follow/one_position.py", "catalog/rows/row_arrays.py"),
        ("vocabulary/rules/turns.py", "games/ten_thousand.py"),
    }
    assert {(a, b) for a, b, _ in climbs} <= asked
