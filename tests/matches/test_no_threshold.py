"""What a match changes: no single threshold in the turn total, and dice given up that no single turn gives up."""

from collections import Counter

import numpy as np
import pytest

from support import papers_crocce_mordecki as cm
from support.match_tables import at, columns, not_by_threshold

ME = ("me", "opponent")
# How many positions of the record (and the dice in the hand) have no threshold; by the blind reference.
COUNTS = [
    ("pig_race", {}, ("banked",), 28),
    ("pig_race", {"dice": 2, "target": 50}, ("banked",), 6),
    ("pig_race", {"dice": 2}, ("banked",), 2),
    ("pig_reach", {"turns": 10}, ("turns_left", "banked"), 0),
    ("pig_reach", {"turns": 15, "dice": 2}, ("turns_left", "banked"), 0),
    ("pig_duel", {"target": 20}, ME, 0),
    ("pig_duel", {"target": 50}, ME, 272),
    ("pig_duel", {}, ME, 2503),
    ("pig_duel", {"sides": 2, "target": 20}, ME, 0),
    ("pig_duel", {"dice": 2, "target": 50}, ME, 217),
    ("ten_thousand_race", {"target": 500}, ("banked", "dice"), 6),
    ("ten_thousand_race", {"target": 1000}, ("banked", "dice"), 18),
    ("ten_thousand_race", {"target": 2000}, ("banked", "dice"), 34),
    ("ten_thousand_race", {"target": 5000}, ("banked", "dice"), 65),
    ("ten_thousand_reach", {"target": 1000, "turns": 10}, ("turns_left", "banked", "dice"), 2),
    ("ten_thousand_duel", {"target": 500}, (*ME, "dice"), 15),
    ("ten_thousand_duel", {"target": 1000}, (*ME, "dice"), 296),
]


@pytest.mark.parametrize(("name", "variant", "keys", "count"), COUNTS, ids=str)
def test_so_many_positions_have_no_threshold(name, variant, keys, count):
    rows = columns(name, **variant)
    assert len(not_by_threshold(rows, keys, "hold" if name.startswith("pig") else "bank")) == count


def test_the_puzzle_of_41_against_49():
    """Possibly Wrong (2014) prints: hold at 22, roll again at 27. And once more at 57."""
    rows = columns("pig_duel")
    here = (rows["me"] == 41) & (rows["opponent"] == 49)
    totals, holds = rows["turn_total"][here], rows["action"][here] == "hold"
    assert totals.tolist() == [0, *range(2, 59)]
    assert totals[holds].tolist() == [*range(22, 27), *range(28, 57)]
    assert (rows["margin"][here][totals > 0] > 1e-5).all(), "none of it is a matter of rounding"


def test_in_a_race_one_holds_at_14_but_not_at_20():
    """At 70 one banks 14 to 19 points, but rolls on with 20 or more: the target is near enough."""
    rows = columns("pig_race")
    held = rows["turn_total"][(rows["banked"] == 70) & (rows["action"] == "hold")]
    assert held.tolist() == [14, 15, 16, 17, 18, 19]


# --- giving up dice -----------------------------------------------------------------------------------------------

RULES = cm.rules()


def given_up(options, keep):
    """The scoring dice that a keep leaves lying."""
    most = max((o.keep for o in options), key=len)
    return "".join(sorted((Counter(most) - Counter(keep)).elements()))


def in_a_duel(target):
    """{dice given up: the most that is lost by the best other keep} where it is better by 1e-9 at the least."""
    rows, n = columns("ten_thousand_duel", target=target), target // 50
    V = np.full((n, n, 2 * n + 60, 6), np.nan)  # by me, opponent, turn total, dice
    V[rows["me"] // 50, rows["opponent"] // 50, rows["turn_total"] // 50, rows["dice"]] = rows["value"]
    decided = ~np.isnan(V[:, :, :n])
    for me in range(n):
        V[me, :, n - me :] = 1
    found = {}
    for dice in RULES.modes:
        for roll in RULES.rolls(0, dice):
            if len(roll.options) > 1:
                after = ((o.gain // 50, o.mode) for o in roll.options)
                q = np.array([V[:, :, gain : gain + n, mode] for gain, mode in after])
                margin = np.diff(np.sort(q, axis=0)[-2:], axis=0)[0]
                for i, option in enumerate(roll.options):
                    here = decided[..., dice] & (q.argmax(axis=0) == i) & (margin > 1e-9)
                    if here.any():
                        dice_left = given_up(roll.options, option.keep)
                        found[dice_left] = max(found.get(dice_left, 0), float(margin[here].max()))
    return found


def test_a_duel_does_give_up_three_twos():
    found = in_a_duel(1000)
    assert found.keys() == {"", "5", "1", "15", "55", "155", "222"}
    assert found["222"] == pytest.approx(0.0922317, abs=1e-7) and found["155"] == pytest.approx(0.0104197, abs=1e-7)


def test_at_0_against_950_one_1_of_12226_is_kept_and_the_three_twos_are_rolled_again():
    """250 points are missing after 100 + 650; with four dice that is likelier than 50 of 950 with one die."""
    rows = columns("ten_thousand_duel", target=1000)
    position = {"me": 0, "opponent": 950}
    keep_1, keep_all = (at(rows, **position, turn_total=t, dice=d) for t, d in ((750, 4), (950, 1)))
    assert keep_1["value"] - keep_all["value"] == pytest.approx(0.0922317, abs=1e-7)
    assert keep_1["action"] == keep_all["action"] == "roll"
