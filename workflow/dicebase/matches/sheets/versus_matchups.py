"""Policies against one another on two equal scorecards; the higher final score wins."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import accumulate, pairwise
from math import comb, isqrt
from typing import NamedTuple

from dicebase.matches.sheets.scorecards import MultiplierListing
from dicebase.matches.sheets.sheets import MOST_POINTS, SheetPoints
from dicebase.vocabulary import Column, Layout, MultiplierScorecard, Sheet, State, value_column
from dicebase.vocabulary.rules.sheets import LIMB

RESPONSES = 4
AHEAD = (1, 2)  # the m of ahead_m with the same rolls, in points
# The most positions of two cards for which the responses to `optimal`, and for which all responses, are solved.
MAX_PAIRS = 160_000_000
MAX_ALL_PAIRS = 2_000_000


class Goal(NamedTuple):
    """A policy's goal: the probability of beating a rival by more than some points, or of reaching a score."""

    rival: str = ""
    ahead: int = 0
    reach: int = 0


class ScorecardMatchups(MultiplierListing):
    """How often a policy beats another on points, a tie counting half (Böcker 2015, section 10).

    `alone`: each player rolls unseen by the other. `same`: both place the same rolls, and may see the other's card and
    points. docs/games/ten_times_eighteen.md defines the policies and their rounding.
    """

    layout = Layout.MATCHUPS
    value = value_column("P(win) + P(tie) / 2 of the row policy", "probability", "probability")
    columns = (
        Column("rolls", str, "alone: each rolls unseen; same: both place the same rolls and see both cards"),
        Column("row_policy", str, "policy whose probability it is"),
        Column("column_policy", str, "policy it plays against"),
    )
    more = (value_column("P(tie)", "probability", "tie"),)

    @property
    def note(self) -> str:
        note = "the value of the table is the result of `response` against `optimal` if each rolls alone"
        if "random" in self.policies["same"]:
            return note
        few = "only `optimal` and responses to it are played" if self.policies["same"] else "no policies are played"
        return f"{note}; with the same rolls {few}, because there are too many positions of two cards"

    @cached_property
    def goals(self) -> dict[str, dict[str, Goal]]:
        """The goals of policies except `optimal` and `random`, for each `rolls`; a rival precedes its responses."""
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
        """An upper bound on the number of positions of two cards."""
        return comb(2 * self.rules.slots, self.rules.slots) * (self.rules.spread + 1)

    @cached_property
    def policies(self) -> dict[str, tuple[str, ...]]:
        """The policies for each `rolls`: alone and same."""
        same = tuple(self.goals["same"])
        if self._pairs <= MAX_ALL_PAIRS:
            at = same.index("response") + 1
            same = (*same[:at], "random", *same[at:])
        return {"alone": ("optimal", "random", *self.goals["alone"]), "same": ("optimal", *same) if same else ()}

    @property
    def one(self) -> int:
        """The integer that stands for probability 1, as large as 64 bits allow."""
        return 1 << min(52, 62 - sum(self.rules.odds).bit_length())

    def payoff(self, goal: Goal, games: Mapping[str, Sequence[int]]) -> list[int]:
        """The payoff, by final score minus least score, that a policy maximises if each player rolls alone, in units of
        `one`.

        If the goal is a score, it is 1 if the score is reached. Against a rival it is P(R < score) + P(R = score) / 2,
        where R is the rival's score plus the points ahead.
        games : {policy: number of games that end with each score}.
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
        return (self.rules.spread + 1) * entry << self.rules.slots

    @cached_property
    def targets(self) -> tuple[list[int], list[int]]:
        """The x of reach_x and the m of ahead_m and behind_m: round numbers near the scores of the random strategy."""
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
            return f"rolls must be one of {', '.join(self.policies)}"
        for policy in policies:
            if policy not in self.policies[rolls]:
                known = ", ".join(self.policies[rolls]) or "none, because there are too many positions of two cards"
                return f"'{policy}' is not a policy here; with {rolls} rolls the policies are {known}"
        return super().why_missing(state)


class SheetMatchups(SheetPoints):
    """How often a policy beats another on points on sheets of one kind, a tie counting half.

    Each player rolls unseen by the other. `greedy`, `optimal` and `upper_first` are the strategies of the distribution;
    `response` maximises its result against `optimal`, `response_2` against `response`.
    """

    layout = Layout.MATCHUPS
    value = ScorecardMatchups.value
    columns = ScorecardMatchups.columns[1:]
    more = ScorecardMatchups.more
    most_solved = MOST_POINTS
    policies = ("greedy", "optimal", "response", "response_2", "upper_first")
    note = "the value of the table is the result of `response` against `optimal`"

    def why_missing(self, state: State) -> str:
        return f"the policies are {', '.join(self.policies)}"


def _round(number: int) -> int:
    """The largest of 1, 2, 5, 10, 20, 50 ... that does not exceed a number; at least 1."""
    return max((k * 10**e for k in (1, 2, 5) for e in range(10) if k * 10**e <= number), default=1)


FORMATS = {MultiplierScorecard: ScorecardMatchups, Sheet: SheetMatchups}
