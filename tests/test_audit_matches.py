"""docs/audit.md on races and duels: every count and every number of its section."""

import re
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest

import match_play
from by_turns import at, columns
from printed import decimals
from printed_matches import cells, hold_at_20
from reference import matches

PAGE = (Path(__file__).parents[1] / "docs" / "audit.md").read_text(encoding="utf-8")
SECTION = PAGE.split("## Races and duels: the wider literature\n")[1]
SOURCES = {
    "NP": "Neller and Presser (2004)",
    "HR": "Haigh and Roters (2000)",
    "PL": "Piglet",
    "FA": "First-Player Advantage",
    "PW": "Possibly Wrong",
    "DB": "Butler",
}


def rows(heading):
    """The cells of the table below a heading of the section, by row."""
    lines = SECTION.split(f"### {heading}\n")[1].split("\n### ")[0].splitlines()
    table = [[entry.strip() for entry in line.strip("|").split("|")] for line in lines if line.startswith("|")]
    return table[2:]


def test_every_source_is_counted_as_the_tests_count_it():
    counted = {}
    for source, _, *numbers in rows("Wider: what agrees"):
        found = Counter(c.agrees for c in cells(SOURCES[source]))
        counted[source] = [found.total(), found[True], found[False]]
        assert counted[source] == list(map(int, numbers)), source
    assert counted.keys() == SOURCES.keys()
    assert sum(total for total, _, _ in counted.values()) == sum(1 for _ in cells())


def turns_of_hold_at_20():
    """The expected turns to 100 of who holds at 20 or goal."""
    R = {}
    for banked in range(99, -1, -1):
        _, lost, kept = (x[0] for x in match_play.chances(matches.pig(), hold_at_20(), banked))
        R[banked] = (1 + sum(kept[t] * R[banked + t] for t in range(1, 100 - banked))) / (1 - lost)
    return R[0]


def beginning_alike(policy):
    return match_play.matchup(matches.pig(), policy, policy)


OURS = {
    "FA": (lambda: beginning_alike(hold_at_20()), lambda: columns("pig_duel")["value"][0]),
    "AT": (turns_of_hold_at_20, lambda: columns("pig_race")["value"][0]),
    "PH": (lambda: match_play.chances(matches.pig(), hold_at_20(), 0)[1][0], None),
}


@pytest.mark.parametrize("row", rows("Wider: numbers of another quantity"), ids=lambda row: row[0])
def test_a_number_of_another_quantity_is_right_as_what_it_is(row):
    source, _, printed, _, ours, best = row
    computed, optimal = OURS[source[:2]]
    assert ours == decimals(Fraction(float(computed())), 6)
    assert best == ("" if optimal is None else decimals(Fraction(float(optimal())), 6))
    number, *games = re.findall(r"[\d.]+", printed)
    if games:  # a million games: a few standard errors, of at most ten turns or half a win
        assert abs(float(number) - computed()) < 0.006
    else:
        assert abs(float(number) - computed()) <= 0.5 * 10.0 ** -len(number.split(".")[1])


def test_every_other_number_of_the_section_is_computed():
    best = match_play.published(columns("pig_duel"), 100, 1, 2)
    against = match_play.matchup(matches.pig(), best, hold_at_20())
    within = at(columns("pig_reach", dice=2, turns=15), turns_left=15, banked=0, turn_total=0)["value"]
    assert f"wins {decimals(Fraction(100 * against), 2)} % of the matches that it begins" in SECTION
    assert f"within 15 turns {decimals(Fraction(100 * float(within)), 1)} % of matches" in SECTION
    assert f"a race takes {decimals(Fraction(float(columns('pig_race', dice=2)['value'][0])), 6)} turns" in SECTION
