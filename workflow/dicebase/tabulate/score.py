"""The score table of a scorecard: every set of free slots with every roll, in rationals."""

from fractions import Fraction

from dicebase.errors import ConfigurationError
from dicebase.matches.score import Match
from dicebase.ranking import rank_exactly
from dicebase.solve.subsets import solve_subsets
from dicebase.tables import Rows

MAX_SLOTS = 14
MAX_PLACEMENTS = 5_000_000
BYTES_A_PLACEMENT = 120  # of a row of `actions` on its way to the file


def tabulate(game: Match) -> Rows:
    """All placements of every roll; raises ConfigurationError where there are more than MAX_SLOTS slots or
    MAX_PLACEMENTS placements."""
    rules = game.rules
    placements = len(rules.weights) * rules.slots << rules.slots - 1
    if rules.slots > MAX_SLOTS or placements > MAX_PLACEMENTS:
        raise ConfigurationError(
            f"slots: {rules.slots} slots have {_size(2**rules.slots)} sets of free slots and {_size(placements)} "
            f"placements, some {_size(placements * BYTES_A_PLACEMENT, 10**9)} GB; at most {MAX_SLOTS} slots and "
            f"{MAX_PLACEMENTS} placements are tabulated by sets: for more, the table ten_times_eighteen_rank says "
            "where each roll goes"
        )
    total = sum(rules.weights.values())
    values = solve_subsets(rules.weights, rules.slots, rules.gain)
    rows = Rows(game, exact=Fraction(values[-1], total**rules.slots))
    for free in range(1, 1 << rules.slots):
        scale = total ** (free.bit_count() - 1)
        for roll in rules.weights:
            state = (free, roll)
            actions = game.actions(state)
            afterstates = (game.afterstate(state, action) for action in actions)
            rows.add(state, actions, rank_exactly([g * scale + values[rest] for rest, g in afterstates], scale))
    return rows


def _size(number: int, unit: int = 1) -> str:
    return f"{number / unit:.3g}" if number // unit < 10**300 else "more than 1e300"
