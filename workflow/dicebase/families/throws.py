"""Single throws: odds of a throw, and outcomes of the dice."""

from collections.abc import Mapping

from dicebase.families.family import Family, Odds, numbers
from dicebase.vocabulary import Json, Throw


class Throws(Family):
    """Games of single throws."""

    def odds(self, rules: Throw, state: Mapping[str, int | str], action: str) -> Odds:
        gains = rules.gains(int(action))
        weights = sum(gains.values())
        return Odds(gains.get(0, 0) / weights, sum(points * weight for points, weight in gains.items()) / weights)

    def dice(self, rules: Throw) -> Json:
        """Return the keys choices and wipes, and throws: for each choice, a list of pairs of points and weight."""
        throws = {choice: numbers(rules.gains(choice)) for choice in rules.choices}
        return {"choices": rules.choices, "wipes": rules.wipes, "throws": throws}
