"""Certify tables of decisions by the Bellman residual of every row, from terminal states backwards.

docs/why/certificates.md proves the error bounds, also for cycles. An exact value must equal, modulo a random prime, the
expected payoff of the published policy; small variants are also solved again in rationals, by backward induction. The
cost is linear in the number of (afterstate, outcome) pairs, except in cycles and in rationals.
"""

import math
from functools import partial

import numpy as np

from dicebase.certify.action_rows import Again, check_rows
from dicebase.certify.finding import Fail, Finding
from dicebase.certify.graph.one_step import NEVER, at_the_start, check_values
from dicebase.certify.graph.positions import positions_of
from dicebase.certify.graph.step import Checked, Step
from dicebase.certify.graph.waiting import Waiting
from dicebase.certify.play import referee
from dicebase.certify.play.simulation import LIMITS
from dicebase.certify.published import ROWS, Published, refuse
from dicebase.certify.rationals import IN_RATIONALS, earned_by_policy, earns_modulo_prime, exactly, is_small
from dicebase.vocabulary import Game
from dicebase.vocabulary.arithmetic.components import solving_order
from dicebase.vocabulary.arithmetic.garbage_collection import return_memory

UNLIKELY = "the value is {!r}, which is not a probability"
BY_RESIDUALS = "residuals summed along play, from the last layer back"
BY_ENCLOSURES = "one step of the rules leads strictly between two bounds"

simulated = referee.play


def check(game: Game, published: Published, fail: Fail) -> Finding:
    """Certify the rows of a variant: return its value, error bound and proof, or fail at the first false claim."""
    positions, exact = positions_of(game, published, fail), published.exact
    if published.count > ROWS:
        return_memory()  # of the numbers of states and afterstates
    order, ends = solving_order(positions)
    cyclic = len(ends) < len(order)
    step = Step.of(positions)
    values, rounded = published.values, exact is not None
    waiting = None
    if game.unending is not None:
        played, optimal = (published.actions[name].astype(bool) for name in ("probability", "optimal"))
        waiting = Waiting.of(positions, game.unending, played, optimal)
    found, endless = check_values(step, positions.sense, order, ends, values, waiting)
    residuals, rounding, bounds = found.residuals, found.rounding, found.bounds
    _check_residuals(found, published, rounded, fail)
    if endless:
        texts = [published.actions_between(k, k + 1, ["action"])[0][0] for _, k in endless.loop]
        named = [(published.states[s], str(text)) for (s, _), text in zip(endless.loop, texts, strict=True)]
        fail(published.states[endless.state], endless.said(named))
    bound = max(float(bounds.max()), float(rounding.max()))
    # A plain sum of n terms rounds each of them n + 2 times (probability, reward + value, product, sums). This is
    # (n + 2) / 8 of the bound on the compensated sum, which allows 8 roundings. The remaining 7/4 of that bound covers
    # the compensated sum and the values.
    rounding *= (2 + np.diff(positions.begin) / 8)[positions.after]
    again = Again(found.again, rounding)
    check_rows(published, positions.of, positions.sense, 2 * bounds, rounded, fail, again, positions.after)
    least, most = LIMITS.get(game.value.unit, (-math.inf, math.inf))
    refuse(published.keys, fail, (values < least - bounds) | (values > most + bounds), UNLIKELY, values)
    value, value_bound = at_the_start(step, values, bounds)
    bound = max(value_bound, bound)
    proof = BY_ENCLOSURES if cyclic else BY_RESIDUALS
    if waiting and waiting.components:
        proof, cyclic, published.endless = f"{BY_ENCLOSURES}; {waiting.said(published)}", True, waiting.rests
    if exact is not None:
        if cyclic or (found.share == NEVER).any():
            fail(None, "an exact value is claimed, but play can return to a position: such values are not checked")
        played = published.actions["probability"] == 1
        if not earns_modulo_prime(exact, partial(earned_by_policy, positions, order, played)):
            fail(None, f"the exact value, {float(exact)!r}, is not what the published policy earns")
        if is_small(len(positions.to), exact):
            if exactly(positions, order, found.share != 0, published, fail) != exact:
                fail(None, f"the exact value, {float(exact)!r}, is not the one the rules give in rationals")
            bound = math.ulp(max(abs(value), float(np.abs(values).max()))) / 2
            proof = IN_RATIONALS
    return Finding(value, value_bound, bound, float(residuals.max()), proof)


def _check_residuals(found: Checked, published: Published, rounded: bool, fail: Fail) -> None:
    """Fail at a residual that rounding does not explain. `rounded` : whether values are exact, rounded once."""
    size = np.abs(published.values)
    explained = 2 * found.errors + np.spacing(size) if rounded else found.errors + 1e-9 * (1 + size)
    # The residual is computed from the published values of the successors, so rounding cannot explain a larger one.
    what = "the value is {!r}, the best action is {:.3g} away"
    refuse(published.keys, fail, ~(found.residuals <= explained), what, published.values, found.residuals)
