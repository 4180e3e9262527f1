"""A question about a position that does not exist gets one line that says why, and exit code 2."""

import pytest

from support.commands import error_of
from support.every_table import every_table

BELOW_20 = "a whole number from 0, less than the target of 20"
TOTALS_BELOW_10 = "me and opponent must be whole numbers from 0, less than the target of 10"
QUESTIONS = {
    "pig_duel target=10": [
        ("me=10 opponent=0 turn_total=0", TOTALS_BELOW_10),
        ("me=0 opponent=10 turn_total=0", TOTALS_BELOW_10),
        ("me=-1 opponent=0 turn_total=0", TOTALS_BELOW_10),
        ("me=4 opponent=0 turn_total=6", "6 points end the match: with a turn total of 6 it is over"),
        ("me=4 opponent=0 turn_total=60", "6 points end the match: with a turn total of 60 it is over"),
        ("me=0 opponent=0 turn_total=1", "no turn reaches this position"),
        ("me=0 opponent=0 turn_total=-2", "no turn reaches this position"),
        ("dice=2 me=0 opponent=0 turn_total=3", "no turn reaches this position"),
        ("me=0 opponent=0", "'turn_total' is missing; a position needs me, opponent, turn_total"),
        ("me=0 turn_total=0 banked=0", "'banked' is not a parameter or state column"),
        ("me=zero opponent=0 turn_total=0", "me='zero' is not a whole number"),
    ],
    "pig_race target=20": [
        ("banked=20 turn_total=0", f"banked must be {BELOW_20}"),
        ("banked=12 turn_total=8", "8 points end the match"),
    ],
    "pig_reach target=20 turns=4": [
        ("turns_left=0 banked=0 turn_total=0", "turns_left must be from 1 to 4"),
        ("turns_left=5 banked=0 turn_total=0", "turns_left must be from 1 to 4"),
        ("turns_left=3 banked=20 turn_total=0", f"banked must be {BELOW_20}"),
    ],
    "ten_thousand_duel rules=pocket target=500": [
        ("me=25 opponent=0 turn_total=0 dice=3", "multiples of 50 from 0, less than the target"),
        ("me=0 opponent=0 turn_total=75 dice=2", "no turn reaches this position"),
        ("me=0 opponent=0 turn_total=50 dice=3", "no turn reaches this position"),
        ("me=0 opponent=0 turn_total=50 dice=4", "no turn reaches this position"),
        ("me=450 opponent=0 turn_total=50 dice=2", "50 points end the match"),
        ("me=0 opponent=0 turn_total=50", "'dice' or 'roll' is missing"),
    ],
    "hog_race target=20 max_dice=3": [
        ("score=20", f"score must be {BELOW_20}"),
        ("score=-1", f"score must be {BELOW_20}"),
        ("score=99999999999999999999", f"score must be {BELOW_20}"),
        ("score=2.5", "score='2.5' is not a whole number"),
        ("", "'score' is missing; a position needs score"),
    ],
    "hog_reach target=20 throws=5 max_dice=3": [
        ("score=3 throws_left=0", "throws_left must be from 1 to 5"),
        ("score=3 throws_left=6", "throws_left must be from 1 to 5"),
        ("score=20 throws_left=1", "less than the target of 20"),
    ],
    "hog_duel target=15 max_dice=3": [
        ("me=15 opponent=3", "me and opponent must be whole numbers from 0, less than the target of 15"),
        ("me=3 opponent=15", "me and opponent must be whole numbers from 0, less than the target of 15"),
        ("me=3", "'opponent' is missing"),
    ],
    "hog_simultaneous target=10 max_dice=4": [
        ("me=3 opponent=11", "less than the target of 10"),
        ("me=3 opponent=-2", "less than the target of 10"),
        ("me=3 opponent=3 dice=2", "'dice' is not a parameter or state column"),
    ],
    "hog_turn max_dice=5": [("score=3", "'score' is not a parameter or state column")],
    "ten_times_eighteen_score slots=4": [
        ("free=15 roll_total=19", "a roll of 19 cannot occur: rolls are 3, 4, 5"),
        ("free=0 roll_total=9", "free must be from 1 to 15 with 4 slots"),
        ("free=16 roll_total=9", "free must be from 1 to 15 with 4 slots"),
    ],
    # These rows follow from the values of sets.
    "ten_times_eighteen_score slots=15": [
        ("free=0 roll_total=9", "free must be from 1 to 32767 with 15 slots"),
        ("free=32768 roll_total=9", "free must be from 1 to 32767 with 15 slots"),
        ("free=3 roll_total=19", "a roll of 19 cannot occur"),
    ],
    # The table of ranks answers for this card, which is not solved.
    "ten_times_eighteen_score slots=6": [
        ("free=1 roll_total=2", "a roll of 2 cannot occur"),
        ("free=-1 roll_total=9", "free must be from 1 to 63 with 6 slots"),
    ],
    "ten_times_eighteen_rank slots=6": [
        ("free_slots=4 rank=5", "free_slots must be from 1 to 6, and rank from 1 to free_slots"),
        ("free_slots=0 rank=0", "free_slots must be from 1 to 6"),
    ],
    "ten_times_eighteen_distribution slots=4": [
        ("strategy=best score=100", "strategy must be one of clairvoyant, optimal, random"),
        ("strategy=optimal score=29", "no game ends with this score"),
        ("strategy=clairvoyant score=31", "no game ends with this score"),
    ],
    "ten_times_eighteen_exceed slots=3": [("free=7 needed=109 roll_total=9", "the free slots score at most 108")],
    "ten_times_eighteen_versus slots=4": [
        ("free=0 scored=100 roll_total=3", "no slot is free: the card is full"),
        ("free=16 scored=0 roll_total=3", "free must be from 1 to 15"),
        ("free=15 scored=0 roll_total=2", "a roll of 2 cannot occur"),
        ("free=15 scored=1 roll_total=3", "the filled slots cannot score 1"),
        ("free=13 scored=7 roll_total=3", "the filled slots cannot score 7"),
    ],
    "ten_times_eighteen_versus_matchups slots=3": [
        (
            "rolls=same row_policy=reach_600 column_policy=optimal",
            "'reach_600' is not a policy here; with same rolls the policies",
        ),
        ("rolls=none row_policy=optimal column_policy=optimal", "rolls must be one of alone, same"),
    ],
    "pig_duel_matchups target=12": [
        ("row_policy=optimal column_policy=optimal first=both", "first must be row or column"),
        (
            "row_policy=hold_at_6 column_policy=optimal first=row",
            "row_policy must be best_response or one of optimal, hold",
        ),
    ],
    "pig_duel_scores target=12": [
        ("me=4 opponent=7 score=9", "this turn cannot end with a score of 9"),
        ("me=12 opponent=7 score=0", "less than the target of 12"),
    ],
}


GRID = every_table


@pytest.mark.parametrize(
    ("table", "position", "why"), [(table, *question) for table, asked in QUESTIONS.items() for question in asked]
)
def test_the_error_says_why_the_position_does_not_exist(capsys, results, table, position, why):
    said = error_of(capsys, "lookup", *table.split(), *position.split(), "--results", results)
    assert why in said and table.split()[0] in said
