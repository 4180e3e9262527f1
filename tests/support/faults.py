"""Deliberate faults in published tables: each one is something that a certificate must rule out."""

import math
from importlib import import_module
from types import SimpleNamespace

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dicebase.certify import slices
from dicebase.certify.finding import unplayed
from dicebase.vocabulary import DicebaseError


def refused(files):
    """The one line that says why a slice is not certified, because of its rows: no games are played."""
    with pytest.raises(DicebaseError) as error, pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            slices, "import_module", lambda name: SimpleNamespace(check=import_module(name).check, simulated=unplayed)
        )
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
    return rows[i]["probability"] == 1 and not alone(rows, i)


def worse(rows, i):
    return rows[i]["regret"] > 0


def alone(rows, i):
    state = {k: v for k, v in rows[i].items() if k in KEYS}
    return sum(all(r[k] == v for k, v in state.items()) for r in rows) == 1


KEYS = {"sides", "dice", "multiple", "rules", "moves", "turn_total", "total", "roll"}


def up(x):
    return math.nextafter(x, math.inf)


def plus(amount):
    return lambda x: x + amount


def put(value):
    return lambda _: value


def other(action):
    """Another action of the same kind: legal in some states."""
    return {"roll": "hold", "hold": "roll", "stop": "roll"}.get(action, "keep 1, bank")


def swapped(rows):
    i = len(rows) // 2
    rows[i], rows[-1] = rows[-1], rows[i]
    return rows


def remote(row):
    """The row at a total that no play reaches."""
    return {k: -1 if k in ("turn_total", "total") else v for k, v in row.items()}


def wrong_parameter(row):
    return {"rules": "socket"} if "rules" in row else {"dice": 3}


STATE_FAULTS = {
    "a value 1e-9 too high": change("value", plus(1e-9), choice),
    "a value one point too low": change("value", plus(-1), choice),
    "the value of a forced state 1e-9 too high": change("value", plus(1e-9), forced),
    "a value that is no number": change("value", put(math.nan), choice),
    "an infinite value": change("value", put(math.inf), choice),
    "another action": change("action", other, choice),
    "an action of another game": change("action", put("double"), choice),
    "a margin that is not the second-best regret": change("margin", up, choice),
    "a margin of zero without a tie": change("margin", put(0.0), choice),
    "no margin where there is a choice": change("margin", put(None), choice),
    "a margin where there is no choice": change("margin", put(0.0), forced),
    "a margin that is no number": change("margin", put(math.nan), choice),
    "a state removed": lambda rows: rows[:3] + rows[4:],
    "a state twice": lambda rows: [*rows[:4], *rows[3:]],
    "states out of order": swapped,
    "a state no play reaches": lambda rows: [remote(rows[0]), *rows],
    "another parameter": lambda rows: [*rows[:-1], {**rows[-1], **wrong_parameter(rows[-1])}],
    "no states": lambda rows: [],
}

ACTION_FAULTS = {
    "a q-value 1e-9 too low": change("q_value", plus(-1e-9), worse),
    "a q-value that is no number": change("q_value", put(math.nan), worse),
    "a negative regret": change("regret", put(-1e-300), best),
    "a regret that its q-value contradicts": change("regret", plus(1e-9), worse),
    "a regret that is no number": change("regret", put(math.nan), worse),
    "a regret of zero for a worse action": change("regret", put(0.0), worse),
    "an optimal action not marked": change("optimal", put(False), best),
    "a worse action marked optimal": change("optimal", put(True), worse),
    "a tie that is none called undecided": change("undecided", put(True), worse),
    "half a probability": change("probability", put(0.5), best),
    "a probability for a worse action": change("probability", put(1.0), worse),
    "a probability that is no number": change("probability", put(math.nan), worse),
    "an action removed": lambda rows: rows[:3] + rows[4:],
    "an action twice": lambda rows: [*rows[:4], *rows[3:]],
    "an action the rules do not know": change("action", put("double"), worse),
    "actions out of order": swapped,
    "actions of a state that is none": lambda rows: [remote(rows[0]), *rows],
    "actions of another variant": lambda rows: [*rows, {**rows[-1], **wrong_parameter(rows[-1])}],
    "no actions": lambda rows: [],
}
