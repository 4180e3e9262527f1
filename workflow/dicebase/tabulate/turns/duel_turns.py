"""The table of what turns of a duel come to, in doubles."""

from collections.abc import Iterator

import numpy as np

from dicebase.matches.duel_turns import DuelTurns
from dicebase.solve.plays import turns_to_come
from dicebase.solve.turns.compiled import compile_turn
from dicebase.solve.turns.duel import solve_duel
from dicebase.solve.turns.plays import best_play
from dicebase.tables.writer import Rows
from dicebase.vocabulary.progress import reporter


def tabulate(listing: DuelTurns) -> Iterator[Rows]:
    """Every pair of totals."""
    turn = compile_turn(listing.rules)
    values = solve_duel(turn, listing.target, reporter("pair"))
    play = best_play(turn, values)
    total = np.minimum(turn.unit * np.arange(len(values) + 1), listing.target)
    points = [ended[:, me:] @ (total[me:] - total[me]) for me, ended in enumerate(play.ends)]
    found = values, turns_to_come(play, play), play.busts + play.wipes, np.array(points)
    rows = Rows(listing)
    records = np.array(list(listing.duel.records()), dtype=np.int32).T
    rows.set_rows(*records, *map(np.ravel, found))
    yield rows
