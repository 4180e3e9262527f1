"""The answers of one variant as blocks: stored rows, values from which decisions follow, or values between turns."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from dicebase.catalog.ask.solved_table import SolvedVariant
from dicebase.catalog.rows.row_arrays import FLAGS, Part
from dicebase.certify.certificate import MOST_TRANSITIONS, stored_transitions
from dicebase.families import family_of
from dicebase.families.boards import drawings
from dicebase.show.explorer.columns import below, columns_of, write_block
from dicebase.show.explorer.moves import moves_of
from dicebase.tables.follow.turns import Starts
from dicebase.vocabulary import Layout, Listing, Scorecard

CHUNK = 1_000_000  # approximate bytes of columns in a file
TURNS = 8192  # starts of turns of a sheet in a file, because a turn needs the values after each of its boxes
NEVER = 2**16 - 1
REACHED = ("reached",)  # further columns of rows that the page shows
TYPICAL = 3  # choices of a position that shows what a board is about

Columns = dict[str, np.ndarray]


def write_variant(variant: SolvedVariant, certificates: Sequence[Path], path: Path) -> dict[str, Any]:
    """Write the block `path`.bin, and `path`-0.bin, `path`-1.bin ... if there are many answers; returns its `meta`. One
    of the certificates is that of the variant."""
    part = variant.part
    # Only the rules: building the game of a turn would search for its last total.
    rules = variant.table.build_rules(variant.parameters, variant.definitions)
    family = family_of(rules)
    if variant.table.match_class.layout is Layout.TWO_ACTIONS:
        meta, columns = _turns(variant.game, part, part.key(variant.parameters))
        write_block(path.with_name(f"{path.name}.bin"), meta | family.export(rules), columns)
        return meta
    key = part.key(variant.parameters)
    first, rows = part.row_numbers.span(key)
    tree = {}
    for number, level in enumerate(below(part.row_numbers, key)):
        tree |= {f"{name}_{number}": column for name, column in level._asdict().items()}
    state = part.columns[len(key) :]
    texts = {}
    for number, name in enumerate(state):
        if name in part.texts:  # keep only the texts that this variant uses
            used, tree[f"label_{number}"] = _renumbered(tree[f"label_{number}"])
            texts[name] = [part.texts[name][text] for text in used]
    meta = {"columns": state, "texts": texts, "rows": rows} | family.export(rules)
    if variant.followed:
        more = {"kind": rules.family, "tolerance": 2 * variant.error_bound}
        more |= _placed(variant, rules) if rules.family == "sheets.one_roll" else {}
        policy, chunk = {}, TURNS if rules.family == "sheets" else CHUNK // 8
        chunks = _values(part, first, rows, chunk)
    else:
        numbers, actions, size = _actions(part, first, rows)
        chunk = CHUNK // size
        more = {"kind": "stored", "sense": variant.game.sense, "actions": actions} | _beyond(variant.game)
        # A map spans two numbers: the only two columns, or the last two of a board.
        mapped = not texts and (len(state) == 2 or "start" in meta)
        policy = _policy(part, first, rows, numbers) if mapped else {}
        chunks = _answers(variant.game.sense, part, first, rows, chunk, numbers)
        if "start" in meta and rows <= MOST_TRANSITIONS:
            begins = _begins(part, first, rows)
            begins -= begins[0]
            stored = stored_transitions(certificates, variant.parameters)
            labels, moves = moves_of(variant.game, part, key, columns_of(tree, len(state)), begins, stored)
            if moves:
                labelled = {"labels": labels} if "label" in moves else {}
                write_block(path.with_name(f"{path.name}-moves.bin"), labelled, moves)
                meta["moves"] = True
            del begins, stored, moves  # the largest arrays of a board
        if "start" in meta:
            meta["start"] = _typical(part, key, first, rows, part.row(variant.parameters | meta["start"]))
    # If all answers fit into a chunk, they are in the same file.
    meta |= more | {"chunk": chunk, "whole": rows <= chunk}
    whole = next(chunks) if meta["whole"] else {}
    write_block(path.with_name(f"{path.name}.bin"), meta, tree | policy | whole)
    for number, columns in enumerate(() if meta["whole"] else chunks):
        write_block(path.with_name(f"{path.name}-{number}.bin"), {}, columns)
    return meta


def write_served(last: SolvedVariant, path: Path) -> dict[str, Any]:
    """Write the block of a board solved in layers: the positions to ask a server about; returns its `meta`. `last` is
    the last layer."""
    rules = last.game.rules
    first, falls = family_of(rules).first_position(rules), [o.state for o in rules.outcomes(rules.start())]
    anywhere, numbered = {}, {column.name for column in rules.numbered}
    for name, start, *fallen in zip(first, first.values(), *falls, strict=True):
        found = sorted({start, *fallen})
        # For other columns these are suggestions; the server answers any value.
        listed = name not in numbered or isinstance(start, str)
        anywhere[name] = found if listed else [*range(found[-1] + 1)]
    meta = {"kind": "served", "columns": [*first], "texts": {}, "start": first, "anywhere": anywhere}
    meta["drawing"] = drawings(rules)
    write_block(path.with_name(f"{path.name}.bin"), meta, {})
    return meta


def _typical(part: Part, key: list[int], first: int, rows: int, start: int) -> dict[str, int | str]:
    """Return the position with the most choices, up to TYPICAL, that is nearest to the middle of the rows; that of the
    row `start` if it has as many."""
    middle = key
    while len(middle) < len(part.columns):
        middle = [*middle, (following := part.following(middle))[len(following) // 2]]
    choices = np.minimum(np.diff(_begins(part, first, rows)), TYPICAL)
    there = first + np.flatnonzero(choices == choices.max())
    near = start if start in there else part.row_numbers.number(middle)
    row = there[np.abs(there - near).argmin()]
    names = part.columns[len(key) :]
    while len(key) < len(part.columns):
        longer = ([*key, label] for label in part.following(key))
        key = next(k for k in longer if row < sum(part.row_numbers.span(k)))
    return {n: part.texts[n][x] if n in part.texts else x for n, x in zip(names, key[-len(names) :], strict=True)}


def _renumbered(numbers: np.ndarray) -> tuple[list[int], np.ndarray]:
    """Return (distinct numbers in order, index of each number among them); numbers are small and not negative."""
    there = np.bincount(numbers) > 0
    return np.flatnonzero(there).tolist(), (np.cumsum(there, dtype=np.int32) - 1)[numbers]


def _actions(part: Part, first: int, rows: int) -> tuple[np.ndarray, list[str], int]:
    """Return (action number of each action of these rows, names by number, mean bytes of a row with its actions)."""
    start, end = _begins(part, first, rows)[[0, -1]].tolist()
    used, numbers = _renumbered(part.actions("action", slice(start, end)))
    assert len(used) <= NEVER, f"{len(used)} actions"
    return numbers.astype(np.uint16), [part.names[number] for number in used], 9 + 27 * (end - start) // rows


def _policy(part: Part, first: int, rows: int, numbers: np.ndarray) -> Columns:
    """Return the most probable action of each row, and whether the row mixes actions, for a map."""
    begins = _begins(part, first, rows)
    probability = part.actions("probability", slice(begins[0], begins[-1])).astype(float)
    begins -= begins[0]
    top = np.repeat(np.maximum.reduceat(probability, begins[:-1]), np.diff(begins))
    at = np.flatnonzero(probability == top)
    likeliest = at[np.searchsorted(at, begins[:-1])]
    return {"policy": numbers[likeliest], "mixed": (probability[likeliest] < 1).astype(np.uint8)}


def _beyond(game: Listing) -> dict[str, Any]:
    """Return {beyond: {last, unit, period, lines: {total modulo the period: {other columns: [[action, slope, value at
    0]]}}}} for a game that is answered beyond its stored totals; otherwise an empty dict."""
    lines: dict[int, dict[str, list]] = {}
    for phase, rest, actions in game.lines():
        told = [[action, *map(float, line)] for action, line in actions.items()]
        lines.setdefault(phase, {})["".join(map(str, rest))] = told
    if not lines:
        return {}
    return {"beyond": {"last": game.last, "unit": game.unit, "period": game.rules.period, "lines": lines}}


def _answers(sense: int, part: Part, first: int, rows: int, chunk: int, numbers: np.ndarray) -> Iterator[Columns]:
    begin = part.records[first][-1]
    for low in range(first, first + rows, chunk):
        count = min(chunk, first + rows - low)
        begins = _begins(part, low, count)
        start, end = begins[[0, -1]].tolist()
        actions = {name: part.actions(name, slice(start, end)) for name in ("q_value", *FLAGS)}
        counts = np.diff(begins)
        assert counts.max() < 2**16
        value, q_value = part.rows("value", slice(low, low + count)), actions["q_value"]
        best = (np.maximum if sense > 0 else np.minimum).reduceat(q_value, begins[:-1] - start)
        values = np.repeat(value, counts)
        regret, differences = part.regrets(values, slice(start, end)), np.abs(values - q_value)
        rest = regret - differences
        more = {} if (value == best).all() else {"value": value}
        follows = (differences + rest == regret).all()
        more |= {} if not rest.any() else {"rest": rest} if follows else {"regret": regret}
        yield {
            **more,
            "count": counts.astype(np.uint8 if counts.max() < 2**8 else np.uint16),
            "action": numbers[start - begin : end - begin],
            "q_value": q_value,
            **{n: part.rows(n, slice(low, low + count)).astype(np.uint8) for n in REACHED if n in part.further},
            "probability": actions["probability"].astype(float),
            "flags": actions["optimal"] + 2 * actions["undecided"].astype(np.uint8),
        }


def _begins(part: Part, first: int, rows: int) -> np.ndarray:
    """Return where the stored actions of consecutive rows begin and, last, end, (rows + 1,)."""
    end = part.records[first + rows][-1] if first + rows < len(part.records) else len(part.stored_actions)
    return np.append(part.rows("first", slice(first, first + rows)).astype(np.int64), end)


def _placed(variant: SolvedVariant, rules: Scorecard) -> dict[str, str | int | float]:
    listing = variant.table.followed(rules)
    return {
        "kind": "placed",
        "points": listing.points,
        "step": listing.step,
        "enough": listing.enough,
        "gains": listing.gains,
        "certain": listing.value.unit == "probability",
    }


def _values(part: Part, first: int, rows: int, chunk: int) -> Iterator[Columns]:
    for low in range(first, first + rows, chunk):
        yield {"value": part.rows("value", slice(low, min(low + chunk, first + rows)))}


def _turns(game: Listing, part: Part, key: list[int]) -> tuple[dict[str, Any], Columns]:
    """Return the values at the start of each turn and, for records of two numbers, the least totals to bank at."""
    records = np.array(list(game.records()), np.int64)
    fixed = [np.full(len(records), number) for number in key]
    inside = len(game.columns) - len(game.record_columns)
    start = [np.full(len(records), number) for number in (0, game.rules.modes[0])[:inside]]
    rows = part.numbers([*fixed, *records.T, *start])
    assert (rows >= 0).all()
    columns = {"value": part.rows("value", rows)}
    if records.shape[1] == 2 and game.wins_at_once:
        least = Starts(game, columns["value"]).bank_at()
        numbers = np.where(least < 0, NEVER, np.minimum(least, NEVER - 1)).astype(np.uint16)
        columns |= {f"bank_at_{mode}": column for mode, column in zip(game.rules.modes, numbers, strict=True)}
    listed = [np.unique(column) for column in records.T]
    meta = {
        "kind": "turns",
        "format": game.format,
        "sense": game.sense,
        "target": game.target,
        "mine": game.mine,
        "beyond": game.rules.beyond,
        "last_turn": game.last_turn,
        "past": game.past,
        "unit": game.unit_of_points,
        "record": [
            {"name": c.name, "first": int(values[0]), "count": len(values), "step": _step(values)}
            for c, values in zip(game.record_columns, listed, strict=True)
        ],
        "columns": part.columns[len(key) :],
        "texts": {},
    }
    return meta, columns


def _step(values: np.ndarray) -> int:
    return int(values[1] - values[0]) if len(values) > 1 else 1
