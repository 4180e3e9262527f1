"""The contract itself: every game fulfils one, and each kind of bad rules fails it."""

import importlib.util
from pathlib import Path

import pytest

import dicebase.games
from dicebase.matches.turns.turn import BestTurn
from dicebase.tabulate.turns import complete
from dicebase.vocabulary import Board, CompiledBoard, Hidden, LayeredBoard, Loss, Option, Roll, Throw, Turn
from support import contract_turns
from support.contract import (
    BoardRulesContract,
    Contract,
    HiddenRulesContract,
    Published,
    ThrowRulesContract,
    TurnRulesContract,
    subclasses,
)
from support.random_turns import always

# The package's own folder only: tests put games of their own on the search path.
GAMES = sorted(p.stem for p in Path(dicebase.games.__file__).parent.glob("*.py") if p.stem != "__init__")


def rules_by_number(rules):
    """Whether all tables of a game list its positions by number; no play enumerates them."""
    return issubclass(rules, CompiledBoard) and not issubclass(rules, LayeredBoard)


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_a_test_file_that_fulfils_the_contract(game):
    path = Path(__file__).with_name(game) / f"test_{game}.py"
    assert path.exists(), f"{game} has no test file"
    spec = importlib.util.spec_from_file_location(f"contract_of_{game}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    found = [c for c in subclasses(module) if c.game == game and c.__name__.startswith("Test")]
    assert found, f"{path.name} has no class Test... that subclasses a contract with game = '{game}'"
    rules = importlib.import_module(f"dicebase.games.{game}").Rules
    if issubclass(rules, Turn):
        assert any(issubclass(c, TurnRulesContract) and c.small for c in found)
    if issubclass(rules, Throw):
        assert any(issubclass(c, ThrowRulesContract) and c.small for c in found)
    if issubclass(rules, Board) and not rules_by_number(rules):
        assert any(issubclass(c, BoardRulesContract) and c.small for c in found)
    if issubclass(rules, Hidden):
        assert any(issubclass(c, HiddenRulesContract) for c in found)


def test_a_contract_without_a_known_value_fails():
    class Nameless(Contract):
        game, match = "pig", "turn"

    with pytest.raises(AssertionError, match="at least one published"):
        Nameless().test_a_value_is_known_from_elsewhere()


@pytest.mark.parametrize("value", ["8.15", 8])
def test_a_contract_with_a_wrong_value_fails_and_names_its_source(value):
    class Wrong(Contract):
        game, match = "pig", "turn"
        published = (Published("somewhere", {"sides": 6}, value),)

    with pytest.raises(AssertionError, match=f"somewhere: {value}, computed 8.14"):
        Wrong().test_a_value_is_known_from_elsewhere()


SCORES, LOSES = Roll(1, "", (Option(1, 1),)), Roll(1, "", loss=Loss.BUST)


class Circular(BestTurn):
    """A match in which banking begins another turn."""

    def outcomes(self, afterstate):
        return super().outcomes(("begin",) if afterstate[0] == "bank" else afterstate)


class Repetitive(BestTurn):
    """A match that offers an action twice."""

    def actions(self, state):
        return [*super().actions(state), "roll"]


class Untyped(BestTurn):
    """A match whose states are not what its columns say."""

    def __init__(self, rules):
        super().__init__(rules)
        self.columns = tuple(c._replace(kind=str) for c in self.columns)


@pytest.mark.parametrize("match", [Circular, Repetitive, Untyped])
def test_a_bad_game_fails(match):
    with pytest.raises(AssertionError):
        contract_turns.check_play(complete(match(always(SCORES, LOSES))))


class Generous(BestTurn):
    """A match whose banking pays a point more than the solver thinks."""

    def outcomes(self, afterstate):
        if afterstate[0] == "bank":
            afterstate = ("bank", afterstate[1] + 1)
        return super().outcomes(afterstate)


class Forgetful(BestTurn):
    """A match in which play reaches fewer states than the solver tabulates."""

    def outcomes(self, afterstate):
        found = list(super().outcomes(afterstate))
        return [o if o.state is None or o.state[0] < self.last else o._replace(state=None, reward=0) for o in found]


@pytest.mark.parametrize("match", [Generous, Forgetful])
def test_a_table_that_differs_from_its_game_fails(match):
    with pytest.raises(AssertionError):
        contract_turns.check_table(complete(match(always(SCORES, LOSES))))
