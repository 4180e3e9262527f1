"""The certifier refuses every altered number, text, flag and row in every file of every table.

`make test` tries every other fault in one table of each kind and a few in the others; DICEBASE_ALL=1 tries all."""

import json
import math
import os
import shutil
from collections.abc import Callable, Iterator

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dicebase.tables.layout import ROW_FOLDERS, SliceFiles, slices_in
from dicebase.tables.names import find_table
from support.every_table import TABLES, every_table
from support.faults import refused
from support.forgeries.slices import changed, rewrite

Fault = Callable[[pa.Table], pa.Table]
FIRST = {find_table(name).match_class.__qualname__: name for name in reversed(TABLES) if "blackjack" not in name}
"""{kind of table: the first of its tables}, without the slowest."""
BY = 1e-9
"""How much a number is altered, absolutely or relatively if it exceeds 1."""
BY_MORE = {"cant_stop_turns": 1e-6, "royal_ur_duel": 1e-6, "royal_ur_layers": 1e-6, "ten_times_eighteen_rank": 1e-6}
BY_MORE |= {f"{game}_duel_turns": 1e-6 for game in ("pig", "pass_the_pigs", "ten_thousand")}
"""Tables of which the certifier accepts smaller errors and adds them to the published bound."""

ROWS: dict[str, Fault] = {
    "no rows": lambda table: table.slice(0, 0),
    "the first row missing": lambda table: table.slice(1),
    "a row missing": lambda table: pa.concat_tables(
        [table.slice(0, len(table) // 2), table.slice(len(table) // 2 + 1)]
    ),
    "the last row missing": lambda table: table.slice(0, len(table) - 1),
    "the last row twice": lambda table: pa.concat_tables([table, table.slice(len(table) - 1)]),
    "the first row at the end": lambda table: pa.concat_tables([table.slice(1), table.slice(0, 1)]),
}


def faults(table: pa.Table, by: float) -> Iterator[tuple[str, Fault]]:
    """(name, fault) of every fault in a file: each alters one entry, exchanges two, or alters the list of rows."""
    yield from ROWS.items()
    for field in table.schema:
        name, column = field.name, table[field.name].to_pylist()
        known = [i for i, x in enumerate(column) if x is not None]
        if not known:
            continue
        middle = known[len(known) // 2]
        if pa.types.is_floating(field.type):
            for row, sign in ((known[0], -1), (middle, 1), (known[-1], -1)):
                wrong = column[row] + sign * by * max(1, abs(column[row]))
                yield f"{name} altered in row {row}", changed(name, row, lambda _, wrong=wrong: wrong)
            yield f"{name} is no number", changed(name, middle, lambda _: math.nan)
            yield f"{name} is infinite", changed(name, known[-1], lambda _: math.inf)
        elif pa.types.is_boolean(field.type):
            yield f"{name} contradicted", changed(name, middle, lambda x: not x)
        elif pa.types.is_integer(field.type):
            yield f"{name} too high", changed(name, middle, lambda x: x + 1)
        else:
            yield f"{name} unknown", changed(name, middle, lambda _: "double")
        if field.nullable:
            yield f"{name} missing", changed(name, middle, lambda _: None)
        for row in [i for i, x in enumerate(column) if x is None][:1]:
            yield f"{name} present", changed(name, row, lambda _: 0.0)
        others = sorted((i for i in known if column[i] != column[middle]), key=lambda i: abs(i - middle))
        for other in others[:1]:
            yield f"{name} exchanged between rows {middle} and {other}", exchanged(name, middle, other)


def exchanged(name: str, one: int, other: int) -> Fault:
    """Exchange the entries of two rows in a column."""

    def fault(table: pa.Table) -> pa.Table:
        first, second = (table[name][row].as_py() for row in (one, other))
        return changed(name, other, lambda _: first)(changed(name, one, lambda _: second)(table))

    return fault


def claimed(text: str) -> str:
    """Claims about variants in which an exact value is wrong by less than doubles show, or is made up."""
    first, *others = json.loads(text)
    numerator, denominator = map(int, (first["exact"] or "13/2").split("/"))
    return json.dumps([first | {"exact": f"{numerator * 10**30 + 1}/{denominator}{'0' * 30}"}, *others])


def accepts(files: SliceFiles) -> bool:
    """Whether the certifier accepts an altered slice."""
    try:
        refused(files)
    except pytest.fail.Exception:
        return True
    return False


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # arithmetic with the numbers that are none
@pytest.mark.parametrize("table", TABLES)
def test_every_fault_in_a_file_is_refused(tmp_path_factory, tmp_path, table):
    results, found, accepted = every_table(tmp_path_factory), {}, []
    for of, name in slices_in(results):
        if of == table:  # the first slice of each layout
            sound = SliceFiles(results, table, name)
            found.setdefault(tuple(folder for folder in ROW_FOLDERS if sound.within(folder).exists()), sound)
    step = 1 if "DICEBASE_ALL" in os.environ else 2 if table in FIRST.values() else 30
    for folders, sound in found.items():
        files = SliceFiles(tmp_path, table, sound.name)
        for folder in folders:
            files.within(folder).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(sound.within(folder), files.within(folder))
        for folder in folders:
            stored = pq.ParquetFile(sound.within(folder)).read()
            for fault, edit in [*faults(stored, BY_MORE.get(table, BY))][TABLES.index(table) % step :: step]:
                rewrite(files.within(folder), edit)
                if not edit(stored).equals(stored) and accepts(files):  # it is the same if there is only one row
                    accepted.append((sound.name, folder, fault))
                shutil.copy(sound.within(folder), files.within(folder))
        for folder in folders:
            rewrite(files.within(folder), footer={"dicebase.variants": claimed})
        accepted += [(sound.name, "exact value")] * accepts(files)
    assert accepted == []
