"""Deliberate faults in published tables: each one is something that a certificate must rule out."""

import math
from importlib import import_module
from itertools import takewhile
from types import SimpleNamespace

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dicebase.certify import slices
from dicebase.certify.published import CertificationError
from dicebase.vocabulary import DicebaseError
from support import grids


def damaged(kinds):
    """A fixture: a copy of each of these kinds of `sound` slices, to be damaged."""

    @pytest.fixture(params=kinds)
    def copy(request, sound, tmp_path):
        return grids.copied(sound[request.param], tmp_path / "slice")

    return copy


def refused(files, match=None):
    """The one line, which must match a pattern, that says why the rows of a slice are not certified: no games are
    played."""
    with pytest.raises(DicebaseError, match=match) as error, pytest.MonkeyPatch.context() as patch:
        patch.setattr(slices, "import_module", lambda name: SimpleNamespace(check=import_module(name).check))
        slices.certify_slice(files, files.certificate, {})
    assert len(str(error.value).splitlines()) == 1 and not files.certificate.exists()
    return str(error.value)


def fail(row, what):
    """Refuse a table, as a check of the certifier does."""
    raise CertificationError(f"{row}: {what}")


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


def worse(rows, i):
    return rows[i]["regret"] > 0


def key_of(row):
    """The parameters and the state of a row of states or of actions."""
    return dict(takewhile(lambda column: column[0] not in ("value", "action"), row.items()))


def up(x):
    return math.nextafter(x, math.inf)


def plus(amount):
    return lambda x: x + amount


def put(value):
    return lambda _: value
