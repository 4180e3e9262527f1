"""A user's own policy as a play of the solver, its states checked against those of the duel; and a policy as rows."""

import numpy as np
import pyarrow as pa

from dicebase.policies.files import PolicyRows
from dicebase.solve.turns.plays import Decisions, Policy, against, follow
from dicebase.tables.names import Variant
from dicebase.tabulate.throws.players import ThrowPlayers
from dicebase.tabulate.turns.players import TurnPlayers
from dicebase.tabulate.turns.positions import reachable_positions


def turn_policy(players: TurnPlayers, table: pa.Table, place: str, variant: Variant) -> Policy:
    """What a policy of turns decides; dice are kept as the optimal chances ask for.

    Raises ConfigurationError for a policy that is none, and lists the first states that are wrong or missing.
    """
    duel, turn, T = players.listing.duel, players.turn, players.T
    columns = [c.name for c in duel.columns]
    rows = PolicyRows(table, place, variant, columns, ["roll", duel.rules.stop])
    modes = {mode: i for i, mode in enumerate(turn.modes)}
    mode = np.zeros(len(rows.states), int)
    if len(turn.modes) > 1:
        mode = np.array([modes.get(dice, -1) for dice in rows.states[:, 3].tolist()])
    there = np.zeros((T, len(turn.modes)), bool)
    there[tuple(reachable_positions(turn, T - 1).T)] = True
    points, units = rows.states[:, :3], rows.states[:, :3] // turn.unit
    inside = (points >= 0).all(axis=1) & (points % turn.unit == 0).all(axis=1) & (mode >= 0)
    inside &= (units[:, :2] < T).all(axis=1) & (units[:, 0] + units[:, 2] < T)
    place_of = np.where(inside, units.T, 0)
    inside &= there[place_of[2], np.where(inside, mode, 0)]
    rows.refuse(f"no state of a duel to {duel.target}", rows.states[~inside])
    first = (rows.states[:, 2] == 0) & (rows.action == 1)
    rows.refuse(f"the first roll is compulsory, and yet action={duel.rules.stop}", rows.states[first])
    chance = rows.chances(0, (T, T, T, len(turn.modes)), (*units.T, mode))
    chance[:, :, 0, 0] = 1.0
    keep = against(turn, players.values)

    def decide(me: int) -> Decisions:
        best = keep(me)
        return Decisions(np.nan_to_num(chance[me, :, : T - me]), best.score, best.stop, best.tie)

    rows.refuse("states are missing that a match can come to", _missing(players, chance, decide))
    return decide


def _missing(players: TurnPlayers, chance: np.ndarray, decide: Policy) -> np.ndarray:
    """The states without a row that turns come to, from totals that a match can come to; as rows of columns."""
    duel, turn, T = players.listing.duel, players.turn, players.T
    found = []
    for me in range(T):
        can_be = [duel.reachable((me * turn.unit, other * turn.unit)) for other in range(T)]
        visits = follow(turn, decide(me))[3]
        gone = np.isnan(chance[me, :, : T - me]) & (visits > 0) & np.array(can_be)[:, np.newaxis, np.newaxis]
        for opponent, total, mode in np.argwhere(gone).tolist():
            state = [x * turn.unit for x in (me, opponent, total)]
            found.append([*state, turn.modes[mode]][: len(duel.columns)])
    return np.array(found).reshape(-1, len(duel.columns))


def throw_mix(players: ThrowPlayers, table: pa.Table, place: str, variant: Variant) -> np.ndarray:
    """How often a policy of throws chooses each throw, shape (T, T, D); raises as `turn_policy`."""
    duel, T = players.listing.duel, players.T
    choices = [str(choice) for choice in duel.rules.choices]
    rows = PolicyRows(table, place, variant, [c.name for c in duel.columns], choices)
    units = rows.states // players.unit
    inside = (rows.states >= 0).all(axis=1) & (rows.states % players.unit == 0).all(axis=1) & (units < T).all(axis=1)
    rows.refuse(f"no state of a duel to {duel.target}", rows.states[~inside])
    mix = np.stack([rows.chances(d, (T, T), tuple(units.T)) for d in range(len(choices))], axis=2)
    comes = _sums({gain // players.unit for weights in players.gains for gain in weights if gain}, T)
    missing = np.argwhere(np.isnan(mix[..., 0]) & comes[:, np.newaxis] & comes)
    rows.refuse("states are missing that a match can come to", players.unit * missing)
    return np.nan_to_num(mix)


def _sums(gains: set[int], T: int) -> np.ndarray:
    """Which totals below T are sums of gains."""
    found = np.zeros(T, bool)
    found[0] = True
    for total in range(1, T):
        found[total] = any(gain <= total and found[total - gain] for gain in gains)
    return found


def turn_rows(players: TurnPlayers, policy: Policy) -> pa.Table:
    """What a policy that never mixes does in every state, the start of a turn included, as a file has it."""
    duel, turn, T = players.listing.duel, players.turn, players.T
    total, mode = reachable_positions(turn, T - 1).T
    parts = []
    for me in range(T):
        inside = total < T - me
        chance = policy(me).chance[:, total[inside], mode[inside]]
        rolls = (chance == 1) | (total[inside] == 0)
        opponent, position = (x.ravel() for x in np.indices(rolls.shape))
        units = [np.full(len(opponent), me), opponent, total[inside][position]]
        parts.append([*(turn.unit * x for x in units), np.array(turn.modes)[mode[inside][position]], rolls.ravel()])
    *columns, rolls = (np.concatenate(column) for column in zip(*parts, strict=True))
    states = dict(zip([c.name for c in duel.columns], columns, strict=False))
    order = [(name, "ascending") for name in states]
    return pa.table(states | {"action": np.where(rolls, "roll", duel.rules.stop)}).sort_by(order)


def throw_rows(players: ThrowPlayers, mix: np.ndarray) -> pa.Table:
    """The same of single throws."""
    me, opponent = (players.unit * x.ravel() for x in np.indices(mix.shape[:2]))
    dice = np.array([str(choice) for choice in players.listing.duel.rules.choices])
    return pa.table({"me": me, "opponent": opponent, "action": dice[mix.argmax(axis=2).ravel()]})
