"""The tables of single throws: a function for each match format.

Turn, race and reach are solved in rationals, all others in doubles.
"""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import chain

import numpy as np

from dicebase.matches.duel import DuelOfThrows
from dicebase.matches.duel_matchups import MatchupsOfThrows
from dicebase.matches.hidden import HiddenRace
from dicebase.matches.race import RaceOfThrows
from dicebase.matches.reach import ReachOfThrows
from dicebase.matches.simultaneous import SimultaneousRace
from dicebase.matches.simultaneous_matchups import SimultaneousMatchups
from dicebase.matches.targets import Record
from dicebase.matches.turn import BestThrow
from dicebase.solvers.throws.duel import solve_alternate
from dicebase.solvers.throws.hidden import solve_hidden
from dicebase.solvers.throws.race_and_reach import matrix, race_q, reach_q
from dicebase.solvers.throws.simultaneous_matchups import play_out
from dicebase.tables.writer import Rows
from dicebase.tabulate.players import league
from dicebase.tabulate.throw_players import ThrowPlayers, first_of
from dicebase.vocabulary import TIE, Game, over_one_denominator, rank, rank_mix, weighted_mean
from dicebase.vocabulary.progress import reporter

STRICT = 1e-10
"""By how much a mix must be strictly complementary to be called unique."""


def turn(game: BestThrow) -> Iterator[Rows]:
    """The one state, with every throw."""
    gains = [game.rules.gains(choice) for choice in game.rules.choices]
    means = [weighted_mean(list(weights.values()), list(weights)) for weights in gains]
    yield _rows(game, [()], [means], max(means))


def race(game: RaceOfThrows) -> Iterator[Rows]:
    """The fewest throws to a target: every score with every throw."""
    q = race_q(game.gains, game.target, game.unit_of_points)
    yield _rows(game, game.records(), q, min(q[0]))


def reach(game: ReachOfThrows) -> Iterator[Rows]:
    """The best chance of the target within a number of throws: every score with every throw."""
    tables = reach_q(game.gains, game.target, game.unit_of_points, game.limit)
    yield _rows(game, game.records(), chain.from_iterable(tables), max(tables[-1][0]))


def _rows(game: Game, records: Iterable[Record], q: Iterable[Sequence[Fraction]], exact: Fraction) -> Rows:
    """The rows of positions whose throws are worth `q`; `exact` is the value at the start."""
    rows = Rows(game, exact)
    for record, of_throw in zip(records, q, strict=True):
        rows.add(record, game.actions(record), rank(*over_one_denominator(of_throw), sense=game.sense))
    return rows


def duel(game: DuelOfThrows) -> Iterator[Rows]:
    """The mover's chance to win when throws alternate: every pair of totals with every throw."""
    unit = game.unit_of_points
    q = matrix(game.gains, unit)
    worth = solve_alternate(q, game.totals, game.wipes)
    rows = Rows(game)
    for record in game.records():
        me, opponent = (points // unit for points in record)
        rows.add(record, game.actions(record), rank(worth[:, me, opponent].tolist(), tolerance=TIE))
    yield rows


def duel_matchups(listing: MatchupsOfThrows) -> Iterator[Rows]:
    """Every policy against every other, and the best response to each."""
    yield league(listing, ThrowPlayers(listing))


def simultaneous(game: SimultaneousRace) -> Iterator[Rows]:
    """Both players' optimal mixes: every pair of totals with every throw."""
    from dicebase.solvers.throws.simultaneous import solve_simultaneous  # loads QuantEcon, which takes a second

    q = matrix(game.gains, game.unit_of_points)
    stage = solve_simultaneous(q, game.totals, game.rules.wipes, reporter("total"))
    # Whether each action is either clearly used or clearly worse.
    strict = np.where(stage.mix > 0, stage.mix, stage.value[..., np.newaxis] - stage.q).min(axis=2) > STRICT
    rows = Rows(game)
    for state in game.records():
        a, b = (points // game.unit_of_points for points in state)
        mix = stage.mix[a, b] / stage.mix[a, b].sum()
        # The simplex method ends at a vertex: if it is strictly complementary it is the only solution.
        unique = bool(strict[a, b] and strict[b, a] and (mix > 0).sum() == (stage.mix[b, a] > 0).sum())
        # Adding zero makes a zero of a negative one.
        ranked = rank_mix(float(stage.value[a, b] + 0.0), (stage.q[a, b] + 0.0).tolist(), mix.tolist())
        rows.add(state, game.actions(state), ranked, unique)
    yield rows


def hidden(game: HiddenRace) -> Iterator[Rows]:
    """An equilibrium mix for each throw and own score that it reaches, with every number of dice."""
    unit = game.unit_of_points
    q = matrix(game.gains, unit)
    found = solve_hidden(q, game.totals, game.horizon, reporter("step"))
    rows = Rows(game)
    for throw in range(game.horizon):
        for total in range(game.totals):
            mix = found.probability[throw, total]
            if mix.sum() > 0:  # a row that is never reached has no numbers
                state = (throw + 1, total * unit)
                value, q_values = float(found.value[throw, total]), found.q_values[throw, total].tolist()
                # Of the support too: a regret is no larger than the exploitability explains.
                ranked = rank_mix(value, q_values, (mix / mix.sum()).tolist(), equal=False)
                rows.add(state, game.actions(state), ranked)
    yield rows


def simultaneous_matchups(game: SimultaneousMatchups) -> Iterator[Rows]:
    """The values of every pair of one-person policies, and the rows that are their values at the start."""
    unit, limit, size = game.unit_of_points, game.throws, game.totals
    race = [first_of(row, min) for row in race_q(game.gains, game.target, unit)]
    reach = [[first_of(row, max) for row in rows] for rows in reach_q(game.gains, game.target, unit, limit)]
    turn = first_of([weighted_mean(list(weights.values()), list(weights)) for weights in game.gains], max)
    plans = {
        "race": np.array([race] * (limit + 1)),
        "reach": np.array([*reach[::-1], race]),
        "turn": np.full((limit + 1, size), turn),
        "best_response": None,
    }
    q, rows, values = matrix(game.gains, unit), Rows(game), []
    for pair in game.pairs():
        values.append(play_out(q, *(plans[name] for name in pair)))
        rows.add_row(*pair, float(values[-1][0, 0, 0]))
    throws_made, *totals = np.indices((limit + 1, size, size)).reshape(3, -1)
    rows.set_pairs(game.pairs(), [throws_made, *(unit * x for x in totals)], np.array(values))
    yield rows
