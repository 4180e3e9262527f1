"""Certify matches of turns (race, reach, duel): replay every turn from the published values between turns.

The kernel here is independent of the solver's and takes the rolls one by one as the rules list them;
docs/why/certificates.md says what is checked and what that proves. Sums are compensated, so a step adds a few units in
the last place. Errors of later positions are weighted by probability; if there is a choice, the largest counts.
"""

from functools import partial

import numpy as np

from dicebase.certify.finding import Fail, Finding
from dicebase.certify.published import Columns, Rows, refuse
from dicebase.certify.turns import referee as referee_turns
from dicebase.certify.turns.enclosures import bound_between, rounding_inside
from dicebase.certify.turns.kernel import Turns, play_inside
from dicebase.certify.turns.stakes import Stakes
from dicebase.matches.turns.by_turns import ByTurns, StartsOfTurns
from dicebase.vocabulary import MANY_ROWS, TIE

CLOSE = 1e-11  # largest difference between a published number and the replayed turn
UNSURE = 1e-13

simulated = referee_turns.play


def check(listing: ByTurns | StartsOfTurns, published: Rows, fail: Fail) -> Finding:
    """Certify the rows of a variant, block by block; return its value, error bound and proof."""
    game, starts = listing.match, isinstance(listing, StartsOfTurns)
    self = Check(game, published, fail, starts)
    for block in self.stakes.blocks:
        self.block(block)
    between, proof = bound_between(self.turns, self.stakes, self.residual, fail)
    if starts or published.count > MANY_ROWS:
        self.inside = max(self.inside, rounding_inside(self.turns, self.stakes))
        proof = f"{proof}; inside a turn averages and best choices follow, with at most {self.inside:.2g} of rounding"
    bound = between + self.inside
    if starts and 2 * bound >= TIE:
        self.inside_turns()
    if self.closest <= 2 * bound:
        fail(None, f"actions {self.closest:.3g} apart are marked decided, but the error bound is {bound:.3g}")
    value = float(self.stakes.values[self.records.index(game.first())])
    return Finding(value, between, bound, self.residual, proof, *self.sizes())


class Check:
    """The certification of one variant."""

    def __init__(self, game: ByTurns, published: Rows, fail: Fail, starts: bool) -> None:
        """`starts` : whether only the first position of each turn has a row."""
        self.game, self.published, self.fail = game, published, fail
        self.turns = Turns(game.rules, game.unit_of_points)
        self.stakes = Stakes(game)
        self.records = list(game.records())
        self.positions = self.turns.positions(self.stakes.size)
        self.total, self.mode, self.dice = (x[: 1 if starts else None] for x in self.positions)
        self.counts = np.searchsorted(self.total, self.stakes.need)
        self.offsets = np.concatenate([[0], np.cumsum(self.counts)])
        if published.count != self.offsets[-1]:
            for block in self.stakes.blocks:
                low, high = np.minimum(self.offsets[[block.start, block.stop]], published.count).tolist()
                self._positions(published.columns(low, high), block)
            fail(None, f"has {published.count} rows, the rules lead to {self.offsets[-1]}")
        values = [self._rows(block, ("value",))["value"][self._starts(block)] for block in self.stakes.blocks]
        self.stakes.values = np.concatenate(values)
        self.residual = self.inside = 0.0
        self.closest = np.inf  # the smallest margin above TIE

    def sizes(self) -> tuple[int, int]:
        """Return the numbers of positions and of their actions, in all turns."""
        total, mode, _ = self.positions
        count, opens = np.searchsorted(total, self.stakes.need), self.stakes.records[self.game.mine] == 0
        for_all = (total > 0) & ~self.turns.rolls.must_roll[mode]
        stops = [np.cumsum([0, *(for_all & ~self.stakes.too_few(np.array(banked), total))]) for banked in (0, 1)]
        return int(count.sum()), int((count + np.where(opens, *(of[count] for of in stops))).sum())

    def _rows(self, block: slice, names: tuple[str, ...] | None = None) -> Columns:
        """Return the published rows of a block of records."""
        return self.published.columns(int(self.offsets[block.start]), int(self.offsets[block.stop]), names)

    def _starts(self, block: slice) -> np.ndarray:
        """Return the places of the first positions of a block's records among their rows."""
        return self.offsets[block] - self.offsets[block.start]

    def block(self, block: slice) -> None:
        """Replay the turns of a block of records and compare their rows."""
        roll, errors, banked, only = play_inside(self.turns, self.stakes, block, self.total, self.mode)
        rows = self._rows(block)
        self._positions(rows, block)
        reachable = [self.game.reachable(record) for record in self.records[block]]
        reachable = np.repeat(reachable, self.counts[block])
        with np.errstate(invalid="ignore"):  # damaged values may be infinite
            loss = self.game.sense * (roll - banked)
        value = np.where(only | (loss > 0), roll, banked)
        away = np.abs(rows["value"] - value)
        refuse_row = partial(refuse, [rows[c.name] for c in self.game.columns], self.fail)
        refuse_row(rows["reachable"] != reachable, "reachable is {}", rows["reachable"])
        refuse_row(~(away <= CLOSE), "the value is {!r}, the rules give {!r}", rows["value"], value)
        wrong = np.isnan(rows["margin"]) != only
        refuse_row(wrong, "margin is {}, but it is NULL if and only if one action is legal", rows["margin"])
        off = np.where(only, 0.0, np.abs(rows["margin"] - np.abs(loss)))
        wrong = ~(off <= CLOSE) | (rows["margin"] < 0)
        refuse_row(wrong, "margin is {!r}, the rules give {!r}", rows["margin"], np.abs(loss))
        # Margins up to TIE are ties; within UNSURE of that limit, either action passes.
        rolls, stops = rows["action"] == "roll", rows["action"] == self.game.rules.stop
        wrong = np.where(only, stops, (rolls & (loss < TIE - UNSURE)) | (stops & (loss > TIE + UNSURE)))
        refuse_row(wrong | ~(rolls | stops), "action is '{}', but another is better", rows["action"])
        decided = rows["margin"][~only & (rows["margin"] > TIE)]
        self.closest = min(self.closest, float(decided.min(initial=np.inf)))
        start = (np.abs(rows["value"] - roll) + errors)[self._starts(block)]
        self.residual = max(self.residual, float(start.max()))
        # The q-value of the worse action follows from value and margin, so the differences of both count.
        self.inside = max(self.inside, float((away + off + errors).max()))

    def inside_turns(self) -> None:
        """Find the smallest margin that readers, who round otherwise, do not call a tie, if only starts are stored."""
        for block in self.stakes.blocks:
            roll, _, bank, only = play_inside(self.turns, self.stakes, block, *self.positions[:2])
            apart = np.where(only, np.inf, np.abs(roll - bank)) - 4 * self.inside
            self.closest = min(self.closest, float(apart[apart > TIE - 8 * self.inside].min(initial=np.inf)))

    def _positions(self, rows: Columns, block: slice) -> None:
        """Fail unless the rows of a block are the positions that the rules lead to, in order and complete."""
        counts, theirs = self.counts[block], np.array([rows[c.name] for c in self.game.columns])
        place = np.arange(counts.sum()) - np.repeat(self._starts(block), counts)
        ours = [np.repeat(column, counts) for column in np.array(self.records[block]).T]
        ours += [self.total[place] * self.game.unit_of_points, self.dice[place]]
        ours = np.array(ours[: len(theirs)])
        there = theirs.shape[1]
        wrong = (theirs != ours[:, :there]).any(axis=0)
        refuse(ours, self.fail, wrong, "the table has another row here, {} in its last column", theirs[-1])
        if there < ours.shape[1]:
            self.fail(tuple(ours[:, there].tolist()), "the table has no row here")
