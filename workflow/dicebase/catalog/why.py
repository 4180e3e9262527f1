"""Why an action is worth what it is: the chance that its roll is lost, and what the roll adds in the mean."""

from collections.abc import Mapping
from typing import NamedTuple

from dicebase.tables.follow.rolls import ROLL
from dicebase.vocabulary import Throw, Turn


class Odds(NamedTuple):
    """Of one roll."""

    lost: float  # the chance that the points of the turn are lost, or that a throw scores nothing
    gain: float  # the mean of the most points that it adds, nothing where it is lost


def odds_of(rules: object, state: Mapping[str, int | str], action: str) -> Odds | None:
    """Of the roll that an action leads to; None where it leads to none, and for games of another kind."""
    if isinstance(rules, Throw):
        return _odds(rules, 0, int(action))
    if not isinstance(rules, Turn):
        return None
    total, mode = state.get("turn_total", state.get(rules.total)), state.get("dice", rules.modes[0])
    if ROLL in state:
        rolls = rules.rolls(total, rules.mode_at(total, len(state[ROLL])))
        options = next((roll.options for roll in rolls if roll.dice == state[ROLL]), ())
        if not (kept := next((o for o in options if rules.called(o)[1] == action), None)):
            return None
        total, mode = total + kept.gain, kept.mode
    elif action == rules.stop:
        return None
    return _odds(rules, total % rules.period, mode)


def _odds(rules: Throw | Turn, phase: int, mode: int) -> Odds:
    """Computed once."""
    known = vars(rules).setdefault("_odds", {})
    if (phase, mode) not in known:
        if isinstance(rules, Throw):
            rolls = [(weight, not points, points) for points, weight in rules.gains(mode).items()]
        else:
            best = ((r, max((o.gain for o in r.options), default=0)) for r in rules.rolls(phase, mode))
            rolls = [(r.weight, bool(r.loss), points) for r, points in best]
        total = sum(weight for weight, *_ in rolls)
        lost = sum(weight for weight, is_lost, _ in rolls if is_lost)
        known[phase, mode] = Odds(lost / total, sum(weight * points for weight, _, points in rolls) / total)
    return known[phase, mode]
