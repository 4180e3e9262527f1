"""dicebase's board solver, which determines the order of positions itself."""

from pathlib import Path

import numpy as np

from dicebase import games
from dicebase.games.cards_up import LABELS
from dicebase.solvers.boards import values
from dicebase.solvers.boards.positions import positions_of
from dicebase.tables.names import find_table

games.__path__ = [*games.__path__, str(Path(__file__).parents[2] / "rules")]
TABLES = {"pig_duel": ("pig_board_duel", "target", {}), "cards_up": ("cards_up_turns", "cards", {"sides": 6})}
ROLLS = {f"{a}{b}": 6 * a + b for a in range(1, 7) for b in range(a, 7)}


def build(problem: str, size: int):
    """Return the positions, the sense of their values, and the indices of positions whose values are compared."""
    name, parameter, others = TABLES[problem]
    table = find_table(name)
    game = table.build(table.variant({parameter: size, **others}, {}, name), {})
    found = positions_of(game.rules)
    if problem == "pig_duel":
        shown = np.full((size, size), -1)  # -1 stands for totals that a match never reaches
        for i, (me, opponent, total) in enumerate(found.states):
            if not total:
                shown[me, opponent] = i
    else:
        masks = {up: sum(1 << LABELS.index(card) for card in up) for up in {up for up, _ in found.states}}
        order = np.lexsort(np.array([(ROLLS[roll], masks[up]) for up, roll in found.states]).T)
        shown = order.reshape(-1, len(ROLLS))
    return found, game.sense, shown


def solve(problem: str, built) -> np.ndarray:
    found, sense, shown = built
    worth = values.solve(found, sense)
    values.q_values(found.step, worth)  # the timing includes every action
    if problem == "pig_duel":
        return np.where(shown >= 0, 2 * worth[shown] - 1, np.nan)
    return -worth[shown]
