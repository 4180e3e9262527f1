"""A question without an answer gets an error of its kind, in one line that says why.

test_answers_agree.py compares the errors of the command line and of HTTP; test_cli_errors.py tests other wrong words.
"""

import shlex

import pytest

from dicebase.vocabulary import ConfigurationError, DicebaseError, MissingStateError, MissingTableError
from support.every_table import every_table

BELOW_20 = "a whole number from 0, less than the target of 20"
TOTALS_BELOW_10 = "me and opponent must be whole numbers from 0, less than the target of 10"
FALL = "); totals can fall, so no larger target answers for this one"
QUESTIONS = {
    "pig_tern": [("", "no table 'pig_tern'; did you mean 'pig_turn'?")],
    "chess": [("turn_total=5", "no table 'chess'; known: bear_off_duel, ")],
    "pig": [("turn_total=5", "no table 'pig'; did you mean pig_duel, ")],
    "pocket": [("", "no table 'pocket'; it is in ten_thousand_* rules=pocket")],
    "pig_turn": [
        ("", "'turn_total' is missing; a position needs turn_total"),
        ("total=5", "'total' is not a parameter or state column; did you mean 'turn_total'?"),
        ("turn_total=5 faces=6", "'faces' is not a parameter or state column"),
        ("turn_total=-5", "no decision at turn_total=-5"),
        ("turn_total=1", "no decision at turn_total=1: no play leads there"),
        (f"turn_total=-{'9' * 40}", "no decision at turn_total=-999"),
        (f"turn_total={'9' * 40}", "totals are stored to"),
        (f"turn_total={'9' * 5000}", "(5002 characters) is too long a whole number"),
        ("turn_total=five", "turn_total='five' is not a whole number"),
        ("turn_total=5.0", "turn_total='5.0' is not a whole number"),
        (f"turn_total=5 sides={'9' * 5000}", "(5002 characters) is not allowed"),
        ("turn_total=5 sides=-6", "sides: -6 is not allowed"),
        ("turn_total=5 sides=six", "sides: 'six' is not allowed; give a whole number"),
        ("turn_total=5 sides=²", "sides: '²' is not allowed"),
        ("turn_total=5 sides=7", "not solved for sides=7 dice=1; solved values are sides: 4 6, dice: 1 2"),
    ],
    "forbidden_multiple_turn multiple=7": [("total=21", "21 is a multiple of 7: the game is lost")],
    "pig_duel target=20": [
        ("'3 5'", "position '3 5' has 2 columns, not 3: me opponent turn_total, with spaces between them and - for an"),
        ("'3 5 4 1'", "position '3 5 4 1' has 4 columns, not 3: "),
        ("'3 - 4'", "'opponent' is missing; a position needs me, opponent, turn_total"),
        ("'3 x 4'", "opponent='x' is not a whole number"),
        ("'3 5 4' me=3", "'me' is given by name and in the position '3 5 4'"),
    ],
    # A larger target answers for these, unless totals can fall.
    "pig_duel target=17": [
        ("me=-1 opponent=0 turn_total=0", "whole numbers from 0, less than the target of 17"),
        ("me=17 opponent=0 turn_total=0", "less than the target of 17"),
        ("me=0 opponent=18 turn_total=0", "less than the target of 17"),
        ("me=5 opponent=0 turn_total=12", "12 points end the match"),
        ("me=5 opponent=0 turn_total=1", "no turn reaches this position"),
    ],
    "pig_reach target=17 turns=4": [("turns_left=5 banked=0 turn_total=0", "turns_left must be from 1 to 4")],
    "hog_simultaneous target=4 max_dice=4": [("me=4 opponent=0", "less than the target of 4")],
    "pig_duel target=31": [("'0 0 0'", "not solved for sides=6 dice=1 target=31; solved values are ")],
    "pig_duel target=9": [("'0 0 0' sides=4", "not solved for sides=4 dice=1 target=9; "), ("'0 0 0' dice=2", FALL)],
    "hog_duel target=7 max_dice=3 on_one=all": [("'0 0'", FALL)],
    "ten_thousand_turn turn_total=0": [
        ("rules=pocket roll=17", "digits from 1 to 6"),
        ("rules=pocket roll=one", "digits from 1 to 6"),
        ("rules=pocket roll=23", "scores nothing"),
        ("rules=pocket roll=1111", "1 to 3 digits"),
        ("rules=pocket roll=", "1 to 3 digits"),
        ("rules=poket roll=1", "not solved for rules=poket moves=all; solved values are rules: pocket"),
        ("moves=x roll=1", "moves: 'x' is not allowed; give one of"),
    ],
    "ten_thousand_turn turn_total=75": [("rules=pocket roll=11", "no play leads there")],
    "pig_duel target=10": [
        ("me=10 opponent=0 turn_total=0", TOTALS_BELOW_10),
        ("me=0 opponent=10 turn_total=0", TOTALS_BELOW_10),
        ("me=-1 opponent=0 turn_total=0", TOTALS_BELOW_10),
        ("me=4 opponent=0 turn_total=6", "6 points end the match: with a turn total of 6 it is over"),
        ("me=0 opponent=0 turn_total=1", "no turn reaches this position"),
        ("me=0 opponent=0 turn_total=-2", "no turn reaches this position"),
        ("dice=2 me=0 opponent=0 turn_total=3", "no turn reaches this position"),
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
        ("me=0 opponent=0 turn_total=50", "'dice' or 'roll' is missing; a position needs me, opponent"),
        ("'0 0 0 3' roll=115", "give 'dice' (to be rolled) or 'roll' (as they fell), not both"),
        ("'0 0 0 - 223'", "a roll of 223 scores nothing: the turn is lost"),
        ("'0 0 0 - 11'", "at a turn total of 0, the player rolls 3 dice, not 2"),
        ("'0 0 50 - 111'", "at a turn total of 50, the player rolls 2 dice, not 3"),
        ("'0 0 100 - 115'", "at a turn total of 100, the player rolls 1 or 2 dice, not 3"),
        ("'0 0 0 - 1111'", "a roll is 1 to 3 digits from 1 to 6"),
        ("me=0 opponent=0 turn_total=0 roll=", "a roll is 1 to 3 digits from 1 to 6"),
        ("'0 0 30 - 115'", "no turn reaches this position"),
        ("'100 0 400 - 115'", "400 points end the match"),
        (f"'100 0 1{'0' * 30} - 115'", "400 points end the match"),
        ("'100 500 0 - 115'", "less than the target of 500"),
        ("'10 0 0 - 115'", "multiples of 50"),
    ],
    # 500 is solved.
    "ten_thousand_duel rules=pocket target=350": [
        ("'100 50 50 - 2'", "at a turn total of 50, the player rolls 2 dice, not 1"),
        ("'100 50 50 - 23'", "the turn is lost"),
        ("'100 50 50 - 9'", "digits from 1 to 6"),
    ],
    "hog_race target=20 max_dice=3": [
        ("score=20", f"score must be {BELOW_20}"),
        ("score=-1", f"score must be {BELOW_20}"),
        ("score=2.5", "score='2.5' is not a whole number"),
    ],
    "hog_reach target=20 throws=5 max_dice=3": [
        ("score=3 throws_left=0", "throws_left must be from 1 to 5"),
        ("score=3 throws_left=6", "throws_left must be from 1 to 5"),
        ("score=20 throws_left=1", "less than the target of 20"),
    ],
    "hog_duel target=15 max_dice=3": [
        ("me=15 opponent=3", "me and opponent must be whole numbers from 0, less than the target of 15"),
        ("me=3 opponent=15", "me and opponent must be whole numbers from 0, less than the target of 15"),
    ],
    "hog_simultaneous target=10 max_dice=4": [("me=3 opponent=11", "less than the target of 10")],
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
    ],
    "ten_times_eighteen_exceed slots=3": [("free=7 needed=109 roll_total=9", "the free slots score at most 108")],
    "ten_times_eighteen_versus slots=4": [
        ("free=0 scored=100 roll_total=3", "no slot is free: the card is full"),
        ("free=16 scored=0 roll_total=3", "free must be from 1 to 15"),
        ("free=15 scored=0 roll_total=2", "a roll of 2 cannot occur"),
        ("free=15 scored=1 roll_total=3", "the filled slots cannot score 1"),
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
    ("question", "why"), [(f"{of} {rest}", why) for of, asked in QUESTIONS.items() for rest, why in asked]
)
def test_the_error_says_why_there_is_no_answer(db, question, why):
    table, *words = shlex.split(question)
    text = [word for word in words if "=" not in word]
    given = dict(word.split("=") for word in words if "=" in word)
    with pytest.raises(DicebaseError) as error:
        db.lookup(table, *text, **given)
    said, kind = str(error.value), type(error.value)
    assert why in said and table in said and "\n" not in said
    assert (kind is MissingTableError) == ("no table " in said or "not solved" in said)
    assert kind is MissingStateError or "no decision at " not in said
    assert issubclass(kind, LookupError) == (kind is not ConfigurationError)
    if kind is not ConfigurationError:
        assert db.get(table, *text, default=0, **given) == 0
