"""Check that the rows of actions follow from the values and q-values, or from a mix."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from dicebase.certify.finding import Fail
from dicebase.certify.published import ROWS, Published, refuse
from dicebase.tables.parquet import MIXED
from dicebase.vocabulary import tie_of

SAID = ("action", "q_value", "regret", "probability", "optimal", "undecided")


class Again(NamedTuple):
    """A recomputed q-value per action, and a bound on its rounding error plus that of the published q-value."""

    q_value: np.ndarray
    rounding: np.ndarray


def check_rows(
    published: Published,
    of: np.ndarray,
    sign: np.ndarray | int,
    tolerance: np.ndarray,
    decided: bool,
    fail: Fail,
    again: Again | None = None,
    leads_to: np.ndarray | None = None,
) -> None:
    """Check q-value, regret, optimal, undecided, probability, action and margin of states with a pure policy.

    of : (actions,), the state index of each action, in ascending order.
    sign : (states,), 1, or -1 if the mover minimises. tolerance : (states,), twice the error bound of the value.
    decided : whether ties are proved in rationals.
    leads_to : (actions,), the afterstate of each action, as a number; by default all afterstates differ.
    again : recomputed q-values to compare with; by default the q-values have been checked already.
    """
    sign, tie = np.broadcast_to(sign, published.count), tie_of(float(np.abs(published.values).max()))
    first, begin = np.searchsorted(of, np.arange(published.count + 1)), 0
    while begin < published.count:
        # A block of states with at most ROWS rows of actions.
        end = max(begin + 1, int(np.searchsorted(first, first[begin] + ROWS, "right")) - 1)
        some, rows = slice(begin, end), slice(first[begin], first[end])
        actions = published.actions_between(first[begin], first[end], SAID)
        refuse_state = partial(refuse, [key[some] for key in published.keys], fail)
        refuse_row = partial(refuse, [key[of[rows]] for key in published.keys], fail)
        states = published.values[some], published.best[some], published.margins[some], sign[some], tolerance[some]
        if again:
            (action, q, *_), ours, near = actions, again.q_value[rows], tolerance[of[rows]]
            wrong = ~(np.abs(q - ours) <= np.maximum(near, again.rounding[rows]))
            refuse_row(wrong, "q_value of '{}' is {!r}, the rules give {!r}", action, q, ours)
        leads = np.arange(len(of[rows])) if leads_to is None else leads_to[rows]
        places = of[rows] - begin, first[some] - first[begin], leads
        _check_some(states, actions, *places, decided, tie, refuse_state, refuse_row)
        begin = end


def _check_some(
    states: Sequence[np.ndarray],
    actions: Sequence[np.ndarray],
    of: np.ndarray,
    first: np.ndarray,
    leads_to: np.ndarray,
    decided: bool,
    tie: float,
    refuse_state: Callable,
    refuse_row: Callable,
) -> None:
    """Check a block of states; `of` holds the state of each action, `first` the first action of each state."""
    action, q, regret, probability, optimal, undecided = actions
    value, best, margins, sign, tolerance = states
    near = tolerance[of]
    refuse_row(~(np.isfinite(q) & np.isfinite(regret)), "a q-value or regret of '{}' is not a finite number", action)
    refuse_state(~np.isfinite(value), "the value is {}", value)
    wrong = (regret < 0) | (np.abs(regret - sign[of] * (value[of] - q)) > near)
    refuse_row(wrong, "regret of '{}' is {!r}, which contradicts its q-value", action, regret)
    wrong = (optimal != (regret == 0)) & ~undecided
    refuse_row(wrong, "'{}' has regret {!r} and optimal = {}", action, regret, optimal)
    wrong = undecided & (decided | ~optimal | (regret > tie))
    refuse_row(wrong, "'{}' is marked undecided, but its regret is {!r}", action, regret)
    wrong = ~(decided | optimal) & (regret <= near)
    refuse_row(wrong, "'{}' is marked worse by {!r}, too little to be decided", action, regret)
    if not decided:
        # Doubles prove a tie only between actions with the same afterstate.
        least = np.minimum.reduceat(np.where(optimal, leads_to, leads_to.max()), first)
        several = least < np.maximum.reduceat(np.where(optimal, leads_to, -1), first)
        what = "'{}' has undecided = {}, which contradicts the optimal actions"
        refuse_row(undecided != optimal & several[of], what, action, undecided)
    refuse_row((probability != 0) & ~optimal, "'{}' is played but not optimal", action)
    away = np.abs(value - sign * np.maximum.reduceat(sign[of] * q, first))
    refuse_state(away > tolerance, "the value is {!r}, but no action has this q-value", value)
    played = (action == best[of]) & (probability == 1)
    wrong = (np.add.reduceat(played, first) != 1) | (np.add.reduceat(probability, first) != 1)
    refuse_state(wrong, "action is '{}', which contradicts the probabilities", best)
    # The margin is the second-smallest regret, if there is one.
    least = np.minimum.reduceat(regret, first)
    again = np.minimum.reduceat(np.where(regret == least[of], np.inf, regret), first)
    margin = np.where(np.add.reduceat(regret == least[of], first) > 1, least, again)
    margin[np.isinf(margin)] = np.nan
    wrong = (margin != margins) & ~(np.isnan(margin) & np.isnan(margins))
    refuse_state(wrong, "margin is {!r}, the regrets say {!r}", margins, margin)


def check_sums(published: Published, mix: np.ndarray, first: np.ndarray, fail: Fail) -> None:
    """Fail unless the probabilities of every state sum to 1; mix : (actions,); first : (states,), as in check_mix."""
    off = np.abs(np.add.reduceat(mix, first) - 1)
    wrong = (np.minimum.reduceat(mix, first) < 0) | ~(off <= 1e-14)
    refuse(published.keys, fail, wrong, "the probabilities are negative or do not sum to 1")


def check_mix(
    published: Published, first: np.ndarray, losses: np.ndarray, tolerance: float, fail: Fail, ties: bool = False
) -> None:
    """Fail unless regrets equal `losses`, (actions,), within `tolerance`, and optimal, action and margin follow from
    the probabilities and regrets.

    first : (states,), the row of each state's first action.
    ties : whether actions without regret are optimal, and undecided, beside a pure choice.
    """
    names = ("action", "probability", "optimal", "undecided", "regret")
    action, probability, optimal, undecided, regret = (published.actions[name] for name in names)
    used, keys = probability > 0, published.keys_of_actions
    what = "'{}' has probability {!r} and optimal = {}"
    counts = np.diff(np.append(first, len(used)))
    pure = np.add.reduceat(used.astype(int), first) == 1
    tied = ~used & (regret == 0) & np.repeat(pure, counts) & ties
    refuse(keys, fail, (optimal != used | tied) | (undecided != tied), what, action, probability, optimal)
    wrong = (regret < 0) | ~(np.abs(regret - losses) <= tolerance)
    refuse(keys, fail, wrong, "regret of '{}' is {!r}, which contradicts its q-value", action, regret)
    played = np.maximum.reduceat(np.where(used, np.arange(len(used)), -1), first)
    best = np.where(pure, action[played], MIXED)
    what = "action is '{}', which contradicts the probabilities"
    refuse(published.keys, fail, best != published.best, what, published.best)
    margin = np.minimum.reduceat(np.where(used, np.inf, regret), first)
    margin[~pure | (counts == 1)] = np.nan
    wrong = ~np.equal(margin, published.margins) & ~(np.isnan(margin) & np.isnan(published.margins))
    refuse(published.keys, fail, wrong, "margin is {!r}, which contradicts the regrets", published.margins)
