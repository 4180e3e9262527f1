"""Böcker's paper, the cell that differs and what the text says of the game, beside dicebase and the blind reference."""

from fractions import Fraction

import pytest

from reference import ten_times_eighteen as paper
from reference import ten_times_eighteen_scores as paper_scores
from support.papers_bocker import ALL, FAIR, LOADED, closest, placed, production, ranks, scores, sets
from support.printed import agrees, decimals, read


def slots_of(free: int) -> frozenset[int]:
    return frozenset(i for i in range(1, FAIR.slots + 1) if free >> i - 1 & 1)


# --- the cell that differs ------------------------------------------------------------------------------------------


def test_table_7_prints_a_digit_that_computation_does_not_give():
    E = ranks(LOADED)[5, 2]
    assert E == paper.rank_table(paper.LOADED, 5)[5, 2] == Fraction(124217473970, 10604499373)
    assert float(E) == 11.713657533543616 and decimals(E, 3) == "11.714"
    others = [row for row in read("bocker_table7") if (row["j"], row["i"]) != ("5", "2")]
    exact = {row["value"]: ranks(LOADED)[int(row["j"]), int(row["i"])] for row in others}
    assert len(exact) == 14 and all(decimals(e, 3) == printed for printed, e in exact.items())
    # Nor is the table cut off after three digits: then these would be others.
    assert [p for p, e in exact.items() if e < Fraction(p)] == ["16.012", "12.613", "10.532", "17.146"]
    # The total that is printed beside the table is right, and would not be with 11.713 taken for E_5[2].
    total = sum(i * ranks(LOADED)[5, i] for i in range(1, 6))
    assert agrees("231.11229", total) and not agrees("231.11229", total + 2 * (Fraction("11.713") - E))


def test_the_published_games_are_the_blind_references():
    assert FAIR.weights == paper.distribution(3, 6) and LOADED.weights == paper.LOADED
    for rules in (FAIR, LOADED):
        M = paper.subset_table(rules.weights, rules.factors)
        assert {slots_of(free): value for free, value in enumerate(sets(rules))} == M
        assert ranks(rules) == paper.rank_table(rules.weights, rules.slots)
        assert paper.rank_value(rules.weights, rules.factors) == sets(rules)[-1]


@pytest.mark.parametrize("rules", [FAIR, LOADED], ids=["three dice", "loaded dice"])
def test_the_published_distributions_are_the_blind_references(rules):
    for strategy, chances in scores(rules).items():
        assert chances == paper_scores.score_distribution(rules.weights, rules.factors, strategy)
    assert paper_scores.mean(scores(rules)["clairvoyant"]) == paper.clairvoyant_value(rules.weights, rules.factors)
    assert paper_scores.mean(scores(rules)["optimal"]) == sets(rules)[-1]


# --- medians and extremes ----------------------------------------------------------------------------------------


def test_the_simulated_medians_are_exact_and_the_random_strategy_has_two():
    found = {strategy: paper_scores.medians(chances) for strategy, chances in scores(FAIR).items()}
    assert found == {"random": (577, 578), "optimal": (646, 646), "clairvoyant": (654, 654)}
    assert sum(p for score, p in scores(FAIR)["random"].items() if score <= 577) == Fraction(1, 2)


@pytest.mark.parametrize("strategy", ["optimal", "random", "clairvoyant"])
def test_the_least_and_the_greatest_score_take_the_same_roll_ten_times(strategy):
    chances = scores(FAIR)[strategy]
    assert chances[min(chances)] == chances[max(chances)] == Fraction(1, 216**10)
    assert (min(chances), max(chances)) == (165, 990)


def test_figure_1_is_an_excellent_score_with_a_first_move_that_is_not_the_best():
    assert placed(ALL, 8)[0] == 2 and production()[ALL, 8][1].regrets[5 - 1] > 2
    assert placed(ALL & ~(1 << 5 - 1), 4)[0] == 1, "the second move is"
    excellent = sum(p for score, p in scores(FAIR)["optimal"].items() if score >= 698)
    assert Fraction(15, 100) < excellent < Fraction(16, 100)


def test_the_bins_of_figure_2_hold_all_scores():
    names = ("bin_width", "bins_from_n", "bins_to_n")
    width, first, last = (int(r["printed"]) for name in names for r in read("bocker_numbers") if r["name"] == name)
    chances = scores(FAIR)["optimal"]
    binned = {n: sum(chances.get(width * n + d, 0) for d in range(width)) for n in range(first, last + 1)}
    assert sum(binned.values()) == 1 and binned[first] == 0 and binned[first + 1] > 0 and binned[last] > 0


# --- closest calls -----------------------------------------------------------------------------------------------


def test_the_closest_call_of_the_first_move_is_9_and_as_close_12():
    least, where = paper.closest_calls(FAIR.weights, FAIR.factors)
    margin, positions = closest({(ALL, x) for x in FAIR.weights})
    assert positions == [(ALL, 9), (ALL, 12)] and (placed(ALL, 9), placed(ALL, 12)) == ((4, 3), (7, 8))
    M = sets(FAIR)
    losses = {
        x: best * x + M[ALL & ~(1 << best - 1)] - other * x - M[ALL & ~(1 << other - 1)]
        for x, best, other in ((9, 4, 3), (12, 7, 8))
    }
    assert losses[9] == losses[12] and float(losses[9]) == margin == 0.03454818314392108
    assert least < losses[9] and not [A for A, *_ in where if len(A) == 10]


def test_the_closest_call_of_the_game_takes_seven_free_slots_not_consecutive_ones():
    margin, positions = closest(set(production()))
    assert margin == 0.029885290745027434 and len(positions) == 168
    expected = []
    for free in range(1, ALL + 1):
        slots = sorted(slots_of(free))
        if len(slots) == 7:
            # The third and fourth free slot are neighbours, or the fourth and fifth: then a roll of 11 is as close.
            expected += [(free, 10)] * (slots[3] - slots[2] == 1) + [(free, 11)] * (slots[4] - slots[3] == 1)
    assert positions == expected
    consecutive = [(free, x) for free, x in positions if max(slots_of(free)) - min(slots_of(free)) == 6]
    assert len(consecutive) == 8
    # All of the same loss, in rationals too.
    least, where = paper.closest_calls(FAIR.weights, FAIR.factors)
    assert float(least) == margin
    assert {(sum(1 << i - 1 for i in A), x, best, other) for A, x, best, other in where} == {
        (*position, *placed(*position)) for position in positions
    }


def test_the_papers_game_has_no_ties():
    assert not [position for position, (_, ranked, _) in production().items() if ranked.margin == 0]
    assert paper.ties(FAIR.weights, FAIR.factors) == []


# --- what the text says ------------------------------------------------------------------------------------------


def test_a_three_goes_to_the_first_free_slot_and_an_eighteen_to_the_last():
    for (_, x), (slots, ranked, _) in production().items():
        if x in (3, 18):
            assert ranked.best == (0 if x == 3 else len(slots) - 1)


def test_the_first_roll_never_goes_to_slot_3_or_8_and_a_six_to_the_first():
    first = {x: placed(ALL, x)[0] for x in FAIR.weights}
    assert {3, 8}.isdisjoint(first.values()) and len(set(first.values())) == 8
    assert [x for x, slot in first.items() if slot == 1] == [3, 4, 5, 6]
    assert [x for x, slot in first.items() if slot == 10] == [15, 16, 17, 18]
    assert sum(FAIR.weights[x] for x in range(3, 7)) == sum(FAIR.weights[x] for x in range(15, 19)) == 20 < 21.6


def test_a_seven_with_the_even_slots_taken_is_as_with_the_odd_ones_taken():
    odd, even = sum(1 << i - 1 for i in range(1, 10, 2)), sum(1 << i - 1 for i in range(2, 11, 2))
    for x in FAIR.weights:
        one, other = production()[odd, x][1], production()[even, x][1]
        assert one.best == other.best
        assert one.regrets == pytest.approx(other.regrets, abs=1e-12)


def test_turned_round_a_position_is_the_same_problem():
    """21 - x falls as often as x; slots counted from the other end."""
    for (free, x), (_, ranked, _) in production().items():
        turned = sum(1 << FAIR.slots - i for i in slots_of(free))
        mirrored = production()[turned, 21 - x][1]
        assert len(mirrored.regrets) - 1 - mirrored.best == ranked.best
        assert mirrored.margin == ranked.margin


def test_with_five_free_slots_the_fourth_row_of_table_4_says_what_to_do():
    printed = {row["name"]: int(row["printed"]) for row in read("bocker_numbers") if row["name"].startswith("five_")}
    spans = {i: (printed[f"five_free_slot_{i}_from"], printed[f"five_free_slot_{i}_to"]) for i in range(1, 6)}
    to = {x: i for i, (first, last) in spans.items() for x in range(first, last + 1)}
    assert to.keys() == FAIR.weights.keys()
    positions = [(free, x) for free, x in production() if free.bit_count() == 5]
    assert len(positions) == 252 * 16
    assert all(production()[free, x][1].best + 1 == to[x] for free, x in positions)


def test_expected_rolls_rise_with_the_multiplier():
    E = ranks(FAIR)
    assert all(E[j, i] < E[j, i + 1] for j in range(2, 11) for i in range(1, j))
    assert all(E[j, i] + E[j, j + 1 - i] == 21 for j, i in E), "three dice are symmetric"


def test_the_random_strategy_earns_the_mean_roll_on_every_slot():
    assert paper_scores.mean(scores(FAIR)["random"]) == sum(FAIR.factors) * Fraction(21, 2) == Fraction("577.5")


def test_a_game_with_265_slots_has_as_many_sets_as_there_are_atoms_and_266_has_more():
    assert 2**265 < 10**80 < 2**266


def test_the_row_used_by_recurrence_6_is_the_one_before():
    """(6) prints I_j(x) where the rule of play, and Table 4, take the index in row j - 1."""
    E = ranks(FAIR)

    def row(j, index_row):
        """(6) with the index taken in this row, which has to be known."""
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
    """Section 4 calls A the slots filled before; M[B - {i}] of Table 2 is then the worth of one slot, i times 10.5."""
    for row in read("bocker_table2"):
        slot = int(row["slot"])
        assert agrees(row["value"], sets(FAIR)[ALL & ~(1 << slot - 1)])
        assert sets(FAIR)[1 << slot - 1] == slot * Fraction(21, 2) != Fraction(row["value"])
    assert sets(FAIR)[0] == 0, "M of the empty set: nothing is left to be filled"


@pytest.mark.parametrize("rules", [FAIR, LOADED], ids=["three dice", "loaded dice"])
def test_q_of_recurrence_7_is_the_score_of_the_rolls_up_to_y(rules):
    """The prose has it as that of the L - l other rolls, which at Q[x_max, L] is nought."""
    Q = paper.clairvoyant_table(rules.weights, rules.factors)
    for (y, left), value in Q.items():
        upto = {x: w for x, w in rules.weights.items() if x <= y}
        if upto:
            assert value == sum(m * x for m, x in zip(rules.factors, paper.order_statistics(upto, left), strict=False))
    assert Q[max(rules.weights), rules.slots] == paper_scores.mean(scores(rules)["clairvoyant"])
