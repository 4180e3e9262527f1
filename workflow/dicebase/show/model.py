"""The model of a variant for other solvers: its states, actions and outcomes with their weights, from the rules.

The value of a state is the most (player 0) or the least (player 1) over its actions of
sum(weight * (reward + sign * value of the next state)) / sum(weight); docs/use/model.md describes the files.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import lcm
from pathlib import Path
from typing import NamedTuple, NoReturn, TextIO

import numpy as np

from dicebase.catalog.ask.question import read_variant
from dicebase.catalog.ask.solved_table import SolvedTable, SolvedVariant
from dicebase.certify.graph.positions import Positions, discovered
from dicebase.certify.graph.states import TooManyOutcomesError
from dicebase.certify.graph.transitions import outcomes_of
from dicebase.tables.layout import replacing
from dicebase.vocabulary import ConfigurationError, Controller, Game, State

MOST_IN_MODEL = 5_000_000
OUTCOME = ("next_state", "weight", "reward", "sign")
"""The arrays with one entry per outcome."""


class Model(NamedTuple):
    """A game as positions, numbered in order of discovery; rewards are whole numbers over `unit`.

    names : (states,), the position as text. actions : (actions,), their texts.
    """

    place: str
    positions: Positions
    states: list[State]
    names: list[str]
    actions: list[str]
    unit: int

    def outcomes(self, afterstate: int) -> Iterator[tuple[int, int, int, int]]:
        """Yield (weight, sign, reward, next state or -1) of each outcome of an afterstate; the first afterstate is the
        start of play."""
        p = self.positions
        weights, rewards, signs = p.falls[p.fall[afterstate]]
        to = p.to[p.begin[afterstate] : p.begin[afterstate + 1]].tolist()
        yield from zip(weights, signs, (int(reward * self.unit) for reward in rewards), to, strict=True)


def solved_variant(table: SolvedTable, given: Mapping[str, str]) -> SolvedVariant:
    """Return the variant with the given parameters; omitted ones take their defaults. Raises MissingTableError if it is
    not solved."""
    return table.require(read_variant(table, given))


def why_no_model(solved: SolvedVariant) -> str | None:
    """Return why a variant has no model, as far as its rules and its row say; None if it may have one."""
    game = solved.game.play
    if not isinstance(game, Game):
        return "is not a game by turns that lists its positions, so it has no model"
    if game.hides:
        return "players do not see the whole position; a model is of a game by turns"
    if any(o.state and game.controller(o.state) is Controller.BOTH for o in game.outcomes(game.start())):
        return "both players choose at once; a model is of a game by turns"
    return _large() if solved.row["actions"] > MOST_IN_MODEL else None


def _large() -> str:
    return f"has more than {MOST_IN_MODEL:,} outcomes"


def model_of(solved: SolvedVariant) -> Model:
    """Return the model of a variant. Raises ConfigurationError if it is not a game by turns, or too large."""
    place, game = solved.table.name, solved.game.play

    def fail(state: State | None, what: str) -> NoReturn:
        raise ConfigurationError(f"{place}: {what if state is None else f'{state}: {what}'}")

    if why := why_no_model(solved):
        fail(None, why)
    try:
        p, states, actions = discovered(game, fail, MOST_IN_MODEL)
    except TooManyOutcomesError as error:
        fail(None, str(error))
    if np.diff(p.begin)[p.after].sum() > MOST_IN_MODEL:  # actions may share their outcomes
        fail(None, _large())
    names = [" ".join(str(entry) or "-" for entry in state) for state in states]
    unit = lcm(*(Fraction(reward).denominator for fall in p.falls for reward in fall.rewards))
    return Model(place, p, states, names, actions, unit)


def arrays_of(model: Model) -> dict[str, np.ndarray]:
    """Return the arrays of a model by name, with the start of play as its last state, whose action is `begin`. Raises
    ConfigurationError for weights that exceed 64 bits."""
    p = model.positions
    b = np.append(p.after, 0)  # play begins in afterstate 0
    try:
        begin, to, weight, reward, sign = outcomes_of(p, b, np.int64)
    except OverflowError as error:
        raise ConfigurationError(f"{model.place}: a weight exceeds 64 bits; export a .drn file") from error
    return {
        "states": np.array([*model.names, "start"]),
        "player": np.append(np.where(p.sense > 0, 0, 1), 0).astype(np.int8),
        "action_start": np.append(p.first, len(b)).astype(np.int64),
        "actions": np.array([*model.actions, "begin"]),
        "outcome_start": begin.astype(np.int64),
        "next_state": to,
        "weight": weight,
        "reward": reward,
        "sign": sign,
        "reward_denominator": np.array(model.unit),
    }


def write_model(solved: SolvedVariant, path: Path) -> str:
    """Write the model of a variant as .npz, .parquet or .drn, by the name of the file; return its size in words. Raises
    ConfigurationError for another name."""
    writers = {".npz": _write_npz, ".parquet": _write_parquet, ".drn": _write_drn}
    if path.suffix not in writers:
        raise ConfigurationError(f"{path}: is not allowed; give a name that ends in {', '.join(writers)}")
    model = model_of(solved)
    with replacing(path) as temporary:
        writers[path.suffix](model, temporary)
    return f"{len(model.states)} states, {len(model.actions)} actions"


def _write_npz(model: Model, path: Path) -> None:
    """Write the arrays, with the start of play in arrays of its own."""
    found = arrays_of(model)
    begin = int(found["outcome_start"][-2])
    start = {f"start_{name.removeprefix('next_')}": found[name][begin:] for name in ("next_state", "weight", "reward")}
    for name in ("states", "player", "action_start", "actions", "outcome_start"):
        found[name] = found[name][:-1]
    for name in OUTCOME:
        found[name] = found[name][:begin]
    with open(path, "wb") as file:
        np.savez_compressed(file, **found, **start)


def _write_parquet(model: Model, path: Path) -> None:
    """Write one row per state, with its actions as a list and their outcomes as lists within it."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    found = arrays_of(model)
    outcomes = pa.StructArray.from_arrays([pa.array(found[name]) for name in OUTCOME], OUTCOME)
    lists = pa.ListArray.from_arrays(pa.array(found["outcome_start"], pa.int32()), outcomes)
    actions = pa.StructArray.from_arrays([pa.array(found["actions"]), lists], ("action", "outcomes"))
    nested = pa.ListArray.from_arrays(pa.array(found["action_start"], pa.int32()), actions)
    columns = {"state": found["states"], "player": found["player"], "actions": nested}
    pq.write_table(pa.table(columns).replace_schema_metadata({"reward_denominator": str(model.unit)}), path)


def _write_drn(model: Model, path: Path) -> None:
    """Write a game of one player in Storm's explicit format, with numbers as fractions. State 0 is the start of play
    and has the label `init`; the last state has the label `end`."""
    p = model.positions
    if np.ptp(p.sense) or min(sign for fall in p.falls for sign in fall.signs) < 0:
        raise ConfigurationError(f"{model.place}: has two players, and a .drn file is for one; give .npz or .parquet")
    count = len(model.names) + 2
    with open(path, "w", encoding="utf-8") as file:
        file.write(f'// {model.place}: R{"max" if p.sense[0] > 0 else "min"}=? [F "end"]\n@type: MDP\n@parameters\n\n')
        file.write(f"@reward_models\nreward\n@nr_states\n{count}\n@nr_choices\n{len(p.after) + 2}\n@model\n")
        file.write("state 0 init\n")
        _write_choice(model, file, 0, 0, count)
        for s in range(len(model.names)):
            file.write(f"// {model.names[s]}\nstate {s + 1}\n")
            for number, k in enumerate(range(p.first[s], p.first[s + 1])):
                _write_choice(model, file, number, p.after[k], count)
        file.write(f"state {count - 1} end\n\taction 0 [0]\n\t\t{count - 1} : 1\n")


def _write_choice(model: Model, file: TextIO, number: int, afterstate: int, count: int) -> None:
    """Write an action; its reward is the expected one, and each next state stands once, in rising order."""
    outcomes = [*model.outcomes(afterstate)]
    total, ahead = sum(weight for weight, *_ in outcomes), {}
    for weight, _, _, to in outcomes:
        to = to + 1 if to >= 0 else count - 1
        ahead[to] = ahead.get(to, 0) + weight
    earned = Fraction(sum(weight * reward for weight, _, reward, _ in outcomes), total * model.unit)
    file.write(f"\taction {number} [{earned}]\n")
    file.writelines(f"\t\t{to} : {Fraction(weight, total)}\n" for to, weight in sorted(ahead.items()))
