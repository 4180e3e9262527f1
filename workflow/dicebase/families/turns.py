"""Turns: odds of a roll, and outcomes of the dice."""

from collections.abc import Mapping
from typing import Any

from dicebase.families.family import Family, Odds, number
from dicebase.tables.follow.rolls import ROLL
from dicebase.vocabulary import Json, Turn


class Turns(Family):
    """Games of turns: roll, use the roll, continue or stop."""

    def odds(self, rules: Turn, state: Mapping[str, int | str], action: str) -> Odds | None:
        total, mode = state.get("turn_total", state.get(rules.total)), state.get("dice", rules.modes[0])
        known = vars(rules).setdefault("_odds", {})
        if ROLL in state:
            roll = total % rules.period, rules.mode_at(total, len(state[ROLL])), state[ROLL]
            if roll not in known:
                rolls = rules.rolls(*roll[:2])
                options = next((fallen.options for fallen in rolls if fallen.dice == state[ROLL]), ())
                known[roll] = {rules.called(option)[1]: option for option in options}
            if not (kept := known[roll].get(action)):
                return None
            total, mode = total + kept.gain, kept.mode
        elif action == rules.stop:
            return None
        phase = total % rules.period
        if (phase, mode) not in known:
            rolls = rules.rolls(phase, mode)
            most = [(r.weight, max((o.gain for o in r.options), default=0)) for r in rolls]
            weights = sum(weight for weight, _ in most)
            lost = sum(r.weight for r in rolls if r.loss)
            known[phase, mode] = Odds(lost / weights, sum(weight * points for weight, points in most) / weights)
        return known[phase, mode]

    def least_stop(self, rules: Turn, banked: int) -> tuple[str, int]:
        return rules.stop, rules.least_bank(banked)

    def dice(self, rules: Turn) -> Json:
        """Return the keys stop, keeps, period and modes, and: must, the modes that must roll; least, the least points
        to bank and to open; rolls, a list of rolls by phase and mode. A roll is a list of weight, dice, and options or
        loss; an option is a list of gain, next mode or null, and dice kept."""
        rolls = [[[_roll(r) for r in rules.rolls(p, mode)] for mode in rules.modes] for p in range(rules.period)]
        said = {name: getattr(rules, name) for name in ("stop", "keeps", "period", "modes")}
        least = [rules.least_bank(banked) for banked in (1, 0)] if rules.repeats else []
        return {**said, "must": rules.must_roll, "least": least, "rolls": rolls}


def _roll(roll: Any) -> list:
    options = [[o.gain, o.mode, o.keep] for o in roll.options]
    return [number(roll.weight), roll.dice, roll.loss.value if roll.loss else options]
