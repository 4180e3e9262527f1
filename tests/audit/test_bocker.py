"""The section on Ten Times Eighteen of docs/why/audit.md says what the tests compute."""

import math
import re
from fractions import Fraction

import pytest

from reference.ten_times_eighteen_scores import mean, standard_deviation
from support.audit_page import FINDINGS, PAGE, table
from support.commands import ROOT
from support.papers_bocker import FAIR, LOADED, closest, production, ranks, scores
from support.printed import decimals, read

pytestmark = pytest.mark.usefixtures("default_results")  # of `make check`, as all that pages say
SECTION = " ".join(PAGE.split("## Böcker, Ten Times Eighteen\n")[1].split())


def test_the_averages_of_random_games_are_as_far_from_the_means_as_the_page_says():
    said = [decimals(ranks(LOADED)[5, 2], 3)]
    for strategy in ("optimal", "clairvoyant"):
        chances = scores(FAIR)[strategy]
        printed = next(r["printed"] for r in read("bocker_numbers") if r["name"] == f"simulated_mean_{strategy}")
        errors = (Fraction(printed) - mean(chances)) / Fraction(standard_deviation(chances) / math.sqrt(10**6))
        said += [decimals(errors, 2)]
    said += [decimals(mean(scores(LOADED)["optimal"]), 5)]
    assert [number for number in said if number not in FINDINGS] == []
    margin, positions = closest(set(production()))
    assert decimals(Fraction(margin), 16) in SECTION and f"{len(positions)} positions" in SECTION


def test_what_the_conclusion_leaves_open_is_shown_on_the_page_of_the_game():
    page = (ROOT / "docs/games/ten_times_eighteen.md").read_text(encoding="utf-8")
    found = " ".join(row["Found"] for row in table("What the conclusion leaves open"))
    numbers = re.findall(r"0\.\d+", found)
    assert len(numbers) == 2 and all(number in page for number in numbers)
    assert all(column in page for column in ("a_beats_b", "same   optimal     response_2  response "))
