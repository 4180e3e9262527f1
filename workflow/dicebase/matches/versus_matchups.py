"""Policy against policy on two scorecards of one kind: who has more points in the end wins."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import accumulate, pairwise
from math import comb, isqrt
from typing import NamedTuple

from dicebase.matches.scorecards import OfMultipliers
from dicebase.matches.sheets import MOST_POINTS, OfPoints
from dicebase.vocabulary import Column, Layout, MultiplierScorecard, Sheet, State, worth
from dicebase.vocabulary.sheets import LIMB

RESPONSES = 4
AHEAD = (1, 2)  # points, with the same rolls
# Positions of two cards up to which the response to `optimal`, and all others, are found.
MAX_PAIRS = 160_000_000
MAX_ALL_PAIRS = 2_000_000


class Goal(NamedTuple):
    """What a policy maximises: the chance to beat a rival by more than some points, or else to reach a score."""

    rival: str = ""
    ahead: int = 0
    reach: int = 0


class ScorecardMatchups(OfMultipliers):
    """How often a policy has more points than another, a tie counting half (Böcker 2015, section 10).

    `alone`: each rolls for himself and sees nothing of the other. `same`: both place the same rolls, and may see the
    other's card and points. docs/games/ten_times_eighteen.md says what each policy maximises, and how it is rounded.
    """

    layout = Layout.MATCHUPS
    value = worth("P(win) + P(tie) / 2 of the row policy", "probability", "probability")
    columns = (
        Column("rolls", str, "alone: each rolls unseen; same: both place the same rolls and see both cards"),
        Column("row_policy", str, "the policy whose probability it is"),
        Column("column_policy", str, "the policy it plays against"),
    )
    more = (worth("P(tie)", "probability", "tie"),)

    @property
    def note(self) -> str:
        note = "the value of the table is what `response` earns against `optimal` where each rolls alone"
        if "random" in self.policies["same"]:
            return note
        few = "only `optimal` and responses to it are played" if self.policies["same"] else "nothing is played"
        return f"{note}; with the same rolls {few}: there are too many positions of two cards"

    @cached_property
    def goals(self) -> dict[str, dict[str, Goal]]:
        """What a policy other than `optimal` and `random` maximises, by `rolls` and name; a rival comes before."""
        reach, handicaps = self.targets
        responses = {"response": Goal("optimal"), "response_2": Goal("response")}
        responses |= {f"response_{k}": Goal(f"response_{k - 1}") for k in range(3, RESPONSES + 1)}
        alone = {f"reach_{x}": Goal(reach=x) for x in reach}
        alone |= {f"ahead_{m}": Goal("optimal", m) for m in handicaps}
        alone |= {f"behind_{m}": Goal("optimal", -m) for m in handicaps}
        same = {f"ahead_{m}": Goal("optimal", m) for m in AHEAD} | responses
        if self._pairs > MAX_ALL_PAIRS:
            same = {name: goal for name, goal in same.items() if goal.rival == "optimal"}
        return {"alone": alone | responses, "same": same if self._pairs <= MAX_PAIRS else {}}

    @property
    def _pairs(self) -> int:
        """Positions of two cards, counted from above."""
        return comb(2 * self.rules.slots, self.rules.slots) * (self.span + 1)

    @cached_property
    def policies(self) -> dict[str, tuple[str, ...]]:
        """The policies, by `rolls`."""
        same = tuple(self.goals["same"])
        if self._pairs <= MAX_ALL_PAIRS:
            at = same.index("response") + 1
            same = (*same[:at], "random", *same[at:])
        return {"alone": ("optimal", "random", *self.goals["alone"]), "same": ("optimal", *same) if same else ()}

    @property
    def one(self) -> int:
        """The payoff of certainty: as much as 64 bits allow for."""
        return 1 << min(52, 62 - sum(self.rules.odds).bit_length())

    def payoff(self, goal: Goal, games: Mapping[str, Sequence[int]]) -> list[int]:
        """What a policy with this goal maximises where each rolls alone, by final score from the least, in units of
        `one`: whether the score is reached, or P(less) + P(equal) / 2 of the rival's score and the points ahead.

        games : by policy, how many of all games end with each score.
        """
        scores = range(self.rules.spread + 1)
        if not goal.rival:
            return [self.one * (self.rules.least + score >= goal.reach) for score in scores]
        below = [0, *accumulate(games[goal.rival])]
        at = [below[min(max(0, score - goal.ahead), len(scores))] for score in range(len(scores) + 1)]
        return [sum(both) * self.one // (2 * self.rules.games) for both in pairwise(at)]

    @property
    def why_not_solved(self) -> str:
        total, slots = sum(self.rules.weights.values()), self.rules.slots
        if total.bit_length() + slots.bit_length() <= LIMB:
            return super().why_not_solved
        most = 1 << max(0, LIMB - slots.bit_length())
        return f"distribution: the weights sum to {total:.3g}; matchups are solved for sums below {most}"

    @property
    def bytes(self) -> int:
        games = sum(self.rules.weights.values()) ** self.rules.slots
        entry = 8 + 2 * len(self.rules.weights) + 8 * (games.bit_length() // LIMB + 2)
        return (self.span + 1) * entry << self.rules.slots

    @cached_property
    def targets(self) -> tuple[list[int], list[int]]:
        """The x of reach_x and the m of ahead_m and behind_m: round numbers, by the scores of the random strategy."""
        rules, total = self.rules, sum(self.rules.weights.values())
        mean = Fraction(sum(x * w for x, w in rules.weights.items()), total)
        variance = Fraction(sum(x * x * w for x, w in rules.weights.items()), total) - mean**2
        mean *= sum(rules.factors)
        deviation = isqrt(int(variance * sum(f * f for f in rules.factors)))
        step, unit = _round(deviation), _round(deviation // 10)
        reach = range(int(mean - deviation) // step * step, int(mean + 4 * deviation) + 1, step)
        return list(reach), [unit * m for m in range(1, 7)]

    def why_missing(self, state: State) -> str:
        rolls, *policies = state
        if rolls not in self.policies:
            return f"rolls is one of {', '.join(self.policies)}"
        for policy in policies:
            if policy not in self.policies[rolls]:
                known = ", ".join(self.policies[rolls]) or "none: too many positions of two cards"
                return f"'{policy}' is no policy here; with {rolls} rolls they are {known}"
        return super().why_missing(state)


class SheetMatchups(OfPoints):
    """How often a policy has more points than another on sheets of one kind, a tie counting half.

    Each rolls alone and sees nothing of the other. `greedy`, `optimal` and `upper_first` are the strategies of the
    distribution; `response` maximises its chance against `optimal`, `response_2` against `response`.
    """

    layout = Layout.MATCHUPS
    value = ScorecardMatchups.value
    columns = ScorecardMatchups.columns[1:]
    more = ScorecardMatchups.more
    most_solved = MOST_POINTS
    policies = ("greedy", "optimal", "response", "response_2", "upper_first")
    note = "the value of the table is what `response` earns against `optimal`"

    def why_missing(self, state: State) -> str:
        return f"the policies are {', '.join(self.policies)}"


def _round(number: int) -> int:
    """The largest of 1, 2, 5, 10, 20, 50 ... that is not above a number, at least 1."""
    return max((k * 10**e for k in (1, 2, 5) for e in range(10) if k * 10**e <= number), default=1)


FORMATS = {MultiplierScorecard: ScorecardMatchups, Sheet: SheetMatchups}
