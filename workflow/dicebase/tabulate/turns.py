"""The tables of turns: one function per match format.

One turn and the long run are solved in rationals, and each value is rounded once; matches are solved in doubles.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import islice

import numpy as np

from dicebase.matches import LEAST
from dicebase.matches.duels.duel import DuelOfTurns
from dicebase.matches.duels.duel_matchups import MatchupsOfTurns
from dicebase.matches.duels.duel_scores import DuelScores
from dicebase.matches.duels.duel_turns import DuelTurns
from dicebase.matches.turns.by_turns import StartsOfTurns
from dicebase.matches.turns.long_run import LongRun
from dicebase.matches.turns.race import RaceOfTurns
from dicebase.matches.turns.reach import ReachOfTurns
from dicebase.matches.turns.turn import BestTurn
from dicebase.solvers.plays import turns_to_come
from dicebase.solvers.turns.compiled import CompiledTurn, compile_turn
from dicebase.solvers.turns.continuation import FarTotals
from dicebase.solvers.turns.duel import solve_duel
from dicebase.solvers.turns.exact_turn import Number, common, far_worth, solve_exactly
from dicebase.solvers.turns.long_run import solve_long_run
from dicebase.solvers.turns.plays import best_play
from dicebase.solvers.turns.race import solve_race
from dicebase.tables.writer import Rows
from dicebase.tabulate.players import league
from dicebase.tabulate.turn_players import TurnPlayers
from dicebase.tabulate.turn_positions import rows_of
from dicebase.vocabulary import ConfigurationError, Continuation, Ranked, State, rank

# The number of digits of a turn's rationals grows with its totals, so time and memory grow with their square.
MAX_TOTALS = 20_000
MAX_STATES = 1_500_000


def turn(game: BestTurn) -> Iterator[Rows]:
    """Yield all states of one turn that play can reach, up to `game.last`, with every action.

    Raises InfiniteValueError if a turn can go on for ever without being lost, and ConfigurationError if there are more
    than MAX_TOTALS turn totals or MAX_STATES states.
    """
    game = complete(game)
    turn = compile_turn(game.rules)
    totals, states = game.last // turn.unit, sorted(islice(_states(game, turn), MAX_STATES + 1))
    check_size(game.continuation, totals, len(states))
    # Solve all totals that actions of stored states reach, starting from the continuation beyond these totals.
    end = totals + turn.max_gain + 1
    tail = [far_worth(game.continuation, turn, t) for t in range(end, end + turn.max_gain)]
    worth = solve_exactly(turn, end, tail)
    rows = Rows(game, exact=Fraction(*worth[0][0]) * turn.unit)

    @lru_cache(1000)  # many rolls of one total lead to the same afterstates
    def ranked(*afterstates: tuple) -> Ranked:
        numerators, denominator = common([_worth(worth, turn, afterstate) for afterstate in afterstates])
        return rank([n * turn.unit for n in numerators], denominator)

    for state in states:
        actions = game.actions(state)
        rows.add(state, actions, ranked(*(game.afterstate(state, action) for action in actions)))
    yield rows


def check_size(continuation: Continuation, totals: int, states: int) -> None:
    """Raise ConfigurationError if there are too many turn totals or states to solve in rationals."""
    if totals > MAX_TOTALS or states > MAX_STATES:
        raise ConfigurationError(
            f"rolling can be right up to a total of {continuation.cutoff}, which takes {totals} turn totals and"
            f" {states} states or more; at most {MAX_TOTALS} and {MAX_STATES} are solved in rationals"
        )


def complete(game: BestTurn) -> BestTurn:
    """Return the game with its values beyond the last total."""
    return game.with_continuation(FarTotals(game.rules).continuation)


def _worth(roll: list[list[Number]], turn: CompiledTurn, afterstate: tuple) -> Number:
    total = afterstate[1] // turn.unit
    return (total, 1) if afterstate[0] == "bank" else roll[total][turn.modes.index(afterstate[2])]


def _states(game: BestTurn, turn: CompiledTurn) -> Iterator[State]:
    for total, mode in turn.positions(game.last // turn.unit).tolist():
        total, mode = total * turn.unit, turn.modes[mode]
        if game.rules.keeps:
            for roll in game.rules.rolls(total, mode):
                if roll.options:
                    yield (total, roll.dice)
        else:
            yield (total, mode) if len(game.columns) > 1 else (total,)


def long_run(game: LongRun) -> Iterator[Rows]:
    """Yield all positions up to the last total for each number of lost turns in a row; raises the errors of `turn`."""
    game = game.with_continuation(FarTotals(game.rules).continuation)
    turn = compile_turn(game.rules)
    last = game.turn.last // turn.unit
    places = sorted((total, turn.modes[m], m) for total, m in turn.positions(last).tolist())
    check_size(game.continuation, last, len(places) * len(game.costs))
    gain, losses = solve_long_run(turn, game.continuation, last + 1, game.costs)
    rows = Rows(game, exact=gain * turn.unit)
    for lost, (bust, rolling) in enumerate(losses):
        for total, dice, m in places:
            state = (lost, total * turn.unit, dice)[: len(game.columns)]
            above, over = rolling[total][m]
            bank, roll = total * over * bust.denominator, above * bust.denominator + bust.numerator * over
            actions = game.actions(state)
            worths = {game.rules.stop: bank, "roll": roll}
            numerators = [turn.unit * worths[action] for action in actions]
            rows.add(state, actions, rank(numerators, over * bust.denominator))
    yield rows


def race(listing: RaceOfTurns | StartsOfTurns) -> Iterator[Rows]:
    """Yield the fewest expected turns to a target, for every position of every turn or only for its start."""
    return rows_of(listing, lambda turn: solve_race(turn, listing.match.target))


def reach(listing: ReachOfTurns | StartsOfTurns) -> Iterator[Rows]:
    """Yield the best chance of reaching a target in a number of turns, for every position or only for turn starts."""
    return rows_of(listing)


def duel(listing: DuelOfTurns | StartsOfTurns) -> Iterator[Rows]:
    """Yield the mover's win probability in a duel, for every position of every turn or only for its start."""
    return rows_of(listing, lambda turn: solve_duel(turn, listing.match.target, listing.match.past // turn.unit))


def duel_turns(listing: DuelTurns) -> Iterator[Rows]:
    """Yield for every pair of totals of a duel its value, the expected turns left, and P(lost) and expected points of
    the turn."""
    turn = compile_turn(listing.rules)
    values = solve_duel(turn, listing.target)
    play = best_play(turn, values)
    total = np.minimum(turn.unit * np.arange(len(values) + 1), listing.target)
    points = [ended[:, me:] @ (total[me:] - total[me]) for me, ended in enumerate(play.ends)]
    found = values, turns_to_come(play, play), play.busts + play.wipes, np.array(points)
    records = np.array(list(listing.duel.records()), dtype=np.int32).T
    yield Rows(listing).set_rows(*records, *map(np.ravel, found))


def duel_scores(listing: DuelScores) -> Iterator[Rows]:
    """Yield the distribution of the score of each turn, in parts by the mover's total."""
    turn, size = compile_turn(listing.rules), listing.duel.totals
    values = solve_duel(turn, listing.target)
    for me, (ends, busts, wipes) in enumerate(zip(*best_play(turn, values)[:3], strict=True)):
        # A lost turn leaves the total as it is, and a lost bank leaves 0.
        ends[:, me] += busts
        ends[:, 0] += wipes
        opponent, after = np.nonzero(ends >= LEAST)
        score = np.array([listing.score(me, total) for total in range(size + 1)])[after]
        # Rounding can make the probability of a certain score larger than 1.
        chance = np.minimum(ends[opponent, after], 1.0)
        yield Rows(listing).set_rows(np.full(len(score), me * turn.unit), opponent * turn.unit, score, chance)


def duel_matchups(listing: MatchupsOfTurns) -> Iterator[Rows]:
    """Yield the values of all pairs of policies, and of the best response to each."""
    yield league(listing, TurnPlayers(listing))
