"""Boards that break one rule each: solver and certifier refuse a lawful file in which one line is changed."""

import re

import pytest

from dicebase.cli import main
from support import grids
from support.commands import error_of

from .test_broken_rules import GAME, HERE, play  # noqa: F401, the fixture

LAWFUL = (HERE / "lawful/board.py").read_text()
TABLE = f"{GAME}_turns"
COIN, BACK = "yield Outcome(1, self._state(at + step)", "yield Outcome(1, self._state(back), 1)"
AFTER, ROUND = "at, action = afterstate", "if action == 'careful': yield Outcome(1, self._state((at + 1) % 4)); return"
ONE = 'parameter(1, "one", low=1, high=1)'
ACTIONS, STATE = 'return ("careful", "bold")', 'return "." * at + "o" + "." * (self.fields - at - 1), at'
COLUMN, OBJECTIVE = 'Column("at", int, "the pawn\'s field")', 'Objective("expected number of turns", "turns", -1)'
TWICE = """    def outcomes(self, afterstate):
        kept = vars(self).setdefault("_kept", {})
        return kept[afterstate] if afterstate in kept else kept.setdefault(afterstate, self._outcomes(afterstate))

    def _outcomes(self, afterstate):
"""
# (old text, new text, the solver's message, the certifier's message if it differs)
CHANGES = [
    (COIN, COIN.replace("(1", "(at"), "a weight is not a whole number from 1"),
    (COIN, COIN.replace("(1", "(-1"), "a weight is not a whole number from 1"),
    (COIN, COIN.replace("(1", "(1.5"), "a weight is not a whole number from 1"),
    (COIN, COIN.replace("(1", "(2**60 * at + 1"), "they sum to more than 2**53"),
    (COIN, "yield from [Outcome([], None)] * 101; " + COIN, "a weight is not a whole number from 1"),
    (BACK, "return", "outcomes((0, 'careful')): there is none"),
    (BACK, BACK.replace(", 1)", ", 0.5)"), "a reward is 0.5, not a whole number or Fraction"),
    (BACK, BACK.replace(", 1)", ", 2**40)"), "a reward is 1099511627776"),
    (BACK, BACK.replace(", 1)", ", 1, 2)"), "a sign is not 1, or -1"),
    (BACK, BACK.replace("Outcome", ""), "are no Outcome"),
    (AFTER, "raise KeyError(afterstate)", "outcomes((0, 'careful')) fails: KeyError"),
    (AFTER, "raise BaseException('boom')", "outcomes((0, 'careful')) fails: BaseException: boom (made_up.py, line 33)"),
    (AFTER, f"{AFTER}; [][at]", "fails: IndexError: list index out of range (made_up.py, line 33)"),
    (ACTIONS, "raise GeneratorExit", "actions(('o...', 0)) fails: GeneratorExit (made_up.py, line 24)"),
    (ACTIONS, "return iter(('careful', 'bold'))", "actions are no tuple or list of texts"),
    ("    def outcomes(self, afterstate):\n", TWICE, "there is none (a generator that is returned again"),
    (STATE, "return [at, at]", "is no plain tuple of (str, int)"),
    (STATE, "return (at,)", "is no plain tuple of (str, int)"),
    (STATE, 'return "." * at, bool(at)', "is no plain tuple of (str, int)"),
    (STATE, 'return "o", at + 2**31', "too large for a column"),
    (STATE, 'return " " * at, at', "a text is 1 to 100 printable characters"),
    (STATE, 'return "o" * (at + 1) + "\\n", at', "a text is 1 to 100 printable characters"),
    (ACTIONS, "return ()", "has no action"),
    (ACTIONS, 'return {"careful": 1, "bold": 2}', "actions are no tuple or list"),
    (ACTIONS, "return [][state[1]]", "actions(('o...', 0)) fails: IndexError"),
    (ACTIONS, 'return ("careful", "careful")', "an action occurs twice"),
    (ACTIONS, 'return ("careful", 2)', "action 2 is no line of text"),
    (ACTIONS, 'return ("careful", "mixed")', "action 'mixed' is no line of text"),
    (ACTIONS, 'return ("careful", "bo  ld")', "is no line of text"),
    (ACTIONS, 'return ("careful", "bo\\ud800ld")', "is no line of text"),
    (ACTIONS, "return (1 / (3 - state[1]),)", "is no line of text"),
    (ACTIONS, 'return ("careful", undefined)', "NameError: name 'undefined' is not defined"),
    (ACTIONS, "import random; return (str(random.random()),)", "when asked again"),
    (BACK, f"import random; {BACK.replace('(1', '(random.getrandbits(40) + 1')}", "another answer for (3, 'bold')"),
    ("objectives = {", "layer = 1\n    objectives = {", "'layer' is not a word of rules"),
    ("objectives = {", "most_positions = 0\n    objectives = {", "most_positions: must be a whole number"),
    ("objectives = {", 'objectives = {"turns_actions": 1, ', "ends like the name of another table"),
    ("objectives = {", "note = 1\n    objectives = {", "note: must be a text"),
    (
        "objectives = {",
        'features = {"turns": 1}\n    objectives = {',
        "features: {'turns': 1} is not a dict of functions",
    ),
    ("objectives = {", "objectives = {} or {0: 1, ", "0 cannot be the name of a table"),
    (OBJECTIVE, OBJECTIVE.replace("-1", "0"), "has a sense that is not 1 or -1"),
    (OBJECTIVE, OBJECTIVE.replace('"turns"', '""'), "needs words and a unit"),
    (
        "fields: int",
        'at: int = parameter(1, "one", low=1, high=1)\n    fields: int',
        "'at' is the name of two columns",
        "is ['at'",
    ),
    ("fields: int", f"objective: int = {ONE}\n    fields: int", "as a word of rules"),
    (COLUMN, COLUMN.replace('"at"', '"value"'), "'value' cannot be the name of a column"),
    (COLUMN, COLUMN.replace("int", "float"), "'at' must be of int, str or bool"),
    (COLUMN, COLUMN.replace('"the pawn\'s field"', '""'), "'at' needs a description"),
    (COLUMN, '"at"', "columns: must be a tuple of one or more Column"),
    ('Squares("row"', 'Squares("rows"', "drawing: 'rows' is not a column"),
    ("drawing = (", 'drawing = ("a picture", ', "is not one of Dice, Cards, Tiles, Squares"),
    # The certifier ignores `most_positions`, and finds other positions before it finds that play need not end.
    ("objectives = {", "most_positions = 3\n    objectives = {", "play reaches more than 3 positions", ""),
    (
        AFTER,
        f"{AFTER}\n        if action == 'careful': yield Outcome(1, self._state((at + 1) % 4)); return",
        "play need not end",
        "is",
    ),
]


@pytest.fixture
def change(play, tmp_path):  # noqa: F811
    """A function that installs the lawful file, or another, as the rules of the game, with a change."""
    file = tmp_path / "board.py"  # in this test's folder, because other tests run at the same time

    def change(old="", new="", lawful=LAWFUL):
        assert lawful.count(old) == 1 or not old
        file.write_text(lawful.replace(old, new) if old else lawful)
        play(file)

    return change


@pytest.fixture
def check_refused(change, capsys, tmp_path, tmp_path_factory):
    """A function that checks that solver and certifier refuse a change of a lawful file, each in one line that has one
    of the messages `refused`, which | separates."""

    def check_refused(lawful, table, old, new, refused, verified=None):
        verified = refused if verified is None else verified
        change(lawful=lawful)
        results = grids.once(tmp_path_factory, f"lawful_{table}", lambda to: main(["solve", table, "-o", str(to)]))
        change(old, new, lawful)
        capsys.readouterr()
        assert main(["solve", table, "-o", str(tmp_path / "out")]) == 2
        out, err = capsys.readouterr()
        (line,) = [line for line in err.splitlines() if "1 of 1 variants" not in line]
        assert out == "" and line.startswith("error: ") and any(said in line for said in refused.split("|")), line
        assert not list(tmp_path.rglob("out/**/*.parquet"))
        change(old, new, lawful)
        assert main(["verify", str(results)]) == (1 if verified else 0)
        err = capsys.readouterr().err
        lines = [line for line in err.splitlines() if line.startswith((table, "error"))]
        assert len(lines) <= 2 and "Traceback" not in err, err
        assert not verified or any(said in line for said in verified.split("|") for line in lines), err

    return check_refused


@pytest.mark.parametrize("case", CHANGES, ids=lambda case: re.sub(r"\W+", "_", case[2])[:40])
def test_a_broken_board_is_refused_in_one_line_by_the_solver_and_by_the_certifier(case, check_refused):
    check_refused(LAWFUL, TABLE, *case)


def test_more_than_1_is_no_probability(change, capsys, tmp_path):
    change(OBJECTIVE, OBJECTIVE.replace('"turns"', '"probability"'))
    assert main(["solve", TABLE, "-o", str(tmp_path)]) == 2
    assert "the value is 2.0, which is not a probability" in capsys.readouterr().err


def test_play_that_goes_round_for_nothing_and_ends_is_certified(change, tmp_path):
    """Values that are all 0 have no rounding errors, but their bounds still need some room."""
    change(BACK, BACK.replace(", 1)", "); yield Outcome(1, self._state(at + step) if at < 2 else None); return"))
    assert main(["solve", TABLE, "-o", str(tmp_path)]) == 0


def test_a_board_without_objectives_is_refused_in_one_line(change, capsys, tmp_path):
    change("objectives = {", "objectives = {} and {")
    wrong = "objectives: must be a dict of one or more Objective by name"
    assert error_of(capsys, "solve", TABLE, "-o", tmp_path / "out") == f"error: {TABLE}: {GAME}.py: {wrong}\n"
    assert not (tmp_path / "out").exists()
