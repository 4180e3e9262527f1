"""Do the rows of actions say what follows from the values and the q-values?"""

from functools import partial

import numpy as np

from dicebase.certify.finding import Fail
from dicebase.certify.published import Published, refuse
from dicebase.vocabulary import tie_of


def check_rows(
    published: Published, of: np.ndarray, sign: np.ndarray | int, tolerance: np.ndarray, decided: bool, fail: Fail
) -> None:
    """Regret, optimal, undecided, probability, action and margin of all states, none of which has a mix.

    of : the number of the state of each row of actions, as `check_actions` gives it.
    sign, tolerance : by state: -1 where less is better; twice what the values may be wrong by.
    decided : whether ties are those of rationals.
    """
    refuse_state, refuse_row = (partial(refuse, keys, fail) for keys in (published.keys, published.keys_of_actions))
    names = ("action", "q_value", "regret", "probability", "optimal", "undecided")
    action, q, regret, probability, optimal, undecided = (published.actions[name] for name in names)
    value, sign, near = published.values, np.broadcast_to(sign, published.count), tolerance[of]
    refuse_row(~(np.isfinite(q) & np.isfinite(regret)), "a q-value or regret of '{}' is not a finite number", action)
    refuse_state(~np.isfinite(value), "the value is {}", value)
    wrong = (regret < 0) | (np.abs(regret - sign[of] * (value[of] - q)) > near)
    refuse_row(wrong, "regret of '{}' is {!r}, its q-value says otherwise", action, regret)
    wrong = (optimal != (regret == 0)) & ~undecided
    refuse_row(wrong, "'{}' has regret {!r} and optimal = {}", action, regret, optimal)
    wrong = undecided & (decided | ~optimal | (regret > tie_of(float(np.abs(value).max()))))
    refuse_row(wrong, "'{}' is called undecided with regret {!r}", action, regret)
    wrong = ~(decided | optimal) & (regret <= near)
    refuse_row(wrong, "'{}' is called worse, by {!r}, which is less than can be told", action, regret)
    refuse_row((probability != 0) & ~optimal, "'{}' is played but not optimal", action)
    first = np.searchsorted(of, np.arange(published.count))
    away = np.abs(value - sign * np.maximum.reduceat(sign[of] * q, first))
    refuse_state(away > tolerance, "the value is {!r}, no action is worth that", value)
    played = (action == published.best[of]) & (probability == 1)
    wrong = (np.add.reduceat(played, first) != 1) | (np.add.reduceat(probability, first) != 1)
    refuse_state(wrong, "action is '{}', but the probabilities say otherwise", published.best)
    # The second-smallest regret, where there is one.
    margin = np.append(regret[np.lexsort((regret, of))], np.nan)[first + 1]
    margin[np.bincount(of) == 1] = np.nan
    wrong = (margin != published.margins) & ~(np.isnan(margin) & np.isnan(published.margins))
    refuse_state(wrong, "margin is {!r}, the regrets say {!r}", published.margins, margin)


def check_undecided(published: Published, of: np.ndarray, fail: Fail) -> None:
    """Of doubles, whose ties are not proved: several optimal actions are undecided, and nothing else is."""
    optimal, undecided = (published.actions[name] for name in ("optimal", "undecided"))
    tied = np.bincount(of, optimal)[of] > 1
    what = "'{}' has undecided = {}, where the optimal actions say otherwise"
    refuse(published.keys_of_actions, fail, undecided != (tied & optimal), what, published.actions["action"], undecided)
