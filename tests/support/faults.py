"""Deliberate faults in published tables: each one is something that a certificate must rule out."""

import math
from importlib import import_module
from itertools import takewhile
from types import SimpleNamespace

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dicebase.certify import slices
from dicebase.vocabulary import DicebaseError


def refused(files):
    """The one line that says why a slice is not certified, because of its rows: no games are played."""
    with pytest.raises(DicebaseError) as error, pytest.MonkeyPatch.context() as patch:
        patch.setattr(slices, "import_module", lambda name: SimpleNamespace(check=import_module(name).check))
        slices.certify_slice(files, files.certificate, {})
    assert len(str(error.value).splitlines()) == 1 and not files.certificate.exists()
    return str(error.value)


def rewrite(path, rows=lambda rows: rows, footer=lambda footer: footer):
    """Write a file anew with other rows (a list of dicts) or another footer; the schema stays."""
    file = pq.ParquetFile(path)
    schema, table = file.schema_arrow, file.read()
    kept = {k.decode(): v.decode() for k, v in file.metadata.metadata.items() if k.startswith(b"dicebase.")}
    with pq.ParquetWriter(path, schema) as writer:
        writer.write_table(pa.Table.from_pylist(rows(table.to_pylist()), schema))
        writer.add_key_value_metadata(footer(kept))


def change(column, new, where):
    """A fault in one column of the first row for which where(all rows, index) is true."""

    def fault(rows):
        i = next((i for i in range(len(rows)) if where(rows, i)), None)
        if i is None:
            pytest.skip("this game has no such row: here one always has a choice")
        before = rows[i][column]
        rows[i][column] = new(before)
        assert rows[i][column] != before or (before is None) != (rows[i][column] is None)
        return rows

    return fault


def choice(rows, i):
    """A state with several actions and no tie, recognised by its margin."""
    return (rows[i].get("margin") or 0) > 0


def forced(rows, i):
    return rows[i]["margin"] is None


def best(rows, i):
    return rows[i]["probability"] == 1


def worse(rows, i):
    return rows[i]["regret"] > 0


def middle(rows, i):
    return i == len(rows) // 2


def last(rows, i):
    return i == len(rows) - 1


def at(**place):
    """A row by some of its columns."""
    return lambda rows, i: place.items() <= rows[i].items()


def key_of(row):
    """The parameters and the state of a row of states or of actions."""
    return dict(takewhile(lambda column: column[0] not in ("value", "action"), row.items()))


def up(x):
    return math.nextafter(x, math.inf)


def plus(amount):
    return lambda x: x + amount


def put(value):
    return lambda _: value


def other(action):
    """Another action of the same kind: legal in some states."""
    known = {"roll": "hold", "hold": "roll", "stop": "roll", "1": "2"}
    return known.get(action, "1" if action.isdigit() else "keep 1, bank")


def swapped(rows):
    i = len(rows) // 2
    rows[i], rows[-1] = rows[-1], rows[i]
    return rows


def exchanged(column, where):
    """Exchange the entries of a row and the next one."""

    def fault(rows):
        i = next(i for i in range(len(rows) - 1) if where(rows, i) and rows[i][column] != rows[i + 1][column])
        rows[i][column], rows[i + 1][column] = rows[i + 1][column], rows[i][column]
        return rows

    return fault


def remote(row):
    """A row of a state that no play reaches."""
    name = next((k for k in ("free", "turn_total", "total", "score", "me") if k in row), None)
    return {**row, name: -1} if name else {**row, "action": "double"}


def of_another_variant(row):
    name, value = next(iter(row.items()))
    return {**row, name: f"{value}0" if isinstance(value, str) else value + 1}


ROW_FAULTS = {
    "a row missing": lambda rows: rows[:3] + rows[4:],
    "the last row missing": lambda rows: rows[:-1],
    "a row twice": lambda rows: [*rows[:4], *rows[3:]],
    "rows out of order": swapped,
    "a row of another variant": lambda rows: [*rows[:-1], of_another_variant(rows[-1])],
    "no rows": lambda rows: [],
}


STATE_FAULTS = ROW_FAULTS | {
    "a value 1e-9 too high": change("value", plus(1e-9), choice),
    "a value one point too low": change("value", plus(-1), choice),
    "the value of a forced state 1e-9 too high": change("value", plus(1e-9), forced),
    "a value that is no number": change("value", put(math.nan), choice),
    "an infinite value": change("value", put(math.inf), choice),
    "another action": change("action", other, choice),
    "an action of another game": change("action", put("double"), choice),
    "a mix where there is none": change("action", put("mixed"), choice),
    "a margin that is not the second-best regret": change("margin", up, choice),
    "a margin of zero without a tie": change("margin", put(0.0), choice),
    "no margin where there is a choice": change("margin", put(None), choice),
    "a margin where there is no choice": change("margin", put(0.0), forced),
    "a margin that is no number": change("margin", put(math.nan), choice),
    "a state no play reaches": lambda rows: [remote(rows[0]), *rows],
}

ACTION_FAULTS = ROW_FAULTS | {
    "a q-value 1e-9 too low": change("q_value", plus(-1e-9), worse),
    "a q-value that is no number": change("q_value", put(math.nan), worse),
    "two q-values exchanged": exchanged("q_value", worse),
    "a negative regret": change("regret", put(-1e-300), best),
    "a regret that its q-value contradicts": change("regret", plus(1e-9), worse),
    "a regret that is no number": change("regret", put(math.nan), worse),
    "a regret of zero for a worse action": change("regret", put(0.0), worse),
    "an optimal action not marked": change("optimal", put(False), best),
    "a worse action marked optimal": change("optimal", put(True), worse),
    "a worse action called undecided": change("undecided", put(True), worse),
    "half a probability": change("probability", put(0.5), best),
    "a probability for a worse action": change("probability", put(1.0), worse),
    "a negative probability": change("probability", put(-1e-9), worse),
    "a probability that is no number": change("probability", put(math.nan), worse),
    "an action the rules do not know": change("action", put("double"), worse),
    "actions of a state that is none": lambda rows: [remote(rows[0]), *rows],
}
