"""docs/why/audit.md on races and duels: every number of its section that is in no cell."""

import math
from fractions import Fraction

import pytest

from reference import matches
from support import fixed_policies, hold_at_20
from support.audit_page import FINDINGS, PAGE
from support.match_tables import columns
from support.printed import agrees, decimals

pytestmark = pytest.mark.usefixtures("default_results")  # of `make check`, as all that pages say
SECTION = PAGE.split("## Races and duels: the wider literature\n")[1]


def rows(heading):
    """The cells of the table below some words of the section, by row."""
    lines = SECTION.split(heading)[1].split("\n### ")[0].splitlines()
    table = [[entry.strip() for entry in line.strip("|").split("|")] for line in lines if line.startswith("|")]
    return table[2:]


def beginning_alike():
    return fixed_policies.matchup(matches.pig(), *2 * [fixed_policies.hold_at_20()])


def turns_of_hold_at_20():
    """The expected turns to 100 of who holds at 20 or goal."""
    R = {}
    for banked in range(99, -1, -1):
        _, lost, kept = (x[0] for x in fixed_policies.chances(matches.pig(), fixed_policies.hold_at_20(), banked))
        R[banked] = (1 + sum(kept[t] * R[banked + t] for t in range(1, 100 - banked))) / (1 - lost)
    return R[0]


OURS = {
    "Neller, First-Player Advantage": (beginning_alike, lambda: columns("pig_duel")["value"][0]),
    "Neller, Average Pig Turns": (turns_of_hold_at_20, lambda: columns("pig_race")["value"][0]),
    "Neller, Hold-at-20 Outcomes": (
        lambda: fixed_policies.chances(matches.pig(), fixed_policies.hold_at_20(), 0)[1][0],
        None,
    ),
}


@pytest.mark.parametrize("row", rows("is sometimes taken for it:"), ids=lambda row: row[0])
def test_what_holding_at_20_gives_is_what_the_page_says(row):
    source, printed, _, ours, best = row
    computed, optimal = OURS[source]
    assert ours == decimals(Fraction(float(computed())), 6)
    assert best == ("" if optimal is None else decimals(Fraction(float(optimal())), 6))
    assert source == "Neller, Average Pig Turns" or agrees(printed, Fraction(float(computed())))


def test_every_other_number_of_the_section_is_computed():
    pig, best = matches.pig(), fixed_policies.published(columns("pig_duel"), 100, 1, 2)
    begins, waits = (
        fixed_policies.matchup(pig, best, fixed_policies.hold_at_20()),
        1 - fixed_policies.matchup(pig, fixed_policies.hold_at_20(), best),
    )
    first, second = hold_at_20.duel(100)
    said = " ".join(SECTION.split())
    assert f"wins {percent(begins, 2)} % of the matches that it begins" in said
    assert f"and {percent(waits, 2)} % of the others" in said
    assert f"wins {percent(first, 4)} % of the matches that it begins" in said
    assert f"wins {percent(1 - second, 4)} % of those that the other begins" in said
    assert f"gives up {percent(first - begins, 2)} %" in said


def percent(probability, places):
    return decimals(Fraction(100 * float(probability)), places)


def test_the_samples_are_as_far_from_what_they_estimate_as_the_page_says():
    p, (mean, variance) = beginning_alike(), hold_at_20.turns(100)
    above = (0.534951 - p) / math.sqrt(p * (1 - p) / 10**6)
    below = (mean - 12.634906) / math.sqrt(variance / 10**6)
    assert f"{above:.2f} standard errors above the probability" in FINDINGS
    assert f"{below:.2f} standard errors below the mean" in FINDINGS
