"""How likely each outcome of a board is under the policy that the table of its positions publishes; in rationals where
that table is, unless play can go in circles."""

from collections.abc import Hashable, Iterator
from fractions import Fraction

from dicebase.matches import LEAST
from dicebase.matches.board import BoardGame
from dicebase.matches.board_distribution import TAIL, BoardDistribution
from dicebase.solve import reference
from dicebase.solve.boards.outcomes import outcomes_of
from dicebase.solve.boards.positions import positions_of
from dicebase.tables.writer import Rows
from dicebase.tabulate.boards.positions import is_small, published_policy, ranked_exactly
from dicebase.vocabulary import ConfigurationError, State

Chances = dict[int, Fraction]


def tabulate(listing: BoardDistribution) -> Iterator[Rows]:
    """All outcomes."""
    game = listing.game
    p = positions_of(game.rules)
    exact = _exactly(game) if is_small(p) else None
    if exact is None:
        found = outcomes_of(p.step, published_policy(game, p), TAIL)
    else:
        found = {outcome: float(chance) for outcome, chance in sorted(exact.items())}
    rows = Rows(listing, exact and sum(outcome * chance for outcome, chance in exact.items()))
    for outcome, chance in found.items():
        if chance >= LEAST:
            rows.add_row(outcome, chance)
    yield rows


def _exactly(game: BoardGame) -> Chances | None:
    """The probabilities from the last positions back; None where play may stay where it is, and earns."""
    solution = reference.solve(game)
    ahead: dict[State, Chances] = {}
    after: dict[Hashable, Chances] = {}

    def fallen(afterstate: Hashable, here: State | None = None) -> Chances:
        outcomes = solution.outcomes(afterstate)
        if any(type(o.reward) is not int for o in outcomes):
            raise ConfigurationError("distribution: this objective has rewards that are no whole numbers")
        found: Chances = {}
        left = sum(o.weight for o in outcomes if o.state is None or o.state != here)
        for o in outcomes:
            if o.state is None or o.state != here:
                for outcome, chance in ({0: Fraction(1)} if o.state is None else ahead[o.state]).items():
                    total = o.reward + o.sign * outcome
                    found[total] = found.get(total, Fraction(0)) + o.weight * chance
        return {total: chance / left for total, chance in found.items()}

    for (state,), stays in reference.components(solution):
        actions = game.actions(state)
        there = game.afterstate(state, actions[ranked_exactly(solution, state).best])
        again = [o for o in solution.outcomes(there) if o.state == state] if stays else []
        if any(o.reward or o.sign < 0 for o in again):
            return None
        if again:
            ahead[state] = fallen(there, state)
        else:
            if there not in after:
                after[there] = fallen(there)
            ahead[state] = after[there]
    return fallen(game.start())
