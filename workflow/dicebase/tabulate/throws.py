"""Rows of the tables of two-player games of single throws, one function per match format. One-player formats are
general games, which tabulate/exact.py solves in rationals."""

from collections.abc import Iterator

import numpy as np

from dicebase.matches.duels.duel import DuelOfThrows
from dicebase.matches.duels.duel_matchups import MatchupsOfThrows
from dicebase.matches.duels.hidden import HiddenRace
from dicebase.matches.duels.simultaneous import SimultaneousRace
from dicebase.matches.duels.simultaneous_matchups import SimultaneousMatchups
from dicebase.solvers.throws.duel import gain_probabilities, solve_duel_of_throws, throw_values
from dicebase.solvers.throws.hidden import solve_hidden
from dicebase.solvers.throws.simultaneous_matchups import play_out
from dicebase.tables.writer import Rows
from dicebase.tabulate.exact import best_actions
from dicebase.tabulate.players import league
from dicebase.tabulate.throw_players import ThrowPlayers
from dicebase.vocabulary import TIE, rank, rank_mix

STRICT = 1e-10
"""A mix is marked unique only if every action's probability, or its regret if unused, is larger than this."""


def duel(game: DuelOfThrows) -> Iterator[Rows]:
    """Yield the mover's P(win) in a match with alternating throws, for every pair of totals and every throw."""
    unit, q = game.unit_of_points, gain_probabilities(game.gains)
    values = throw_values(q, solve_duel_of_throws(q, game.totals, game.wipes), game.wipes)
    rows = Rows(game)
    for record in game.records():
        me, opponent = (points // unit for points in record)
        rows.add(record, game.actions(record), rank(values[:, me, opponent].tolist(), tolerance=TIE))
    yield rows


def duel_matchups(listing: MatchupsOfThrows) -> Iterator[Rows]:
    """Yield the values of every pair of policies, and of the best response to each."""
    yield league(listing, ThrowPlayers(listing))


def simultaneous(game: SimultaneousRace) -> Iterator[Rows]:
    """Yield both players' optimal mixes, for every pair of totals and every throw."""
    from dicebase.solvers.throws.simultaneous import solve_simultaneous  # loads QuantEcon, which takes a second

    q = gain_probabilities(game.gains)
    stage = solve_simultaneous(q, game.totals, game.rules.wipes)
    # True where every action is either clearly used or clearly worse.
    strict = np.where(stage.mix > 0, stage.mix, stage.value[..., np.newaxis] - stage.q).min(axis=2) > STRICT
    rows = Rows(game)
    for state in game.records():
        a, b = (points // game.unit_of_points for points in state)
        mix = stage.mix[a, b] / stage.mix[a, b].sum()
        # The simplex method ends at a vertex, which is the only solution if it is strictly complementary.
        unique = bool(strict[a, b] and strict[b, a] and (mix > 0).sum() == (stage.mix[b, a] > 0).sum())
        # Adding zero turns -0.0 into 0.0.
        ranked = rank_mix(float(stage.value[a, b] + 0.0), (stage.q[a, b] + 0.0).tolist(), mix.tolist())
        rows.add(state, game.actions(state), ranked, unique)
    yield rows


def hidden(game: HiddenRace) -> Iterator[Rows]:
    """Yield an equilibrium mix of numbers of dice for each throw and own score that the equilibrium reaches."""
    found = solve_hidden(gain_probabilities(game.gains), game.totals, game.horizon)
    unit, rows = game.unit_of_points, Rows(game)
    for throw in range(game.horizon):
        for total in range(game.totals):
            mix = found.probability[throw, total]
            if mix.sum() > 0:  # rows that are not reached hold NaN
                state = (throw + 1, total * unit)
                value, q_values = float(found.value[throw, total]), found.q_values[throw, total].tolist()
                # Throws in the mix also have small regrets, because the equilibrium is approximate.
                ranked = rank_mix(value, q_values, (mix / mix.sum()).tolist(), equal=False)
                rows.add(state, game.actions(state), ranked)
    yield rows


def simultaneous_matchups(game: SimultaneousMatchups) -> Iterator[Rows]:
    """Yield P(win) - P(lose) for every pair of one-player policies, at every pair of totals and at the start."""
    plans = {name: np.array(plan) for name, plan in game.plans(best_actions).items()}
    q, rows, values = gain_probabilities(game.gains), Rows(game), []
    for row, column in game.pairs():
        values.append(play_out(q, plans.get(row), plans[column]))
        rows.add_row(row, column, float(values[-1][0, 0, 0]))
    throws_made, *totals = np.indices(values[0].shape).reshape(3, -1)
    rows.set_pairs(game.pairs(), [throws_made, *(game.unit_of_points * x for x in totals)], np.array(values))
    yield rows
