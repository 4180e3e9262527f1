"""Wrong parameters and positions of Hog: one line that names them, exit code 2, nothing on stdout."""

import pytest

import dicebase
from dicebase.cli import main
from dicebase.vocabulary import MissingStateError
from support import grids
from support.commands import error_of

CONFIG = """
tables:
  hog_turn:
    - {max_dice: 5}
  hog_race:
    - {max_dice: 5, target: 10}
  hog_reach:
    - {max_dice: 5, target: 10, throws: 2}
  hog_duel:
    - {max_dice: 5, target: 10}
  hog_simultaneous:
    - {max_dice: 5, target: 10, on_one: [nothing, all], slice_by: [target]}
"""


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    return grids.once(tmp_path_factory, "hog", lambda folder: grids.build(folder, CONFIG))


TABLES = ("turn", "race", "reach", "duel", "simultaneous")
WITH_TARGET = TABLES[1:]
WITH_ON_ONE = ("duel", "simultaneous")


@pytest.mark.parametrize("match", TABLES)
@pytest.mark.parametrize("word", ["max_dice=0", "max_dice=-1", "max_dice=61", "max_dice=two", "sides=1", "sides=0"])
def test_too_few_or_too_many_dice_or_sides(capsys, tmp_path, monkeypatch, match, word):
    monkeypatch.chdir(tmp_path)
    name, value = word.split("=")
    message = error_of(capsys, "solve", f"hog_{match}", word)
    assert f"hog_{match}" in message and name in message and value in message and "from" in message
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("match", WITH_TARGET)
@pytest.mark.parametrize("word", ["target=0", "target=-5", "target=1e3", "target=1000000"])
def test_a_target_that_is_none(capsys, tmp_path, monkeypatch, match, word):
    monkeypatch.chdir(tmp_path)
    message = error_of(capsys, "solve", f"hog_{match}", word)
    assert "target" in message and "is not allowed; give a whole number from 1 to" in message


@pytest.mark.parametrize("match", WITH_ON_ONE)
@pytest.mark.parametrize("word", ["on_one=some", "on_one=ALL", "on_one=1"])
def test_an_unknown_cost_of_a_one(capsys, tmp_path, monkeypatch, match, word):
    monkeypatch.chdir(tmp_path)
    message = error_of(capsys, "solve", f"hog_{match}", word)
    assert "on_one" in message and "is not allowed; give one of nothing, all" in message


@pytest.mark.parametrize("match", TABLES[:3])
def test_alone_a_one_costs_the_throw_and_there_is_nothing_to_choose(capsys, tmp_path, monkeypatch, match):
    monkeypatch.chdir(tmp_path)
    assert f"'on_one' is no parameter of hog_{match}" in error_of(capsys, "solve", f"hog_{match}", "on_one=all")


def test_throws_that_are_none(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for word in ("throws=0", "throws=1001"):
        assert "a whole number from 1 to 1000" in error_of(capsys, "solve", "hog_reach", word)


PAIR = "me and opponent are a whole number from 0, less than the target of 10"
QUESTIONS = [
    ("race", ["score=10"], "score is a whole number from 0, less than the target of 10"),
    ("race", ["score=-1"], "score is a whole number from 0"),
    ("race", ["score=99999999999999999999"], "score is a whole number from 0"),
    ("race", ["score=ten"], "score='ten' is not a whole number"),
    ("race", ["score=2.5"], "score='2.5' is not a whole number"),
    ("race", [], "'score' is missing; a position needs score"),
    ("reach", ["score=3", "throws_left=0"], "throws_left is from 1 to 2"),
    ("reach", ["score=3", "throws_left=3"], "throws_left is from 1 to 2"),
    ("reach", ["score=10", "throws_left=1"], "less than the target of 10"),
    ("duel", ["me=10", "opponent=3"], PAIR),
    ("duel", ["me=3", "opponent=10"], PAIR),
    ("duel", ["me=-1", "opponent=3"], PAIR),
    ("duel", ["me=3"], "'opponent' is missing"),
    ("simultaneous", ["me=3", "opponent=11"], "less than the target of 10"),
    ("simultaneous", ["me=10", "opponent=10"], "less than the target of 10"),
    ("simultaneous", ["me=3", "opponent=-2"], "less than the target of 10"),
    ("simultaneous", ["me=3", "opponent=3", "dice=2"], "'dice' is no parameter or state column"),
    ("turn", ["score=3"], "'score' is no parameter or state column"),
]


@pytest.mark.parametrize(("match", "words", "message"), QUESTIONS)
def test_a_position_that_does_not_exist(capsys, results, match, words, message):
    size = [] if match == "turn" else ["target=10"]
    size += ["throws=2"] if match == "reach" else []
    said = error_of(capsys, "lookup", f"hog_{match}", "max_dice=5", *size, *words, "--results", results)
    assert message in said and f"hog_{match}" in said


def test_a_variant_that_is_not_solved(capsys, results):
    words = ["lookup", "hog_simultaneous", "me=0", "opponent=0", "--results", results]
    assert "not solved for sides=6 max_dice=10" in error_of(capsys, *words)
    message = error_of(capsys, *words, "max_dice=5", "target=10", "on_one=half")
    assert "on_one: 'half' is not allowed; give one of nothing, all" in message


def test_what_is_there_is_answered(results, capsys):
    with dicebase.open(results) as db:
        answer = db.lookup("hog_simultaneous", max_dice=5, target=10, me=9, opponent=7)
        assert answer["action_unit"] == "dice" and [a["action"] for a in answer["actions"][:3]] == ["5", "2", "4"]
        assert answer["value"] == pytest.approx(0.060884617540923, abs=1e-14)
        assert sum(a["probability"] for a in answer["actions"]) == pytest.approx(1, abs=1e-15)
        assert db.lookup("hog_turn", max_dice=5)["actions"][0]["action"] == "5"
        with pytest.raises(MissingStateError):
            db.lookup("hog_duel", max_dice=5, target=10, me=10, opponent=0)
    words = ["lookup", "hog_simultaneous", "max_dice=5", "target=10", "me=9", "opponent=7"]
    assert main([*words, "--results", str(results)]) == 0
    said = capsys.readouterr().out.splitlines()[-1]
    assert said == "Mix: 5 dice 67.6 %, 2 dice 17.2 %, 4 dice 15.1 %; 3 dice would lose 0.002652 P(win) - P(lose)."
