"""The referee of matches of turns plays many games side by side, turn by turn, from tables with millions of rows.

It keeps only the action of each row and, if a roll can be used in several ways, the values that select the best way. It
throws the dice roll by roll as the rules list them; the match states what follows a turn.
"""

from collections.abc import Sequence
from functools import partial

import numpy as np
import pyarrow.compute as pc

from dicebase.certify.play.chance import dice, drawn, throw
from dicebase.certify.play.simulation import LONGEST, Simulation, simulate
from dicebase.certify.published import Rows
from dicebase.certify.turns.kernel import BUST, OPTIONS, OUT, WIPE, Turns, play_inside
from dicebase.certify.turns.stakes import Stakes
from dicebase.matches.turns.by_turns import ByTurns, StartsOfTurns
from dicebase.vocabulary import TIE, Loss
from dicebase.vocabulary.kernels import kernel

MOST_ROWS = 50_000_000
"""Larger tables are not played: their actions do not fit into memory."""

ROLL = "roll"
BANK = 0  # an end of a turn, like BUST, WIPE and OUT
KINDS = 4


def play(listing: ByTurns | StartsOfTurns, published: Rows, seed: int) -> Simulation | None:
    """Play a published table that has passed its check; return None if games take too long or rows are too many."""
    game = listing.match
    self = Matches(game)
    if self.first[-1] > MOST_ROWS or (game.rules.keeps and game.may_end_by_force):
        return None
    if game is listing:
        self.read(published)
    else:
        self.follow(published)
    # If roles change after a turn, two players alternate.
    two = game.after_turn(game.first(), Loss.BUST)[2] < 0 < game.sense
    against = partial(self.play, against_chance=True) if two else None
    return simulate(self.play, seed, game.value.unit, float(np.ptp(self.starts)), against)


class Matches:
    """The rules of a match and its published policy, as arrays; points are in units."""

    def __init__(self, game: ByTurns) -> None:
        self.game, unit = game, game.unit_of_points
        self.alike = turns = Turns(game.rules, unit)
        self.records = np.array(list(game.records())).T
        self.need = -(-game.to_go(self.records) // unit)
        total, mode, _ = self.positions = turns.positions(int(self.need.max()))
        # By (total, mode): the index among the rows of a record.
        self.place = np.full((int(self.need.max()), len(turns.modes)), -1)
        self.place[total, mode] = np.arange(len(total))
        self.first = np.cumsum([0, *np.searchsorted(total, self.need)])
        # By record: the smallest turn total that may be banked.
        opens, banks = (-(-game.rules.least_bank(banked) // unit) for banked in (0, 1))
        self.least = np.where(self.records[game.mine] == 0, opens, banks)
        thrown = dice([roll.weight for roll in game.rules.rolls(0, mode)] for mode in turns.modes)
        self.turns = thrown, turns.stands_for, turns.rolls

    def read(self, published: Rows) -> None:
        """Read the actions and values from the rows of all positions."""
        rolls, values, done = np.empty(published.count, bool), np.empty(published.count), 0
        for part in published.parts(("value", "action")):
            rows = slice(done, done + part.num_rows)
            rolls[rows], values[rows] = pc.equal(part["action"], ROLL), part["value"]
            done = rows.stop
        self._set(rolls, values)

    def follow(self, published: Rows) -> None:
        """Derive actions and values from the starts of turns: roll on if that is better by more than TIE."""
        game, stakes = self.game, Stakes(self.game)
        stakes.values = published.columns(names=("value",))["value"]
        rolls, values, done = np.empty(self.first[-1], bool), np.empty(self.first[-1]), 0
        for block in stakes.blocks:
            roll, _, bank, only = play_inside(self.alike, stakes, block, *self.positions[:2])
            bank[only] = -game.sense * np.inf
            rows = slice(done, done + len(roll))
            rolls[rows] = game.sense * (roll - bank) > TIE
            values[rows], done = (np.maximum if game.sense > 0 else np.minimum)(roll, bank), rows.stop
        self._set(rolls, values)

    def _set(self, rolls: np.ndarray, values: np.ndarray) -> None:
        self.rolls, self.starts = rolls, values[self.first[:-1]]
        # If every roll can be used in one way only, no values inside a turn are needed.
        self.values = values if self.game.rules.keeps else np.empty(0)
        # By record and points beyond the target: the value of ending a turn there, if it is not 1.
        self.passed = np.ones((len(self.need), 0 if self.game.wins_at_once else self.game.past // self.alike.unit))
        for past in range(self.passed.shape[1]):
            after, reward, sign = self._after(np.arange(len(self.need)), KINDS * (self.need + past) + BANK)
            self.passed[:, past] = reward + sign * np.where(after < 0, 0.0, self.starts[after])

    def play(self, streams: np.ndarray, against_chance: bool = False) -> tuple[np.ndarray, int]:
        """Play games, against a random opponent if `against_chance`; see simulation.Play."""
        payoffs, made = np.zeros(len(streams)), 0
        games = np.arange(len(streams))
        record = np.full(len(streams), self._number(np.array(self.game.first())[:, np.newaxis])[0])
        role = np.ones(len(streams))
        while len(games) and made <= LONGEST:
            ends = np.zeros(len(games), np.int64)
            stakes = self.least[record], self.place, self.need[record], self.first[record]
            stakes += self.rolls, self.values, self.passed[record]
            how = float(self.game.sense), (role < 0) & against_chance, streams, LONGEST - made
            made += _turn(*self.turns, *stakes, *how, ends)
            after, reward, sign = self._after(record, ends)
            payoffs[games] += role * reward
            on = after >= 0
            games, streams, record, role = games[on], streams[on], after[on], (role * sign)[on]
        return payoffs, made

    def _number(self, record: Sequence[np.ndarray]) -> np.ndarray:
        """Return the index of each record."""
        ranges = self.game.ranges
        places = [(x - numbers.start) // numbers.step for x, numbers in zip(record, ranges, strict=True)]
        return np.ravel_multi_index(places, [*map(len, ranges)])

    def _after(self, record: np.ndarray, ends: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the record or -1, the reward and the sign after turns with these `ends`; the target ends the match."""
        game, at = self.game, self.records[:, record]
        banked, kind = np.divmod(ends, KINDS)
        points = np.where(kind == WIPE, 0, at[game.mine] + np.where(kind == BANK, banked * game.unit_of_points, 0))
        won, lost, after = game.ended(at, points, kind == BUST)
        lost = lost | (kind == OUT)
        over = won | lost | (after[0] == 0 if game.limit else False)
        number = np.full(len(record), -1)
        number[~over] = self._number([column[~over] for column in after])
        return number, np.where(won, 1, np.where(lost, 0, game.reward)), np.where(won | lost, 1, game.sign)


@kernel
def _turn(thrown, stands_for, turn, least, place, need, row, rolls, values, passed, sense, draws, streams, most, ends):
    """Play one turn of each game and return the moves; fill `ends` with KINDS * units banked + kind of end, by game.
    least, need, row, draws (random play), streams : (games,); row + place[total, mode] indexes `rolls` and `values`."""
    _, _, kind, first_option, gain, next_mode, must_roll = turn
    made = 0
    for game in range(len(streams)):
        total, mode = 0, 0
        while made <= most:
            made += 1
            on = rolls[row[game] + place[total, mode]] if not draws[game] else drawn(streams, game) == 1
            if total >= least[game] and not must_roll[mode] and not on:
                ends[game] = KINDS * total + BANK
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
                    worth = 1.0  # the target
                    if x < need[game]:
                        worth = values[row[game] + place[x, next_mode[option]]]
                    elif passed.shape[1]:
                        worth = passed[game, x - need[game]]
                    if sense * worth > most_worth:
                        best, most_worth = option, sense * worth
            total, mode = total + gain[best], next_mode[best]
            if mode < 0 or total >= need[game]:
                ends[game] = KINDS * total + BANK
                break
    return made
