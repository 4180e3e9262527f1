"""The compiled turn kernel against other implementations of the same recursion, in one thread.

A backup is the evaluation of one option of an outcome, or of one loss, for one turn total and mode. The time of every
method is divided by the kernel's number of backups on the same totals:

NumPy      values only (the kernel also computes slopes), vectorised over the modes, outcomes and options of a total
Python     the kernel's source, not compiled
rational   solvers/reference.py: rationals, plain enumeration of the game's states, equal rolls not merged
"""

import os

os.environ |= dict.fromkeys(("NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")

from fractions import Fraction

import numpy as np
from _measure import cpu_seconds, heading, number, table
from one_turn import _kernel, turn_values

from dicebase.matches.turns.turn import BestTurn
from dicebase.pipeline.configuration import read
from dicebase.solvers import reference
from dicebase.solvers.turns.compiled import OPTIONS, CompiledTurn, compile_turn
from dicebase.solvers.turns.exact_turn import solve_exactly
from dicebase.tables.names import find_table
from dicebase.tabulate.turns import complete

GAMES = {
    "Ten Thousand, all moves": ("ten_thousand_turn", {"moves": "all"}),
    "Pig, one die": ("pig_turn", {}),
    "Pig, two dice of 20 sides": ("pig_turn", {"sides": 20, "dice": 2}),
    "multiple of 10, one die": ("forbidden_multiple_turn", {}),
    "multiple of 47, two dice": ("forbidden_multiple_turn", {"multiple": 47, "dice": 2}),
}
MOVES = ["stop_roll", "m5", "m5_m1", "m5_m1_m55", "m5_m1_m55_m51", "all"]
LONG = 20_000  # totals, enough to make the cost of a call negligible


def game_of(name: str, given: dict) -> BestTurn:
    """Return the game of a variant, with the definitions of the default configuration."""
    found = find_table(name)
    definitions = read(["config/config.yaml"])["definitions"].get(found.game, {})
    return complete(found.build(found.variant(given, definitions, name), definitions))


def boundary(game: BestTurn, turn: CompiledTurn, totals: int) -> list[list[Fraction]]:
    """Return the value of every mode beyond the last total, in units, by the theorem of continuation.py."""
    worth, period = game.continuation.worth, game.rules.period
    return [
        [Fraction(t) + worth.get((t * turn.unit % period, mode), Fraction(0)) / turn.unit for mode in turn.modes]
        for t in range(totals, totals + turn.max_gain)
    ]


def backups(turn: CompiledTurn, totals: int) -> int:
    """Return the number of options and losses over these totals and all modes."""
    rows = [range(turn.row_start[r], turn.row_start[r + 1]) for r in range(len(turn.row_start) - 1)]
    options = [sum(max(1, int(turn.option_start[o + 1] - turn.option_start[o])) for o in row) for row in rows]
    modes = len(turn.modes)
    return sum(sum(options[(t % turn.period) * modes : (t % turn.period + 1) * modes]) for t in range(totals))


def numpy_turn(turn: CompiledTurn, totals: int, tail: np.ndarray):
    """Return a function that computes values without slopes, for all modes, outcomes and options of a total at once; a
    loss has the value 0."""
    if (turn.next_mode < 0).any():
        raise NotImplementedError("forced ends")
    modes = len(turn.modes)
    phases = []
    for phase in range(turn.period):
        rows = range(phase * modes, (phase + 1) * modes)
        kept = [[o for o in range(turn.row_start[r], turn.row_start[r + 1]) if turn.kind[o] == OPTIONS] for r in rows]
        outcomes = [o for row in kept for o in row]
        spans = [range(turn.option_start[o], turn.option_start[o + 1]) for o in outcomes]
        options = np.array([k for span in spans for k in span])
        shares = np.zeros((modes, len(outcomes)))
        for m, row in enumerate(kept):
            for o in row:
                shares[m, outcomes.index(o)] = turn.weight[o] / turn.sum_of_weights[rows[m]]
        starts = np.cumsum([0, *map(len, spans)])[:-1]
        phases.append((turn.gain[options], turn.next_mode[options], starts, shares))

    def run() -> np.ndarray:
        best = np.vstack([np.empty((totals, modes)), tail])
        roll = np.empty((totals, modes))
        for t in range(totals - 1, -1, -1):
            gain, mode, starts, shares = phases[t % turn.period]
            roll[t] = shares @ np.maximum.reduceat(best[t + gain, mode], starts)
            best[t] = np.maximum(roll[t], t)
        return roll

    return run


def interpreted(turn: CompiledTurn, bank: np.ndarray, tail: np.ndarray):
    """Run the kernel's source in the interpreter; the arguments are those of turn_values, without forced ends."""
    arrays = (turn.row_start, turn.sum_of_weights, turn.weight, turn.kind, turn.option_start, turn.gain, turn.next_mode)
    return _kernel.py_func(turn.period, *arrays, bank, tail, np.empty(0), 0.0, 0.0, 1.0)


def compare(game: BestTurn, totals: int, slow: bool) -> list[str | int]:
    """Return a row: nanoseconds per backup of each method on this number of totals, and ratios to the kernel."""
    turn = compile_turn(game.rules)
    bank, tail = np.arange(totals, dtype=float), np.array(boundary(game, turn, totals), dtype=float)
    vectorised = numpy_turn(turn, totals, tail)
    if not np.allclose(turn_values(turn, bank, tail).roll, vectorised(), rtol=1e-12):
        raise SystemExit(f"{game.rules}: kernel and NumPy differ")
    count = backups(turn, totals)
    times = [cpu_seconds(lambda: turn_values(turn, bank, tail)), cpu_seconds(vectorised)]
    if slow:
        times += [cpu_seconds(lambda: interpreted(turn, bank, tail)), cpu_seconds(lambda: reference.solve(game), 3)]
    ratios = [number(t / times[0]) for t in times[1:]]
    return [totals, len(turn.modes), count, *(number(t * 1e9 / count) for t in times), *ratios]


def main() -> None:
    all_games = {name: game_of(*which) for name, which in GAMES.items()}
    heading("Nanoseconds of CPU per backup on the totals of the published table; x: ratio to the kernel")
    header = ["game", "totals", "modes", "backups", "kernel", "NumPy", "Python", "rational"]
    rows = [[n, *compare(g, g.last // compile_turn(g.rules).unit + 1, slow=True)] for n, g in all_games.items()]
    table([*header, "x NumPy", "x Python", "x rational"], rows)
    heading(f"The same on {LONG} totals, where the cost of a call is negligible")
    table([*header[:6], "x NumPy"], [[n, *compare(g, LONG, slow=False)] for n, g in all_games.items()])

    games = [game_of("ten_thousand_turn", {"moves": moves}) for moves in MOVES]
    rows = []
    for moves, game in zip(MOVES, games, strict=True):
        turn = compile_turn(game.rules)
        totals = game.last // turn.unit + 1
        tail = boundary(game, turn, totals)
        doubles, bank = np.array(tail, dtype=float), np.arange(totals, dtype=float)
        kernel = cpu_seconds(lambda t=turn, b=bank, d=doubles: turn_values(t, b, d))
        exact = cpu_seconds(lambda t=turn, n=totals, d=tail: solve_exactly(t, n, d), repeats=3)
        value = turn_values(turn, bank, doubles).roll[0, 0]
        rows.append([moves, backups(turn, totals), f"{value:.10f}", number(kernel * 1e3), number(exact * 1e3)])
    rows.append(["all six", sum(r[1] for r in rows), "", *(number(sum(float(r[i]) for r in rows)) for i in (3, 4))])
    heading("The restricted games of Table 4, values in chips of 50 points: milliseconds of CPU")
    table(["moves", "backups", "value", "kernel", "exact"], rows)


if __name__ == "__main__":
    main()
