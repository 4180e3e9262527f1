"""The referee of matches of turns, whose tables have millions of rows: turn by turn, many games side by side.

Of the rows only what the table does is kept, and where rolls are used in several ways the values by which the best
one is chosen. A turn is thrown roll by roll as the rules list them; what its end leads to is asked of the match.
"""

import numpy as np
import pyarrow.compute as pc

from dicebase.certify.chance import dice, drawn, kernel, throw
from dicebase.certify.published import Rows
from dicebase.certify.simulation import LONGEST, Simulation, simulate
from dicebase.certify.turns.kernel import BUST, OPTIONS, Turns
from dicebase.matches.by_turns import ByTurns
from dicebase.matches.targets import Record
from dicebase.vocabulary import Loss

MOST_ROWS = 50_000_000
"""Of larger tables nothing is played: what they do does not fit into memory."""

ROLL = "roll"
BANK = 0  # how a turn ends, beside BUST and WIPE


def play(game: ByTurns, published: Rows, seed: int) -> Simulation | None:
    """Play a published table, whose rows have passed their check; None where games take too long or rows are too
    many."""
    if published.count > MOST_ROWS or (game.rules.keeps and _forced(game)):
        return None
    self = Matches(game, published)
    # Players who change roles are two.
    two = game.after_turn(game.first(), Loss.BUST)[2] < 0 < game.sense
    return simulate(
        self.play, seed, game.value.unit, float(np.ptp(self.starts)), self.play_against_chance if two else None
    )


def _forced(game: ByTurns) -> bool:
    """Whether a way to use a roll banks by force, which no row has a value for."""
    rolls = (roll for mode in game.rules.modes for roll in game.rules.rolls(0, mode))
    return any(option.mode is None for roll in rolls for option in roll.options)


class Matches:
    """The rules of a match and what its table does, as arrays; points are in units."""

    def __init__(self, game: ByTurns, published: Rows) -> None:
        self.game, unit = game, game.unit_of_points
        turns = Turns(game.rules, unit)
        self.records = list(game.records())
        self.number = {record: i for i, record in enumerate(self.records)}
        total, mode, _ = turns.positions(game.totals)
        # By (total, mode): the place among the rows of a record.
        self.place = np.full((game.totals, len(turns.modes)), -1)
        self.place[total, mode] = np.arange(len(total))
        self.need = np.array([-(-game.to_go(record) // unit) for record in self.records])
        self.first = np.cumsum([0, *np.searchsorted(total, self.need)])
        thrown = dice([roll.weight for roll in game.rules.rolls(0, mode)] for mode in turns.modes)
        self.turns = thrown, turns.stands_for, turns.kind, turns.first_option, turns.gain, turns.next
        self.rolls, values = np.empty(published.count, bool), np.empty(published.count)
        done = 0
        for part in published.parts(("value", "action")):
            rows = slice(done, done + part.num_rows)
            self.rolls[rows], values[rows] = pc.equal(part["action"], ROLL), part["value"]
            done = rows.stop
        self.starts = values[self.first[:-1]]
        # Where a roll is used in one way, nothing is chosen by the values inside a turn.
        self.values = values if game.rules.keeps else np.empty(0)
        self.after: dict[int, tuple[int, float, float]] = {}
        self.wide = 3 * int(self.need.max() + turns.gain.max(initial=0) + 1)
        self.at_target = np.zeros(len(self.records))
        if game.rules.keeps:
            self.at_target[:] = [self._worth(record) for record in self.records]

    def _worth(self, record: Record) -> float:
        """What it is worth to bank all points that are needed."""
        after, reward, sign = self.game.after_turn(record, self.game.to_go(record))
        return reward + (0.0 if after is None else sign * self.starts[self.number[after]])

    def play_against_chance(self, streams: np.ndarray) -> tuple[np.ndarray, int] | None:
        """Play games in which the other player draws what he does; see simulation.Play."""
        return self.play(streams, against_chance=True)

    def play(self, streams: np.ndarray, against_chance: bool = False) -> tuple[np.ndarray, int] | None:
        """Play games; see simulation.Play."""
        payoffs, made = np.zeros(len(streams)), 0
        games = np.arange(len(streams))
        record = np.full(len(streams), self.number[self.game.first()])
        role = np.ones(len(streams))
        while len(games):
            ends = np.zeros(len(games), np.int64)
            stakes = self.place, self.need[record], self.first[record], self.at_target[record], self.rolls, self.values
            how = float(self.game.sense), (role < 0) & against_chance, streams, LONGEST - made
            made += _turn(*self.turns, *stakes, *how, ends)
            if made > LONGEST:
                return None
            after, reward, sign = self._after(record, ends)
            payoffs[games] += role * reward
            on = after >= 0
            games, streams, record, role = games[on], streams[on], after[on], (role * sign)[on]
        return payoffs, made

    def _after(self, record: np.ndarray, ends: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(record or -1, reward, sign) after turns that end so, each end asked of the match once."""
        codes, where = np.unique(record * self.wide + ends, return_inverse=True)
        for code in codes.tolist():
            if code not in self.after:
                self.after[code] = self._ask(*divmod(code, self.wide))
        after, reward, sign = np.array([self.after[code] for code in codes.tolist()]).T
        return after.astype(int)[where], reward[where], sign[where]

    def _ask(self, record: int, end: int) -> tuple[int, float, float]:
        points, kind = divmod(end, 3)
        game, at = self.game, self.records[record]
        if kind == BANK:
            after, reward, sign = game.after_turn(at, points * game.unit_of_points)
        else:
            after, reward, sign = game.after_turn(at, Loss.BUST if kind == BUST else Loss.WIPE)
        return -1 if after is None else self.number[after], reward, sign


@kernel
def _turn(
    thrown, stands_for, kind, first_option, gain, next_mode,
    place, need, row, at_target, rolls, values, sense, draws, streams, most, ends,
):  # fmt: skip
    """The moves of one turn of each game, in all; how each ends, 3 times the points banked, and how, into `ends`."""
    made = 0
    for game in range(len(streams)):
        total, mode = 0, 0
        while made <= most:
            made += 1
            on = rolls[row[game] + place[total, mode]] if not draws[game] else drawn(streams, game) == 1
            if total > 0 and not on:
                ends[game] = 3 * total + BANK
                break
            roll = stands_for[thrown.first[mode] + throw(thrown, mode, streams, game)]
            if kind[roll] != OPTIONS:
                ends[game] = kind[roll]
                break
            best = first_option[roll]
            options = first_option[roll + 1] - best
            if draws[game]:
                best += (options - 1) * drawn(streams, game)
            elif options > 1:
                most_worth = -np.inf
                for option in range(first_option[roll], first_option[roll + 1]):
                    x = total + gain[option]
                    worth = at_target[game]
                    if x < need[game]:
                        worth = values[row[game] + place[x, next_mode[option]]]
                    if sense * worth > most_worth:
                        best, most_worth = option, sense * worth
            total, mode = total + gain[best], next_mode[best]
            if mode < 0 or total >= need[game]:
                ends[game] = 3 * total + BANK
                break
    return made
