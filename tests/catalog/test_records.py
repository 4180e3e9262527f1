"""Packed rows give back every number to the bit, one row at a time and all at once."""

import numpy as np

from dicebase.catalog.rows import records_writer
from dicebase.catalog.rows.mapped_file import MappedFile, digests
from dicebase.catalog.rows.records import Records

KINDS = [("value", "d"), ("margin", "d"), ("best", "I"), ("rest", "q"), ("first", "Q")]


def mapped(path):
    said = {"name": path.name, "bytes": path.stat().st_size, "sha256": digests(path)}
    return MappedFile(path.parent, said)


def test_packed_numbers_are_read_back_to_the_bit(tmp_path, monkeypatch):
    monkeypatch.setattr(records_writer, "AT_ONCE", 300)
    draw = np.random.default_rng(1)
    rows = np.empty(1000, KINDS)
    rows["value"] = draw.choice([0.0, -0.0, np.nan, np.inf, -np.inf, 1 / 3, 5e-324], 1000)
    rows["margin"] = draw.random(1000)
    rows["best"], rows["first"] = draw.integers(0, 300, 1000), np.arange(1000) * 2**23
    rows["rest"] = draw.choice([-(2**63), -1, 0, 2**62], 1000)
    path = tmp_path / "rows.bin"
    rows.tofile(path)
    fields, lists = records_writer.pack(path, KINDS)
    assert [(kind, listed) for _, _, kind, listed in fields] == [("B", 7), ("d", 0), ("H", 0), ("B", 4), ("Q", 0)]
    assert path.stat().st_size == 1000 * (1 + 8 + 2 + 1 + 8) and list(tmp_path.iterdir()) == [path]
    packed = Records(mapped(path), fields, memoryview(lists.tobytes()))
    alone = np.array([tuple(row) for row in packed.between(0, len(packed))], KINDS)
    for name, _ in KINDS:
        together = packed.column(name, slice(None)).astype(rows[name].dtype)
        assert alone[name].tobytes() == together.tobytes() == rows[name].tobytes()
