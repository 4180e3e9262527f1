"""Statements of Böcker's paper, checked by the solver and the independent reference."""

from fractions import Fraction

import pytest

from reference import ten_times_eighteen as paper
from reference import ten_times_eighteen_scores as paper_scores
from support.papers_bocker import ALL, FAIR, LOADED, closest, placed, production, ranks, scores, sets
from support.printed import agrees, decimals, read


def slots_of(free: int) -> frozenset[int]:
    return frozenset(i for i in range(1, FAIR.slots + 1) if free >> i - 1 & 1)


def test_table_7_prints_a_digit_that_computation_does_not_give():
    E = ranks(LOADED)[5, 2]
    assert E == paper.rank_table(paper.LOADED, 5)[5, 2] == Fraction(124217473970, 10604499373)
    assert float(E) == 11.713657533543616 and decimals(E, 3) == "11.714"
    others = [row for row in read("bocker_table7") if (row["j"], row["i"]) != ("5", "2")]
    exact = {row["value"]: ranks(LOADED)[int(row["j"]), int(row["i"])] for row in others}
    assert len(exact) == 14 and all(decimals(e, 3) == printed for printed, e in exact.items())
    # The table is not truncated after three digits either: these four values would then differ.
    assert [p for p, e in exact.items() if e < Fraction(p)] == ["16.012", "12.613", "10.532", "17.146"]
    # The total printed with the table is right; it would be wrong with 11.713 for E_5[2].
    total = sum(i * ranks(LOADED)[5, i] for i in range(1, 6))
    assert agrees("231.11229", total) and not agrees("231.11229", total + 2 * (Fraction("11.713") - E))


def test_the_simulated_medians_are_exact_and_the_random_strategy_has_two():
    found = {strategy: paper_scores.medians(chances) for strategy, chances in scores(FAIR).items()}
    assert found == {"random": (577, 578), "optimal": (646, 646), "clairvoyant": (654, 654)}
    assert sum(p for score, p in scores(FAIR)["random"].items() if score <= 577) == Fraction(1, 2)


def test_the_closest_call_of_the_game_takes_seven_free_slots_not_consecutive_ones():
    margin, positions = closest(set(production()))
    assert margin == 0.029885290745027434 and len(positions) == 168
    expected = []
    for free in range(1, ALL + 1):
        slots = sorted(slots_of(free))
        if len(slots) == 7:
            # A roll of 10 is close if the third and fourth free slots are neighbours, 11 if the fourth and fifth are.
            expected += [(free, 10)] * (slots[3] - slots[2] == 1) + [(free, 11)] * (slots[4] - slots[3] == 1)
    assert positions == expected
    consecutive = [(free, x) for free, x in positions if max(slots_of(free)) - min(slots_of(free)) == 6]
    assert len(consecutive) == 8
    # In rationals too, the runner-up has the same loss in all these positions.
    least, where = paper.closest_calls(FAIR.weights, FAIR.factors)
    assert float(least) == margin
    assert {(sum(1 << i - 1 for i in A), x, best, other) for A, x, best, other in where} == {
        (*position, *placed(*position)) for position in positions
    }


def test_the_row_used_by_recurrence_6_is_the_one_before():
    """(6) prints I_j(x) where the rule of play, and Table 4, take the index in row j - 1."""
    E = ranks(FAIR)

    def row(j, index_row):
        """Row j of (6), with the index I taken from row `index_row`."""
        bars = [E[index_row, i] for i in range(1, index_row + 1)]
        found = [Fraction(0)] * j
        for x, w in FAIR.weights.items():
            index = min(sum(e < x for e in bars), j - 1)
            before = [E[j - 1, i] for i in range(1, j)]
            for i, e in enumerate([*before[:index], Fraction(x), *before[index:]]):
                found[i] += Fraction(w, 216) * e
        return found

    for j in range(2, 11):
        assert row(j, j - 1) == [E[j, i] for i in range(1, j + 1)]
        assert row(j, j) != [E[j, i] for i in range(1, j + 1)]


def test_table_2_takes_its_sets_for_the_free_slots():
    """If A were the filled slots, as section 4 says, M[B - {i}] of Table 2 would be the value of one slot, 10.5 i."""
    for row in read("bocker_table2"):
        slot = int(row["slot"])
        assert agrees(row["value"], sets(FAIR)[ALL & ~(1 << slot - 1)])
        assert sets(FAIR)[1 << slot - 1] == slot * Fraction(21, 2) != Fraction(row["value"])
    assert sets(FAIR)[0] == 0, "M of the empty set: nothing is left to be filled"


@pytest.mark.parametrize("rules", [FAIR, LOADED], ids=["three dice", "loaded dice"])
def test_q_of_recurrence_7_is_the_score_of_the_rolls_up_to_y(rules):
    """The prose calls it the score of the L - l other rolls, but then Q[x_max, L] would be 0."""
    Q = paper.clairvoyant_table(rules.weights, rules.factors)
    for (y, left), value in Q.items():
        upto = {x: w for x, w in rules.weights.items() if x <= y}
        if upto:
            assert value == sum(m * x for m, x in zip(rules.factors, paper.order_statistics(upto, left), strict=False))
    assert Q[max(rules.weights), rules.slots] == paper_scores.mean(scores(rules)["clairvoyant"])
