"""The profile of a duel, for designers of games: the advantage of the first move, the fair head start, skill, the
length of a match and close decisions, computed without simulation. Both players play optimally unless stated."""

from __future__ import annotations

from typing import Any

import numpy as np

from dicebase.catalog.lookup import Catalog
from dicebase.matches.boards.board_matchups import FIRST_LISTED, RANDOM
from dicebase.matches.duels.duel_matchups import MAXIMISE_TURN, OPTIMAL
from dicebase.policies.boards import BoardBench
from dicebase.policies.duels import DuelBench
from dicebase.policies.evaluation import Results, bench_of, opened
from dicebase.policies.hidden import HiddenBench
from dicebase.solvers.boards.matchups import flows
from dicebase.solvers.plays import turns_met, turns_to_come
from dicebase.solvers.turns.plays import Decisions
from dicebase.tables.names import Variant
from dicebase.vocabulary import ConfigurationError, Json, words

CLOSE = 0.01  # a decision is close if the second-best action loses less than this probability of winning


def profile(results: Results, table: str, /, **parameters: int | str) -> list[Json]:
    """Return the profile of each solved variant of a duel that has the given parameters.

    Each is {table, parameters, first: probability that the player who moves first wins, head_start: points for the
    other player that make this nearest to 1/2, with_head_start: that probability, against: {policy: probability that
    optimal play wins against it, averaged over who begins}, length and deviation: mean and standard deviation of the
    number of `moves` (turns, throws or moves) of both players, close: share of the decisions with several actions in
    which the second-best one loses less than CLOSE, refused: {name: why a number is None}}. The policy `greedy` takes
    the most points each turn. If policies of a variant cannot be evaluated, it has only {table, parameters, refused:
    {all: why}}.

    Raises MissingTableError if the table is no duel or no such variant is solved, ConfigurationError for an unknown
    parameter, or if no variant can be evaluated.
    """
    with opened(results) as catalog:
        known = [v.parameters for v in catalog.solved(table).having(parameters)]
        known.sort(key=lambda variant: [*variant.values()])
        found = [_profile_or_why(catalog, table, variant) for variant in known]
    if not any("first" in of for of in found):
        raise ConfigurationError(f"{table} {words(known[0])}: {found[0]['refused']['all']}")
    return found


def _profile_or_why(catalog: Catalog, table: str, variant: Variant) -> Json:
    try:
        return _profile(bench_of(catalog, table, variant))
    except ConfigurationError as error:
        return {"table": table, "parameters": dict(variant), "refused": {"all": str(error)}}


def _profile(bench: DuelBench | BoardBench | HiddenBench) -> Json:
    if isinstance(bench, HiddenBench):
        raise ConfigurationError(f"{bench.name}: profiles are for games of perfect information")
    refused: dict[str, str] = {}
    _, best = bench.policy(OPTIMAL)
    of = _of_board(bench, best) if isinstance(bench, BoardBench) else _of_points(bench, best)
    against = {}
    for name, policy in of.pop("rivals").items():
        try:
            against[name] = sum(bench.earns(best, _policy(bench, policy))) / 2
        except ConfigurationError as error:
            against[name], refused[name] = None, str(error)
    if of["head_start"] is None:
        refused["head_start"] = f"{bench.name}: has no points"
    said = {"table": bench.name, "parameters": dict(bench.variant), "first": bench.earns(best, best)[0]}
    return said | of | {"against": against, "refused": refused}


def _policy(bench: DuelBench | BoardBench, name: str) -> Any:
    """Return a named policy, including random play of a duel for points."""
    if name != RANDOM or isinstance(bench, BoardBench):
        return bench.policy(name)[1]
    players, T = bench.players, bench.duel.totals
    if bench.duel.rules.family == "throws":
        mix = np.full((T, 1, len(players.q)), 1 / len(players.q))
        return mix, players.play_of(mix)
    if np.diff(players.turn.option_start).max() > 1:
        raise ConfigurationError(f"{bench.name}: random play is evaluated only if a roll leaves nothing to choose")
    shape = 1, T, len(players.turn.modes)

    def decide(me: int) -> Decisions:
        return Decisions(np.full(shape, 0.5)[:, me:], np.zeros(shape)[:, me:], np.zeros(shape[:2])[:, me:], 0.0)

    return decide, players.play_of(decide)


def _of_points(bench: DuelBench, best: Any) -> Json:
    """Return the part of a profile that is special to duels for points."""
    decided, play = best
    met, to_come = turns_met(play, play), turns_to_come(play, play)
    fair = int(np.abs(bench.values[0] - 0.5).argmin())
    close = every = 0.0
    for _, q, visits in bench.visited(decided, met.sum(axis=0)):
        if q.shape[-1] > 1:
            second, first = np.moveaxis(np.sort(q)[..., -2:], -1, 0)
            close += visits[first - second < CLOSE].sum()
            every += visits.sum()
    # With R the turns to come, n^2 is the sum of 2 R - 1 over the n turns of a match.
    mean, square = met.sum(), (met * (2 * to_come - 1)).sum()
    head_start = {"head_start": fair * bench.duel.unit_of_points, "with_head_start": float(bench.values[0, fair])}
    moves = "throws" if bench.duel.rules.family == "throws" else "turns"
    return (
        head_start
        | _length(mean, square, moves)
        | {"close": _share(close, every), "rivals": {RANDOM: RANDOM, "greedy": MAXIMISE_TURN}}
    )


def _of_board(bench: BoardBench, best: np.ndarray) -> Json:
    """Return the part of a profile that is special to boards."""
    step, met, lasts = bench.positions.step, np.zeros(len(bench.states)), []
    for flow in flows(bench.positions, best, best):
        met += flow[0]
        lasts.append(flow.sum())
    ordered, last = bench.q_values[np.lexsort((bench.q_values, bench.of))], step.first[1:] - 1
    several = np.diff(step.first) > 1
    gap = ordered[last[several]] - ordered[last[several] - 1]
    close, every = met[several][gap < CLOSE].sum(), met[several].sum()
    chances = np.array(lasts)  # of at least 1, 2, 3 ... moves
    length = _length(chances.sum(), ((2 * np.arange(len(chances)) + 1) * chances).sum(), "moves")
    nothing = {"head_start": None, "with_head_start": None}
    return nothing | length | {"close": _share(close, every), "rivals": {RANDOM: RANDOM, FIRST_LISTED: FIRST_LISTED}}


def _length(mean: float, square: float, moves: str) -> Json:
    return {"length": float(mean), "deviation": float(max(0.0, square - mean**2) ** 0.5), "moves": moves}


def _share(part: float, whole: float) -> float | None:
    return float(part / whole) if whole else None
