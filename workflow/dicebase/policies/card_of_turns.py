"""A policy for turns that fits on a card: which dice of each roll to keep, and when to stop.

It is derived from optimal play of one turn. Stop from the least total at which stopping is optimal, given what would be
rolled next. From each roll, keep the dice with the highest mean value over the totals at which the roll occurs in
optimal play; when you stop, score all that the roll gains.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from dicebase.solvers.plays import Play
from dicebase.solvers.turns.compiled import OPTIONS, CompiledTurn, compile_turn
from dicebase.solvers.turns.continuation import FarTotals
from dicebase.solvers.turns.exact_turn import far_worth
from dicebase.solvers.turns.plays import Decisions, Policy, follow, play_of
from dicebase.vocabulary import TIE, Json, Option, RepeatedTurn, Roll

Rolled = tuple[int, tuple[Option, ...]]
"""(mode, options of the roll)."""

FAR = 1e-18  # a part of the points that does not change a double


class Carded(RepeatedTurn):
    """A turn played by a card: each roll has one way to go on, and one to stop with all it gains."""

    def __init__(self, of: RepeatedTurn, chosen: Mapping[Rolled, Option]) -> None:
        self.modes, self.stop, self.of, self.chosen = of.modes, of.stop, of, chosen

    def rolls(self, total: int, mode: int) -> list[Roll]:
        found = []
        for roll in self.of.rolls(total, mode):
            stop = _most(self.of, roll.options)
            ways = (self.chosen[mode, roll.options], *([Option(stop, None)] if stop else [])) if roll.options else ()
            found.append(roll._replace(options=ways))
        return found


@dataclass(frozen=True)
class CardOfTurns:
    """A card. `stop_at` is {mode: least total to stop at, None for never}, `chosen` the option to keep of each roll,
    and `best` the expected points of optimal play."""

    rules: RepeatedTurn
    stop_at: Mapping[int, int | None]
    chosen: Mapping[Rolled, Option]
    best: float

    @classmethod
    def of(cls, rules: RepeatedTurn) -> "CardOfTurns":
        """Make the card of some rules by solving the turn in doubles; raises InfiniteValueError if it need not end."""
        turn, far = compile_turn(rules), FarTotals(rules)
        unit, last = turn.unit, far.cutoff // turn.unit
        tail = [far_worth(far.continuation, turn, total) for total in range(last, last + turn.max_gain)]
        roll = _rolled(turn, last, np.array(tail, dtype=float))
        never = {mode for _, mode in far.safe}.union(rules.must_roll)
        there, total = {*map(tuple, turn.positions(last).tolist())}, np.arange(len(roll))
        worth, stops = {None: total.astype(float)}, {}
        for m, mode in enumerate(turn.modes):
            may = [rules.may_stop(t * unit, mode) for t in total.tolist()]
            least = (t for t in range(last) if may[t] and (t, m) in there and roll[t, m] <= t * (1 + TIE))
            stops[mode] = None if mode in never else next(least, last)
            worth[mode] = np.where(may, np.maximum(roll[:, m], total), roll[:, m])
        least = np.array([np.inf if stops[mode] is None else stops[mode] for mode in turn.modes])
        goes_on, score = (total[:, np.newaxis] < least).astype(float), np.stack([worth[mode] for mode in turn.modes], 1)
        decisions = Decisions(goes_on[np.newaxis], score[np.newaxis], worth[None][np.newaxis], 0.0)
        met = (goes_on * follow(turn, decisions, np.zeros(goes_on.shape, bool))[3][0])[:last]
        chosen = {
            (mode, options): _kept(rules, options, unit, stops, worth, met[:, m])
            for m, mode in enumerate(turn.modes)
            for options in {roll.options for roll in rules.rolls(0, mode)} - {()}
        }
        points = {mode: None if at is None else at * unit for mode, at in stops.items()}
        return cls(rules, points, chosen, float(roll[0, 0] * unit))

    @property
    def stops(self) -> list[Json]:
        """The stopping totals by mode, for modes that a turn can reach with points."""
        after = {o.mode for mode in self.rules.modes for roll in self.rules.rolls(0, mode) for o in roll.options}
        return [{"hand": mode, "from": at} for mode, at in self.stop_at.items() if mode in after]

    @property
    def kept(self) -> list[Json]:
        """The dice to keep by scoring dice and mode; rolls with the same scoring dice keep the same. Rolls of which all
        scoring dice are kept are left out."""
        found: dict[str, dict[int, str]] = {}
        for mode in self.rules.modes if self.rules.keeps else ():
            for roll in (roll for roll in self.rules.rolls(0, mode) if roll.options):
                scores = Counter()
                for option in roll.options:
                    scores |= Counter(option.keep)
                of = found.setdefault("".join(sorted(scores.elements())), {})
                of[mode] = self.chosen[mode, roll.options].keep
        some = [{"scores": dice, "of": of} for dice, of in found.items() if {*of.values()} != {dice}]
        return sorted(some, key=lambda row: (len(row["scores"]), row["scores"]))

    def play(self, unit: int, T: int, past: int = 0) -> Play:
        """The card as a play in a duel to T units, with a last turn if there are `past` totals from the target on. In
        its own last turn the player rolls until the opponent is passed."""
        turn, decide = self._followed(unit, T, past)

        def reaches(need: int) -> float:
            on, must = np.ones((1, need, len(turn.modes))), np.ones((need, len(turn.modes)), bool)
            return float(follow(turn, Decisions(on, on, np.zeros((1, need)), 0.0), must)[0][0, need])

        within = np.array([1.0, *(reaches(need) for need in range(1, T + past + 1 if past else 1))])
        last = within[T + 1 + np.arange(past) - np.arange(T)[:, np.newaxis]] if past else None
        return play_of(turn, T, decide, last)

    def _followed(self, unit: int, T: int, past: int = 0) -> tuple[CompiledTurn, Policy]:
        """Return the turn by the card and its decisions in a duel to T units."""
        turn = compile_turn(Carded(self.rules, self.chosen), unit)
        stops = np.array([T if self.stop_at[mode] is None else self.stop_at[mode] // unit for mode in turn.modes])

        def decide(me: int) -> Decisions:
            least = np.maximum(stops, -(-self.rules.least_bank(me) // unit))
            goes_on = (np.arange(T - me)[:, np.newaxis] < least)[np.newaxis].astype(float)
            stop = np.append(np.zeros(T - me), np.full(past, 2.0))[np.newaxis]  # the target is better than rolling on
            return Decisions(goes_on, 2 * goes_on - 1, stop, 0.0)

        return turn, decide

    @cached_property
    def worth(self) -> float:
        """The expected points of a turn played by the card, without a match. The turns are followed to totals that they
        reach too rarely to change a double."""
        unit, T = compile_turn(self.rules).unit, 512
        while True:
            T *= 2
            turn, decide = self._followed(unit, T + 1)
            ends = follow(turn, decide(1), turn.must(T + 1, 1))[0][0]
            points = ends @ np.arange(T + 1)
            if ends[-1] * T <= FAR * points:
                return float(points * unit)


def _rolled(turn: CompiledTurn, last: int, tail: np.ndarray) -> np.ndarray:
    """Return the values of rolling, in units, as (last, modes). tail : (max_gain, modes), values from `last` on."""
    width, hands = len(turn.modes) + 1, []
    V = np.column_stack([np.vstack([np.zeros((last, width - 1)), tail]), np.arange(last + len(tail))])
    for first, end, total in zip(turn.row_start, turn.row_start[1:], turn.sum_of_weights, strict=False):
        used = first + np.flatnonzero(turn.kind[first:end] == OPTIONS)
        ways = slice(turn.option_start[first], turn.option_start[end])  # rolls that are lost have no options
        places = turn.gain[ways] * width + turn.next_mode[ways] % width
        hands.append((places, turn.option_start[used] - ways.start, turn.weight[used] / total))
    roll = V[:, :-1].copy()
    for t in range(last - 1, -1, -1):
        ahead = V[t:].reshape(-1)
        roll[t] = [shares @ np.maximum.reduceat(ahead[places], starts) for places, starts, shares in hands]
        V[t, :-1] = np.where(turn.must_roll | (t < turn.least_stop), roll[t], np.maximum(roll[t], t))
    return roll


def _most(rules: RepeatedTurn, options: tuple[Option, ...]) -> int:
    """The most points with which one of these options allows stopping; 0 if none does."""
    return max((o.gain for o in options if o.mode not in rules.must_roll), default=0)


def _kept(
    rules: RepeatedTurn,
    options: tuple[Option, ...],
    unit: int,
    stops: Mapping,
    worth: Mapping[int | None, np.ndarray],
    met: np.ndarray,
) -> Option:
    """The option with the highest mean value over the totals at which the roll occurs; the first if it never occurs.
    met : (last,), how often optimal play rolls at each total."""
    total, most = np.arange(len(met)), _most(rules, options) // unit

    def mean(option: Option) -> float:
        after, at = total + option.gain // unit, stops.get(option.mode, 0)
        goes_on = np.full(len(met), True) if at is None else after < at
        return float(met @ np.where(goes_on, worth[option.mode][after], total + most))

    return max(options, key=mean)
