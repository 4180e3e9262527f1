"""Rows of the tables of games of hidden information."""

from collections.abc import Iterator

import numpy as np

from dicebase.matches.boards.board_matchups import BEST_RESPONSE, OPTIMAL, RANDOM
from dicebase.matches.boards.hidden_matchups import HiddenMatchups, chosen
from dicebase.matches.boards.information_sets import InformationSets
from dicebase.solvers.hidden.program import solve_program
from dicebase.solvers.hidden.regrets import match_regrets
from dicebase.solvers.hidden.sequences import Side, sequence_form
from dicebase.tables.writer import Rows
from dicebase.vocabulary import Hidden, Ranked, rank_mix

MOST_SEQUENCES = 1_000_000  # of both players together, for linear programs
TIED = 1e-14  # a smaller loss, times the probability that chance and the opponent lead to the set, is rounding


def information_sets(game: InformationSets) -> Iterator[Rows]:
    """Yield every information set of both players, with an equilibrium or, for large games, nearly one."""
    sides, mixes = strategies(game)
    rows, found = Rows(game), []
    for player, (side, other) in enumerate(zip(sides, sides[::-1], strict=True)):
        theirs = other.plan(mixes[1 - player])
        reach, (q, v) = side.chance @ theirs, side.values(theirs)
        for k, state in enumerate(side.states):
            here = slice(side.first[k], side.first[k + 1])
            value = float(v[k] / reach[k]) if reach[k] > 0 else 0.0
            q_values = [value if v[k] - x <= TIED else float(x / reach[k]) for x in q[here]]
            ranked = _with_ties(rank_mix(value, q_values, mixes[player][here].tolist(), equal=False))
            found.append(((player + 1, *state), side.actions[k], ranked, bool(reach[k] > 0)))
    for entry in sorted(found, key=lambda entry: entry[0]):
        rows.add(*entry)
    yield rows


def strategies(game: InformationSets) -> tuple[tuple[Side, Side], list[np.ndarray]]:
    """Return the sides of both players and their mixes, (S,), as the table publishes them."""
    sides = sequence_form(game.rules)
    small = sum(side.first[-1] for side in sides) <= MOST_SEQUENCES
    mixes = solve_program(sides) if small else match_regrets(sides, game.rules.gap)
    plans = [side.plan(mix) for side, mix in zip(sides, mixes, strict=True)]
    return sides, [
        _completed(side, mix, plan, theirs)
        for side, mix, plan, theirs in zip(sides, mixes, plans, plans[::-1], strict=True)
    ]


def named_mixes(rules: Hidden, sides: tuple[Side, Side], optimal: list[np.ndarray], name: str) -> list[np.ndarray]:
    """Return the mixes, (S,), of both players by the policy of this name, see HiddenMatchups.names."""
    if name == OPTIMAL:
        return optimal
    if name == RANDOM:
        return [side.uniform for side in sides]
    played = [[chosen(rules, name, *of) for of in zip(side.states, side.actions, strict=True)] for side in sides]
    return [side.pure(side.first[:-1] + taken) for side, taken in zip(sides, played, strict=True)]


def matchups(listing: HiddenMatchups) -> Iterator[Rows]:
    """Yield the values and mixes of all pairs of policies at every action, and a row per pair and first player."""
    sides, optimal = strategies(listing.game)
    mixes = {name: named_mixes(listing.rules, sides, optimal, name) for name in listing.names}
    sets = sorted(((i + 1, *state), i, k) for i, side in enumerate(sides) for k, state in enumerate(side.states))
    rows, parts = Rows(listing), []
    for row, column in listing.pairs:
        earned, at = [], []
        for i, (side, other) in enumerate(zip(sides, sides[::-1], strict=True)):
            theirs = other.plan(mixes[column][1 - i])
            q, v = side.values(theirs, None if row == BEST_RESPONSE else mixes[row][i])
            mix = side.pure(side.best(q, v)) if row == BEST_RESPONSE else mixes[row][i]
            reach = np.append(1.0, (side.chance @ theirs)[side.set_of])
            at.append((np.divide(q, reach, out=np.zeros_like(q), where=reach > 0), mix))
            earned.append(float(q[0]))
        rows.add_row(row, column, "column", earned[1])
        rows.add_row(row, column, "row", earned[0])
        here = [np.stack(at[i])[:, sides[i].first[k] : sides[i].first[k + 1]] for _, i, k in sets]
        parts.append(np.concatenate(here, axis=1))
    counts = [len(sides[i].actions[k]) for _, i, k in sets]
    keys = [np.repeat(np.array(key), counts) for key in zip(*(state for state, _, _ in sets), strict=True)]
    actions = np.array([action for _, i, k in sets for action in sides[i].actions[k]])
    rows.set_pairs(listing.pairs, [*keys, actions], *np.stack(parts, axis=1))
    yield rows


def _with_ties(ranked: Ranked) -> Ranked:
    """Return the ranking in which actions without regret are optimal beside a pure choice, and undecided."""
    if ranked.best is None:
        return ranked
    optimal = [used or regret == 0 for used, regret in zip(ranked.optimal, ranked.regrets, strict=True)]
    undecided = [may and not used for may, used in zip(optimal, ranked.optimal, strict=True)]
    return ranked._replace(optimal=optimal, undecided=undecided)


def _completed(side: Side, mix: np.ndarray, plan: np.ndarray, theirs: np.ndarray) -> np.ndarray:
    """Return the mix, (S,), with the sets that the plan avoids filled in: by the first best action, or uniformly if the
    opponent's plan avoids them too."""
    mix, reach, (q, v) = mix.copy(), side.chance @ theirs, side.values(theirs)
    for k in np.flatnonzero(plan[side.parent] == 0):
        here = slice(side.first[k], side.first[k + 1])
        best = np.arange(here.stop - here.start) == (q[here] >= v[k] - TIED).argmax()
        mix[here] = best if reach[k] > 0 else side.uniform[here]
    return mix
