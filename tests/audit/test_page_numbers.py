"""The numbers in the prose of docs/why/audit.md, docs/games/hog.md and the findings are computed from the games."""

import math
import re
from fractions import Fraction

import duckdb
import numpy as np
import pytest

from reference import hog as paper
from reference.hog_simultaneous import Simultaneous
from reference.matches import BUST
from reference.ten_times_eighteen_scores import mean, standard_deviation
from support import hold_at_20
from support.audit_page import FINDINGS, PAGE, table
from support.commands import ROOT
from support.match_tables import columns
from support.papers_bocker import FAIR, LOADED, closest, production, ranks, scores
from support.printed import agrees, decimals, read

pytestmark = pytest.mark.usefixtures("default_results")  # run by `make check`
GAMES = {game: (ROOT / f"docs/games/{game}.md").read_text(encoding="utf-8") for game in ("hog", "ten_times_eighteen")}


def section(heading):
    return " ".join(PAGE.split(f"## {heading}\n")[1].split())


# --- Ten Times Eighteen -------------------------------------------------------------------------------------------


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
    text = section("Böcker, Ten Times Eighteen")
    assert decimals(Fraction(margin), 16) in text and f"{len(positions)} positions" in text


def test_the_page_of_the_game_answers_the_open_questions_of_the_paper():
    found = " ".join(row["Found"] for row in table("What the conclusion leaves open"))
    numbers, page = re.findall(r"0\.\d+", found), GAMES["ten_times_eighteen"]
    assert len(numbers) == 2 and all(number in page for number in numbers)
    assert all(column in page for column in ("a_beats_b", "same   optimal     response_2  response "))


def test_the_pages_have_the_value_of_the_versus_table(default_results):
    played = "name = 'ten_times_eighteen_versus' AND parameters->>'distribution' = '3d6'"
    with duckdb.connect(str(default_results / "dicebase.duckdb"), read_only=True) as connection:
        ((value,),) = connection.sql(f"SELECT value FROM tables WHERE {played}").fetchall()
    assert all(f"{value:.6f}" in page for page in (GAMES["ten_times_eighteen"], PAGE))


# --- Hog ----------------------------------------------------------------------------------------------------------


def test_rationals_confirm_the_computed_numbers_of_hog(audited):
    low = Simultaneous(9, 5)  # all states of the differing cells have at most nine points to go
    Q, best = paper.reach(40, 4, 10)
    rows = [row for (source, *_), row in audited.items() if source == "Tijms and van der Wal (2005)"]
    differing = [row for row in rows if row["verdict"] not in ("agrees", "illegible")]
    assert len(differing) == 15
    for row in differing:
        if score := re.search(r"reach_then_(\d+)_dice", row["cell"]):
            assert [int(row["ours"])] == best[4, int(score[1])]
        else:
            places = re.findall(r"G-(\d+)", row["cell"]) or ["1", "3"]
            dice = int(re.search(r"(\d)[ _]dice", row["cell"])[1])
            mix = low.mix[9 - int(places[0]), 9 - int(places[1])][dice - 1]
            assert float(row["ours"]) == pytest.approx(float(mix), abs=1e-12)
    said = [f"{float(Q[4, i][d]):.5f}" for i, d in ((17, 4), (17, 5), (22, 3), (22, 4))]
    assert [number for number in said if number not in FINDINGS] == []


def test_the_page_counts_illegible_cells():
    lost = {n: sum(r["legible"] == "no" for r in read(f"tijms_table_{n}")) for n in (3, 5)}
    text = section("Tijms and van der Wal, Hog")
    assert f"in which {lost[3]} of the {len(read('tijms_table_3'))} cells" in text
    assert f"{lost[5]} of the {len(read('tijms_table_5'))} numbers" in text


def mixing(target: int, dice: int) -> list[int] | None:
    """[number of states with a mix, largest distance to the target, largest distance of the nearer player]."""
    from dicebase.solvers.throws.simultaneous import solve_simultaneous  # imports QuantEcon, which takes a second

    reach = 6 * dice + 1
    q = np.zeros((dice, reach))
    for d in range(dice):
        q[d, : 6 * d + 7] = [float(p) for p in paper.gains(d + 1)]
    stage = solve_simultaneous(q, target, False)
    used = stage.mix > 0
    mixed = used.sum(axis=2) > 1
    # Strict complementarity: no other mix is optimal.
    assert np.where(used, stage.mix, stage.value[:, :, None] - stage.q).min(axis=2)[mixed].min(initial=1) > 1e-7
    missing = target - np.argwhere(mixed)
    return [len(missing), int(missing.max()), int(missing.min(axis=1).max())] if len(missing) else None


def test_the_page_of_hog_says_where_players_randomise():
    rows = [[int(entry) for entry in row.values()] for row in table("Where players randomise", GAMES["hog"])]
    assert [mixing(150, dice) for dice in (1, 2, 3)] == [None] * 3
    assert rows == [[dice, *mixing(150, dice)] for dice in range(4, 21)]


@pytest.mark.parametrize("dice", range(4, 11))
def test_players_with_up_to_ten_dice_do_not_randomise_beyond_150_points(dice):
    assert mixing(400, dice) == mixing(150, dice)


# --- races and duels ----------------------------------------------------------------------------------------------


def both_hold_at_20():
    return hold_at_20.duel(100, hold_at_20.same(100))[0]


FIRST, TURNS = "Neller, First-Player Advantage", "Neller, Average Pig Turns"
OURS = {
    FIRST: (both_hold_at_20, lambda: columns("pig_duel")["value"][0]),
    TURNS: (lambda: hold_at_20.turns(100)[0], lambda: columns("pig_race")["value"][0]),
    "Neller, Hold-at-20 Outcomes": (lambda: hold_at_20.ends(100)[BUST], None),
}


def test_the_page_says_how_holding_at_20_compares_with_optimal_play():
    rows = re.findall(r"^\| (Neller, [^|]+) \| ([\d.]+) \| [^|]+ \| ([\d.]+) \| ([\d.]*) ?\|$", PAGE, re.M)
    assert [source for source, *_ in rows] == [*OURS]
    for source, printed, ours, best in rows:
        computed, optimal = OURS[source]
        assert ours == decimals(Fraction(float(computed())), 6)
        assert best == ("" if optimal is None else decimals(Fraction(float(optimal())), 6))
        assert source == TURNS or agrees(printed, Fraction(float(computed())))


def percent(probability, places):
    return decimals(Fraction(100 * float(probability)), places)


def test_the_section_on_races_and_duels_has_no_other_number():
    begins, waits = hold_at_20.duel(100, hold_at_20.published(columns("pig_duel")))
    first, second = hold_at_20.duel(100)
    said = section("Races and duels: the wider literature")
    assert f"wins {percent(begins, 2)} % of the matches that it begins" in said
    assert f"and {percent(waits, 2)} % of the others" in said
    assert f"wins {percent(first, 4)} % of the matches that it begins" in said
    assert f"wins {percent(1 - second, 4)} % of those that the other begins" in said
    assert f"gives up {percent(first - begins, 2)} %" in said


def test_the_samples_are_as_far_from_what_they_estimate_as_the_page_says():
    p, (expected, variance) = both_hold_at_20(), hold_at_20.turns(100)
    printed = {row["source"]: float(row["printed"]) for row in read("pig") if row["place"] == "sample"}
    wins, turns = printed[FIRST], printed[TURNS]
    above = (wins - p) / math.sqrt(p * (1 - p) / 10**6)
    below = (expected - turns) / math.sqrt(variance / 10**6)
    assert f"{above:.2f} standard errors above the probability" in FINDINGS
    assert f"{below:.2f} standard errors below the mean" in FINDINGS
