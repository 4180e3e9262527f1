"""Any board as compiled rules: rewards, draws, hits, several dice and outcomes after which the opponent chooses."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from dicebase.certify.layers import _bound
from dicebase.solvers.boards.layers import solve_layer
from dicebase.tables.names import find_game
from dicebase.vocabulary import Column, CompiledBoard, ConfigurationError, Objective
from dicebase.vocabulary.contracts.board_contract import check_positions
from dicebase.vocabulary.layers import Moves
from reference.value_iteration import values
from support.own_games import known

KINDS = Path(__file__).parents[2] / "games/outside/kinds"


def compiled(rules, total):
    """(afterstates, rows of dice, the moves of all) of plain rules: positions are afterstates of the player who moved,
    and the one end of play has the value 0."""
    numbers, waiting = {rules.start(): 0}, [rules.start()]
    begin, moves, kinds, dice = [0], [], [], {}
    falls = 36
    for afterstate in waiting:
        outcomes = [(*o, 0, 1)[:4] for o in rules.outcomes(afterstate)]
        weights = [-w if s is not None and sign < 0 else w for w, s, _, sign in outcomes]
        kinds.append(dice.setdefault((*weights, *[0] * (falls - len(weights))), len(dice)))
        for _, state, reward, sign in outcomes:
            if state is None:
                moves.append((-1, float(reward)))
            for action in rules.actions(state) if state is not None else ():
                after = rules.afterstate(state, action)
                if after not in numbers:
                    numbers[after] = len(numbers)
                    waiting.append(after)
                moves.append((numbers[after], sign * (float(reward) - (total if sign < 0 else 0))))
            begin.append(len(moves))
        begin += [len(moves)] * (falls - len(outcomes))
    to, earned = zip(*moves, strict=True)
    to = np.array([there if there >= 0 else len(numbers) for there in to], np.int32)
    return list(numbers), [*dice], Moves(np.array(begin, np.int32), to, np.array(earned), np.array(kinds, np.uint8))


@pytest.mark.parametrize("name", ["tug", "hare_and_tortoise", "collector"])
def test_compiled_boards_have_certified_values_of_value_iteration(name):
    with known(KINDS):
        table = find_game(name)[0]
        rules, sense = table.build_rules({}, {}), table.match_class.sense
        total = int(table.match_class.value.unit == "probability")
        start, _ = values(rules, sense)
        afterstates, dice, moves = compiled(rules, total)
    parts, size = [(0, moves._replace(earned=sense * moves.earned))], len(afterstates)
    found = solve_layer(parts, dice, size, [[0.0]], sense * total)
    assert sense * found[0] == pytest.approx(start, rel=1e-12, abs=1e-12)
    residuals, bound = _bound(parts, dice, size, np.append(found, 0.0), 1, sense * total, 0.0)
    assert residuals.max() < 1e-13 and abs(sense * found[0] - start) < bound + 1e-12 < 1e-10
    found[0] += 1e-6
    assert _bound(parts, dice, size, np.append(found, 0.0), 1, sense * total, 0.0)[0][0] > 0.99e-6


@dataclass(frozen=True)
class NoParameter(CompiledBoard):
    objectives = {"win": Objective("chance to win", "probability")}  # noqa: RUF012
    columns = numbered = (Column("at", int, "where the pawn is"),)
    size = start = actions = afterstate = outcomes = None


def test_compiled_rules_need_a_parameter():
    with pytest.raises(ConfigurationError, match=r"^compiled rules need a parameter"):
        check_positions(NoParameter())
