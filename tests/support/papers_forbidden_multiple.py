"""The web page on the forbidden multiple of 10: its program, and the production table of dicebase."""

from functools import cache

from dicebase.games.forbidden_multiple import Rules
from dicebase.matches.turn import BestTurn
from dicebase.tabulate.turns import complete
from dicebase.tabulate.turns import turn as tabulate_turn
from reference import forbidden_multiple as page
from support.contract_turns import read_rows

N, S_MAX = 10, 200


@cache
def production(multiple: int = N, sides: int = 6, dice: int = 1) -> tuple[BestTurn, dict]:
    """A variant and its published table: {(total,): (actions, what is said of them, _)}."""
    game = complete(BestTurn(Rules(multiple, sides, dice)))
    return game, read_rows(next(tabulate_turn(game)))


@cache
def iteration() -> page.Iteration:
    """The page's program, run as printed."""
    return page.value_iteration(N, S_MAX)
