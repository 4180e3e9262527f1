"""Policies of a board in one line: `prefer FORMULA` takes the move after which the formula is largest.

The formula is over the `features` that the rules state for the position after a move, before the dice fall. Of several
moves with the same value the policy takes the first one.
"""

from collections.abc import Callable, Hashable
from functools import cache

from dicebase.vocabulary import Board, ConfigurationError, State, answered
from dicebase.vocabulary.contracts.conditions import need
from dicebase.vocabulary.formula import formula

PREFER = "prefer "


def features_after(rules: Board, afterstate: Hashable) -> list[int]:
    """Return the features of an afterstate; raises ConfigurationError for one that is not a whole number."""
    found = [answered(f"features['{name}']", count, afterstate) for name, count in rules.features.items()]
    for name, number in zip(rules.features, found, strict=True):
        need(type(number) is int, f"features['{name}']: {number!r:.80} for {afterstate!r:.80} is not a whole number")
    return found


def preference(policy: str, rules: Board) -> Callable[[State], str]:
    """Return the action of a policy by state. Raises ConfigurationError for a wrong policy."""
    if not rules.features:
        raise ConfigurationError(f"policy: '{policy}': these rules state no features by which to prefer a move")
    value = cache(formula(policy.removeprefix(PREFER), tuple(rules.features), "policy"))
    score = cache(lambda after: value(*features_after(rules, after)))
    return lambda state: max(rules.actions(state), key=lambda action: score(rules.afterstate(state, action)))
