"""The outcomes of a board as solvers, certifiers and players see them: each leads to a position or to the end of play.

If rules lead from an afterstate to another one (`After`), the outcomes here are those of all dice up to the next
decision. A discount n / d multiplies the value of the next position after every decision. Play that goes on with
probability n / d, and otherwise stops, has the same values, so the outcomes here say that.
"""

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, inf, lcm
from typing import Any

from dicebase.vocabulary.contracts.conditions import LARGEST, MOST_WEIGHT, is_text, is_whole, need

FEW = 100  # up to this length, lists of numbers are checked entry by entry
NO_OUTCOME = "there is none (a generator that is returned again has none left)"
FIRST = "before the first decision"  # marks the afterstate that has no discount
FEW_LABELS, MORE = 3, "another way"  # an outcome with more labels has the shortest of these
STOPS = "play stops by the discount"

Part = dict[tuple, tuple[int, dict[str, None]]]
"""{(state, reward, sign): (weight, labels)}."""
ONCE: tuple[int, dict[str, None]] = 1, {"": None}


@dataclass(frozen=True)
class After:
    """In place of an outcome's state: chance decides again, from another afterstate, before anybody moves."""

    afterstate: Hashable


class Chance:
    """The dice of a board: `start()` is the afterstate before the first decision, and `outcomes(afterstate)` are tuples
    (weight, state or None, reward, sign)."""

    def __init__(self, rules: Any) -> None:
        self.rules, self.known = rules, {}
        self.flags = [i for i, column in enumerate(rules.columns) if column.kind is bool]
        # Whether outcomes are those of the rules, as they stand.
        self.plain = not (rules.chained or self.flags) and rules.discount == rules.reward_factor == 1
        self.most = MOST_WEIGHT if self.plain else inf  # limit on the sum of weights
        self.start = rules.start if rules.discount == 1 else self._first
        self.outcomes = rules.outcomes if self.plain else self._outcomes

    def labels(self, afterstate: Hashable) -> Sequence[str]:
        """What each outcome is called, in the order of `outcomes`; empty if the rules do not say."""
        if self.plain:
            return self._said(afterstate, self.rules.outcomes)
        found = [" or ".join(labels) for _, labels in self._to_decision(afterstate).values()]
        return found if any(found) else ()

    def _first(self) -> Hashable:
        return FIRST, self.rules.start()

    def _outcomes(self, afterstate: Hashable) -> Iterable[tuple]:
        found = self._to_decision(afterstate).items()
        if not self.flags and self.rules.reward_factor == 1:
            return [(weight, *outcome) for outcome, (weight, _) in found]
        return [
            (weight, self._stored(state), _whole(reward * self.rules.reward_factor), sign)
            for (state, reward, sign), (weight, _) in found
        ]

    def _stored(self, state: tuple | None) -> tuple | None:
        """Return a state with 0 and 1 for bools; raise ConfigurationError for any other value in such a column."""
        if state is None or type(state) is not tuple or len(state) != len(self.rules.columns):
            return state
        flags = [state[i] for i in self.flags]
        need({*map(type, flags)} <= {bool, int} and {*flags} <= {0, 1}, f"state {state!r:.80}: a column has no bool")
        return tuple(int(x) if i in self.flags else x for i, x in enumerate(state))

    def _to_decision(self, afterstate: Hashable) -> Part:
        """Return the outcomes up to the next decision, with the discount."""
        goes_on = Fraction(self.rules.discount)
        if goes_on == 1:
            return self._resolved(afterstate, ())
        if type(afterstate) is tuple and afterstate[:1] == (FIRST,):
            return self._resolved(afterstate[1], ())
        found: Part = {}
        for (state, reward, sign), (weight, labels) in self._resolved(afterstate, ()).items():
            if state is None:
                _add(found, (None, reward, 1), weight * goes_on.denominator, labels)
            else:
                _add(found, (state, reward, sign), weight * goes_on.numerator, labels)
                left = weight * (goes_on.denominator - goes_on.numerator)
                _add(found, (None, reward, 1), left, {STOPS: None} if any(labels) else labels)
        return found

    def _resolved(self, afterstate: Hashable, path: tuple) -> Part:
        """Return the outcomes up to the next decision; `path` holds the afterstates that chance has come through."""
        if (known := self.known.get(afterstate)) is not None:
            return known
        place = f"outcomes({afterstate!r:.80})"
        need(afterstate not in path, f"{place}: chance may lead back here before anybody decides")
        said = [*self.rules.outcomes(afterstate)]
        need(all(isinstance(o, tuple) and len(o) == 4 for o in said), f"{place}: are not tuples of four fields")
        check_fall(afterstate, *([o[i] for o in said] for i in (0, 2, 3)))
        names, found = self._said(afterstate, lambda _: said) or [""] * len(said), {}
        parts = [
            self._resolved(state.afterstate, (*path, afterstate)) if type(state) is After else {(state, 0, 1): ONCE}
            for _, state, *_ in said
        ]
        totals = [sum(weight for weight, _ in part.values()) for part in parts]
        over = lcm(*totals)
        for (weight, _, reward, sign), name, part, total in zip(said, names, parts, totals, strict=True):
            for (state, more, turned), (times, then) in part.items():
                labels = {", ".join(filter(None, (name, label))): None for label in then}
                _add(found, (state, reward + sign * more, sign * turned), weight * (over // total) * times, labels)
        if over > 1:
            by = gcd(*(weight for weight, _ in found.values()))
            found = {outcome: (weight // by, labels) for outcome, (weight, labels) in found.items()}
        if path:
            self.known[afterstate] = found
        return found

    def _said(self, afterstate: Hashable, outcomes: Callable[[Hashable], Iterable]) -> Sequence[str]:
        """Return the labels that the rules state for their outcomes, which are asked for only if there are labels."""
        labels = self.rules.labels(afterstate)
        if not len(labels):
            return labels
        count = len([*outcomes(afterstate)])
        valid = len(labels) == count and all(map(is_text, labels))
        need(valid, f"labels({afterstate!r:.80}): {labels!r:.80} is not one line of text for each of {count} outcomes")
        return labels


def _whole(number: int | Fraction) -> int | Fraction:
    return int(number) if number == int(number) else number


def _add(found: Part, outcome: tuple, weight: int, labels: dict[str, None]) -> None:
    before, known = found.get(outcome, (0, {}))
    some = sorted(known | labels, key=lambda label: (label == MORE, len(label), label))
    if len(some) > FEW_LABELS:
        some[FEW_LABELS:] = [MORE]
    found[outcome] = before + weight, dict.fromkeys(some)


def check_fall(
    afterstate: Hashable, weights: Sequence, rewards: Sequence, signs: Sequence, most: float = MOST_WEIGHT
) -> None:
    """Raise ConfigurationError unless weights, rewards and signs of outcomes are numbers of the right kinds, and
    weights sum to `most` or less."""
    place = f"outcomes({afterstate!r:.80})"
    need(len(weights) > 0, f"{place}: {NO_OUTCOME}")
    positive = all(is_whole(w, 1, most) for w in _kinds(weights)) and sum(weights) <= most
    need(positive, f"{place}: a weight is not a whole number from 1, or they sum to more than 2**53")
    for reward in _kinds(rewards):
        rational = type(reward) in (int, bool, Fraction) and abs(reward) <= LARGEST
        need(rational, f"{place}: a reward is {reward!r:.80}, not a whole number or Fraction up to {LARGEST}")
    need(
        all(type(s) is int and abs(s) == 1 for s in _kinds(signs)),
        f"{place}: a sign is not 1, or -1 for a change of roles",
    )


def _kinds(numbers: Sequence) -> list:
    """The numbers without repetitions, where 1 and 1.0 are different; a short list is returned whole."""
    try:
        return [x for _, x in {(type(x), x) for x in numbers}] if len(numbers) > FEW else [*numbers]
    except TypeError:  # an unhashable entry is not a number
        return [*numbers]
