"""The reference solvers of the board games against what can be done by hand and what others have printed."""

from fractions import Fraction
from functools import cache
from itertools import product

import pytest

from reference import cards_up, pig, royal_ur, shut_the_box, think


def agrees(value, printed):
    """Whether a value is what is printed: a fraction, whole parts of many, or a rounded number."""
    if " / " in printed:
        parts, of = map(int, printed.split(" / "))
        return round(value * of) == parts
    if "/" in printed:
        return value == pytest.approx(Fraction(printed), rel=0, abs=1e-14)
    digits = len(printed.partition(".")[2])
    return abs(value - Fraction(printed)) <= Fraction(1, 2 * 10**digits)


class TestShutTheBox:
    @pytest.mark.parametrize("source, game, tiles, printed", shut_the_box.PUBLISHED)
    def test_what_is_printed(self, source, game, tiles, printed):
        assert agrees(shut_the_box.Box(**game).value(tiles), printed)

    @pytest.mark.parametrize(
        "one_die, value", [("never", Fraction(2, 36)), ("sum_at_most_6", Fraction(1, 6) + 2 * Fraction(1, 6) ** 2)]
    )
    def test_two_tiles_by_hand(self, one_die, value):
        # With two dice only a 3 shuts both: a 1 alone never goes.
        assert shut_the_box.Box(2, one_die).value() == value

    def test_a_tile_alone(self):
        win, score = shut_the_box.Box(), shut_the_box.Box(objective="score")
        for k, dice in product(range(1, 10), (1, 2)):
            chance = Fraction((shut_the_box.ONE if dice == 1 else shut_the_box.TWO).get(k, 0), 36)
            assert win.value([k], dice=dice) == chance
            assert score.value([k], dice=dice) == k * (1 - chance)

    @pytest.mark.parametrize("objective", ["win", "score"])
    @pytest.mark.parametrize("tiles", [9, 10, 12])
    def test_more_freedom_is_never_worse(self, tiles, objective):
        rules = ["never", "sum_at_most_6", "above_6_shut", "7_8_9_shut"]
        values = [shut_the_box.Box(tiles, rule, objective).value() for rule in rules]
        assert values == sorted(values, reverse=objective == "score")


class TestThink:
    def test_one_turn_is_a_turn_of_two_dice_pig(self):
        assert think.Think().value(1) == pig.turn_value_two_dice()[0]

    def test_when_to_throw_in_the_last_turn(self):
        # 25 of 36 throws add 200 points in all, 10 lose the turn's and one all.
        game = think.Think(must_roll=False)
        for score, total in product(range(0, 260, 7), range(30)):
            assert game.throws(1, score, total) == (11 * total + score < 200)

    @pytest.mark.parametrize("must_roll", [True, False])
    def test_the_policy_followed_forwards_has_the_value(self, must_roll):
        game = think.Think(must_roll)
        ends = game.scores(2)
        assert sum(ends.values()) == 1
        assert sum(score * chance for score, chance in ends.items()) == game.value(2)

    def test_the_cap_is_below_the_one_that_needs_no_values(self):
        game = think.Think(one=1.0)
        for turns, score in product(range(1, 21), range(0, 200, 20)):
            assert game.cap(turns, score) <= 200 / 11 * 1.1 ** (turns - 1) + 1

    def test_passing_a_turn_only_pays_with_more_than_200_points(self):
        # As there are in a game of twenty turns, but not of five.
        forced, free = think.Think(one=1.0), think.Think(must_roll=False, one=1.0)
        assert free.value(1, 199) == forced.value(1, 199)
        assert free.value(1, 201) > forced.value(1, 201)
        assert free.value(5) == forced.value(5)
        assert free.value(20) > forced.value(20) + 0.002


cards = cache(cards_up.Cards)


class TestCardsUp:
    def test_one_side(self):
        # Each turn turns 1 or 2, as the player likes.
        assert cards_up.Cards(1, exact=True).values == [2, 1, 1, 0]

    @pytest.mark.parametrize("source, sides, printed", cards_up.PUBLISHED)
    def test_what_is_printed(self, source, sides, printed):
        game = cards(sides)
        assert game.bracket() < 1e-13
        assert agrees(game.value(), printed)

    def test_rationals_and_floats(self):
        exact, floats = cards_up.Cards(2, exact=True), cards(2)
        assert exact.value() == Fraction(8936, 1575)
        assert exact.bracket() == 0
        assert floats.values == pytest.approx([float(value) for value in exact.values], rel=1e-14)


@pytest.fixture(scope="module")
def boards():
    return {pieces: royal_ur.Ur(pieces) for pieces in (1, 2)}


class TestRoyalUr:
    def test_one_square_and_one_die_by_hand(self):
        # a: both wait; b: the mover on the square, c: the other. b = 1/2 + (1 - c) / 2, c = (1 - b) / 2 + (1 - c) / 2.
        game = royal_ur.Ur(1, entry=0, middle=1, exit=0, rosettes=(), dice=1)
        a, b, c = (game.value(((mine,), (theirs,))) for mine, theirs in ((0, 0), (1, 0), (0, 1)))
        assert (a, b, c) == pytest.approx((8 / 15, 4 / 5, 2 / 5), rel=0, abs=1e-13)
        assert len(game.positions) == 3

    @pytest.mark.parametrize("source, pieces, position, printed", royal_ur.PUBLISHED)
    def test_what_is_printed(self, boards, source, pieces, position, printed):
        assert agrees(boards[pieces].value(position), printed)

    def test_which_piece_to_move(self, boards):
        # Heled: on 5 and 9, with a roll of 2, the other on 14.
        worse, better = (boards[2].value(((14, 15), squares)) for squares in ((7, 9), (5, 11)))
        assert worse - better == pytest.approx(0.01, abs=0.0005)
        assert boards[2].value(((5, 9), (14, 15)), roll=2) == 1 - better

    def test_the_bounds_meet_and_back_each_other_up(self, boards):
        game = boards[2]
        assert (game.low <= game.high).all()
        assert (game.high - game.low).max() <= 1e-14
        for position in list(game.positions)[::97]:
            rolls = [game.value(position, roll) for roll in range(5)]
            assert game.value(position) == pytest.approx(
                sum(chance * worth for chance, worth in zip((1, 4, 6, 4, 1), rolls, strict=True)) / 16, abs=1e-13
            )

    def test_counts(self, boards):
        for pieces, game in boards.items():
            groups = {}
            for position in game.positions:
                groups[game.left(position)] = groups.get(game.left(position), 0) + 1
            assert groups == {left: n for left, n in royal_ur.OLIESLAGERS.items() if max(left) <= pieces}
            assert len(game.positions) == royal_ur.positions_of(pieces)
        assert royal_ur.positions_of(3) == sum(royal_ur.OLIESLAGERS.values())
        assert royal_ur.positions_of(7) == 137_870_097
