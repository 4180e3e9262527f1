"""Read a user's own policy for a duel from a file or frame of states and actions, check it against the rules and
convert it to a play for the solver; write policies as such rows. docs/use/policies.md describes the format."""

from collections.abc import Sequence
from math import isnan
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from dicebase.catalog.ask.csv_files import place_of
from dicebase.catalog.ask.files import KINDS, kind_of, pieces
from dicebase.catalog.ask.many_positions import as_table
from dicebase.matches.duels.duel_matchups import OPTIMAL
from dicebase.solvers.turns.plays import Decisions, Policy, against, follow
from dicebase.tables.names import Variant
from dicebase.tabulate.throw_players import ThrowPlayers
from dicebase.tabulate.turn_players import TurnPlayers
from dicebase.vocabulary import Column, ConfigurationError, nearest, shown, words

Given = str | Path | object
"""A policy as users give it: a name, a file, or a frame of Arrow, pandas or Polars."""

ACTION, PROBABILITY, EXCEPT = "action", "probability", " except "
MISSING = "states are missing that a match can reach (if the file lists exceptions, give 'NAME except FILE')"
SHOWN = 3  # errors of one kind that a message lists
SUM = 1e-9  # tolerance of the sum of probabilities


def base_of(given: Given) -> tuple[str, Given | None]:
    """Return (name or formula, file or frame) of a policy: of `NAME except FILE` both, otherwise one of them. Raises
    ConfigurationError for an empty text."""
    if not isinstance(given, str):
        return "", given
    if not given.strip():
        raise ConfigurationError(f"policy: '{given}' is empty; give {OPTIMAL}, another policy or a file")
    base, between, file = given.rpartition(EXCEPT)
    if between:
        return base, file
    return ("", given) if given.lower().endswith(tuple(KINDS)) else (given, None)


def read_policy(given: Given, columns: Sequence[Column] = ()) -> tuple[pa.Table, str]:
    """Return (rows of a file or frame, its name); raises ConfigurationError if it cannot be read. `columns` says which
    columns are texts, even if they look like numbers."""
    if isinstance(given, str | Path):
        parts = pieces(kind_of(Path(given)), Path(given), [c.name for c in columns if c.kind is str])
        table, place = pa.concat_tables(part for part, _ in parts), str(Path(given))
    else:
        table, place = as_table(given, "policy"), "policy"
    if len(set(table.column_names)) < len(table.column_names):
        raise ConfigurationError(f"{place}: has a column twice")
    return table, place


class PolicyRows:
    """The rows of a policy, checked one by one and together; each failure raises a ConfigurationError that lists the
    first few states.

    states : (n, columns) integers; a text is the index in `texts`.
    action : (n,) index in `actions`.
    probability : (n,).
    """

    def __init__(
        self, table: pa.Table, place: str, variant: Variant, columns: Sequence[Column], actions: Sequence[str]
    ):
        self.place, self.columns, self.actions = place, [c.name for c in columns], list(actions)
        self.texts: dict[int, list[str]] = {}  # {index of a column: its distinct texts}
        self._check_columns(table, variant)
        for name, value in variant.items():
            if name in table.column_names:
                same = [text == str(value) for text in self._texts(table, name)]
                self._check_rows(table, name, same, f"{value}; give the rows of one variant")
        entries = [self._entries(table, i, column) for i, column in enumerate(columns)]
        self.states = np.stack(entries, axis=1)
        self.action = self._numbers(pa.chunked_array([self._texts(table, ACTION)], pa.string()))
        self.mixed = PROBABILITY in table.column_names
        self.probability = self._probabilities(table) if self.mixed else np.ones(len(self.states))
        self._check_sums()

    def refuse(self, what: str, states: np.ndarray | list[tuple], extra: Sequence[str] = ()) -> None:
        """Raise ConfigurationError if `states`, (n, columns) or tuples, is not empty; `extra` adds a text to each."""
        if len(states):
            first = self.as_given(states[:SHOWN]) if isinstance(states, np.ndarray) else states[:SHOWN]
            shown = [words(dict(zip(self.columns, state, strict=True))) for state in first]
            shown = [f"{text}{more}" for text, more in zip(shown, extra or [""] * len(shown), strict=False)]
            more = f" and {len(states) - SHOWN} more" if len(states) > SHOWN else ""
            raise ConfigurationError(f"{self.place}: {what}: {'; '.join(shown)}{more}")

    def as_given(self, states: np.ndarray) -> list[tuple[int | str, ...]]:
        """The states as tuples, with texts in place of indices."""
        columns = enumerate(states.T.tolist())
        return [*zip(*([self.texts[i][x] for x in c] if i in self.texts else c for i, c in columns), strict=True)]

    def _check_columns(self, table: pa.Table, variant: Variant) -> None:
        known = [*variant, *self.columns, ACTION, PROBABILITY]
        for name in table.column_names:
            if name not in known:
                raise ConfigurationError(f"{self.place}: '{name}' is not a column of a policy{nearest(name, known)}")
        for name in [*self.columns, ACTION]:
            if name not in table.column_names:
                raise ConfigurationError(f"{self.place}: has no column '{name}'")
        if not table.num_rows:
            raise ConfigurationError(f"{self.place}: has no rows")

    def _texts(self, table: pa.Table, name: str) -> list[str]:
        try:
            return table[name].cast(pa.string()).to_pylist()
        except pa.ArrowException as error:
            raise ConfigurationError(f"{self.place}: '{name}' is neither a number nor a text") from error

    def _entries(self, table: pa.Table, place: int, of: Column) -> np.ndarray:
        name, column = of.name, table[of.name]
        if of.kind is str:
            texts, numbers = np.unique(np.array(self._texts(table, name), str), return_inverse=True)
            self.texts[place] = texts.tolist()
            return numbers.ravel()
        if not pa.types.is_integer(column.type) or column.null_count:
            self._check_rows(table, name, [*map(_is_whole, column.to_pylist())], "a whole number")
            raise ConfigurationError(f"{self.place}: '{name}' is {column.type}, not whole numbers")
        return column.to_numpy().astype(np.int64)

    def _check_rows(self, table: pa.Table, name: str, right: list[bool], what: str) -> None:
        """Raise ConfigurationError for the first row whose value is not right."""
        if not all(right):
            row = right.index(False)
            value = shown(table[name][row].as_py())
            raise ConfigurationError(f"{place_of(Path(self.place), row)}: {name}={value} is not {what}")

    def _numbers(self, column: pa.ChunkedArray) -> np.ndarray:
        numbers = pc.index_in(column, pa.array(self.actions)).to_numpy()
        illegal = ~np.isfinite(numbers.astype(float))
        said = [f" action={x}" for x in column.filter(pa.array(illegal)).slice(0, SHOWN).to_pylist()]
        self.refuse(f"not one of the actions {', '.join(self.actions)}", self.states[illegal], said)
        return numbers.astype(np.int64)

    def _probabilities(self, table: pa.Table) -> np.ndarray:
        column = table[PROBABILITY]
        if not (pa.types.is_floating(column.type) or pa.types.is_integer(column.type)):
            self._check_rows(table, PROBABILITY, [*map(_is_number, column.to_pylist())], "a number")
            raise ConfigurationError(f"{self.place}: '{PROBABILITY}' is {column.type}, not numbers")
        found = column.to_numpy().astype(float)
        self.refuse("a probability is not from 0 to 1", self.states[~((found >= 0) & (found <= 1))])
        return found

    def _check_sums(self) -> None:
        rows = np.column_stack([self.states, self.action])
        _, first, count = np.unique(rows, axis=0, return_index=True, return_counts=True)
        self.refuse("a state and action occur twice", self.states[np.sort(first[count > 1])])
        states, index = np.unique(self.states, axis=0, return_inverse=True)
        sums = np.bincount(index.ravel(), self.probability)
        wrong = np.abs(sums - 1) > SUM
        if self.mixed:
            said = [f" sum={total!r}" for total in sums[wrong][:SHOWN].tolist()]
            self.refuse("probabilities do not sum to 1", states[wrong], said)
        self.refuse("several actions without probabilities", states[wrong])

    def chances(self, action: int, shape: tuple[int, ...], index: tuple[np.ndarray, ...]) -> np.ndarray:
        """An array with the probability of an action, NaN in states without a row; `index` locates each row in it."""
        found = np.full(shape, np.nan)
        found[index] = 0.0
        mine = self.action == action
        found[tuple(i[mine] for i in index)] = self.probability[mine]
        return found


def _is_number(value: object) -> bool:
    """Whether a cell holds a number, as a number or a text."""
    try:
        return not isnan(float(value))
    except (TypeError, ValueError):
        return False


def _is_whole(value: object) -> bool:
    """Whether a cell holds a whole number, as a number or a text."""
    if isinstance(value, str):
        return value.isascii() and value.removeprefix("-").isdecimal()
    return isinstance(value, int | float) and not isinstance(value, bool) and value == value // 1


def turn_policy(
    players: TurnPlayers, table: pa.Table, place: str, variant: Variant, base: Policy | None = None
) -> Policy:
    """Return the decisions of a policy of turns, and those of `base` in states without a row. Dice are kept as `base`
    keeps them, or as optimal play does; rows of last turns are ignored, because any policy rolls on in them.

    Raises ConfigurationError for a malformed policy, and lists the first states that are wrong or missing.
    """
    duel, turn, T = players.listing.duel, players.turn, players.T
    columns = [c.name for c in duel.columns]
    if duel.last_turn and "opponent" in table.column_names:
        table = table.filter(pc.less(table["opponent"], duel.target))
    rows = PolicyRows(table, place, variant, duel.columns, ["roll", duel.rules.stop])
    modes = {mode: i for i, mode in enumerate(turn.modes)}
    mode = np.zeros(len(rows.states), int)
    if "dice" in columns:
        mode = np.array([modes.get(dice, -1) for dice in rows.states[:, 3].tolist()])
    there = np.zeros((T, len(turn.modes)), bool)
    there[tuple(turn.positions(T - 1).T)] = True
    points, units = rows.states[:, :3], rows.states[:, :3] // turn.unit
    inside = (points >= 0).all(axis=1) & (points % turn.unit == 0).all(axis=1) & (mode >= 0)
    inside &= (units[:, :2] < T).all(axis=1) & (units[:, 0] + units[:, 2] < T)
    place_of = np.where(inside, units.T, 0)
    inside &= there[place_of[2], np.where(inside, mode, 0)]
    rows.refuse(f"not a state of a duel to {duel.target}", rows.states[~inside])
    first = (rows.states[:, 2] == 0) & (rows.action == 1)
    rows.refuse(f"the first roll is compulsory, but action={duel.rules.stop}", rows.states[first])
    must = np.zeros((T, T, len(turn.modes)), bool)
    for me in range(T):
        must[me, : T - me] = turn.must(T, me)
    stops = must[units[:, 0], units[:, 2], mode] & (rows.action == 1)
    rows.refuse(f"stopping is not allowed, but action={duel.rules.stop}", rows.states[stops])
    chance = rows.chances(0, (T, T, T, len(turn.modes)), (*units.T, mode))
    chance[:, :, 0, 0] = 1.0
    keep = base or against(turn, players.values)

    def decide(me: int) -> Decisions:
        others, own = keep(me), chance[me, :, : T - me]
        return others._replace(chance=np.where(np.isnan(own), others.chance if base else 0.0, own))

    if not base:
        rows.refuse(MISSING, _missing(players, chance, decide))
    return decide


def _missing(players: TurnPlayers, chance: np.ndarray, decide: Policy) -> np.ndarray:
    """The states without a row that the policy reaches, from totals that a match can reach; one row each."""
    duel, turn, T = players.listing.duel, players.turn, players.T
    found = []
    for me in range(T):
        can_be = [duel.reachable((me * turn.unit, other * turn.unit)) for other in range(T)]
        visits = follow(turn, decide(me), turn.must(T, me))[3]
        gone = np.isnan(chance[me, :, : T - me]) & (visits > 0) & np.array(can_be)[:, np.newaxis, np.newaxis]
        for opponent, total, mode in np.argwhere(gone).tolist():
            state = [x * turn.unit for x in (me, opponent, total)]
            found.append([*state, turn.modes[mode]][: len(duel.columns)])
    return np.array(found).reshape(-1, len(duel.columns))


def throw_mix(
    players: ThrowPlayers, table: pa.Table, place: str, variant: Variant, base: np.ndarray | None = None
) -> np.ndarray:
    """Return the probability of each throw under a policy, (T, T, D), with those of `base` in states without a row;
    raises the same errors as `turn_policy`."""
    duel, T = players.listing.duel, players.T
    choices = [str(choice) for choice in duel.rules.choices]
    rows = PolicyRows(table, place, variant, duel.columns, choices)
    units = rows.states // players.unit
    inside = (rows.states >= 0).all(axis=1) & (rows.states % players.unit == 0).all(axis=1) & (units < T).all(axis=1)
    rows.refuse(f"not a state of a duel to {duel.target}", rows.states[~inside])
    mix = np.stack([rows.chances(d, (T, T), tuple(units.T)) for d in range(len(choices))], axis=2)
    if base is not None:
        return np.where(np.isnan(mix), base, mix)
    gains, comes = {gain // players.unit for weights in players.gains for gain in weights}, np.arange(T) == 0
    for total in range(T):
        comes[[total + gain for gain in gains if total + gain < T]] |= comes[total]
    missing = np.argwhere(np.isnan(mix[..., 0]) & comes[:, np.newaxis] & comes)
    rows.refuse(MISSING, players.unit * missing)
    return np.nan_to_num(mix)


def turn_rows(players: TurnPlayers, policy: Policy) -> pa.Table:
    """The actions of a deterministic policy in every state, including starts of turns, as rows of a policy file."""
    duel, turn, T = players.listing.duel, players.turn, players.T
    total, mode = turn.positions(T - 1).T
    parts = []
    for me in range(T):
        inside = total < T - me
        chance = policy(me).chance[:, total[inside], mode[inside]]
        rolls = (chance == 1) | turn.must(T, me)[total[inside], mode[inside]]
        opponent, position = (x.ravel() for x in np.indices(rolls.shape))
        units = [np.full(len(opponent), me), opponent, total[inside][position]]
        parts.append([*(turn.unit * x for x in units), np.array(turn.modes)[mode[inside][position]], rolls.ravel()])
    *columns, rolls = (np.concatenate(column) for column in zip(*parts, strict=True))
    states = dict(zip([c.name for c in duel.columns], columns, strict=False))
    return pa.table(states | {"action": np.where(rolls, "roll", duel.rules.stop)})


def throw_rows(players: ThrowPlayers, mix: np.ndarray) -> pa.Table:
    """Do the same as `turn_rows` for single throws."""
    me, opponent = (players.unit * x.ravel() for x in np.indices(mix.shape[:2]))
    dice = np.array([str(choice) for choice in players.listing.duel.rules.choices])
    return pa.table({"me": me, "opponent": opponent, "action": dice[mix.argmax(axis=2).ravel()]})
