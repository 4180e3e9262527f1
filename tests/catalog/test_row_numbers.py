"""The automaton that numbers sorted rows, built variant by variant, agrees with a search of the rows; packed rows
give back every number to the bit, one row at a time and all at once."""

import numpy as np
import pytest

from dicebase.catalog.rows import records_writer
from dicebase.catalog.rows.mapped_file import MappedFile, digests
from dicebase.catalog.rows.records import Records
from dicebase.catalog.rows.row_numbers import RowNumbers
from dicebase.catalog.rows.row_numbers_writer import RowNumbersBuilder

DRAW = np.random.default_rng(7)


def tables():
    """Sorted, distinct rows of several shapes, as arrays of shape (n, columns)."""
    grid = np.indices((7, 5, 9)).reshape(3, -1).T
    yield "a grid", grid * (50, 1, 3)
    yield "a triangle", grid[grid[:, 0] + grid[:, 2] < 8] * (1, 1, 50)
    yield "no order in it", np.unique(DRAW.integers(-40, 40, (3000, 4)), axis=0)
    yield "far apart", np.unique(DRAW.integers(-(10**12), 10**12, (500, 2)), axis=0)
    yield "one column", np.arange(0, 300, 3)[:, np.newaxis]
    yield "one row", np.array([[4, -2, 9]])
    runs = [(a, b) for a in range(200) for b in (range(3) if a % 7 else range(4))]
    yield "alike except one in seven", np.array(runs)
    yield "nodes alike", np.indices((30, 40, 8)).reshape(3, -1).T


TABLES = dict(tables())


def build(rows, parameters=0):
    builder = RowNumbersBuilder(parameters, rows.shape[1])
    variants = np.unique(rows[:, :parameters], axis=0, return_index=True)[1][1:] if parameters else []
    for variant in np.split(rows, variants):
        builder.add(list(variant.T.astype(np.int64)))
    return RowNumbers(builder.finish())


@pytest.mark.parametrize("name", TABLES)
def test_every_row_has_its_number_in_any_division_into_variants(name):
    rows = TABLES[name]
    whole = build(rows)
    for parameters in range(1 + rows.shape[1]):
        built = build(rows, parameters)
        assert len(built) == len(rows)
        assert built.numbers(list(rows.T)).tolist() == list(range(len(rows)))
        assert [len(level.label) for level in built.levels] == [len(level.label) for level in whole.levels]
        for i in DRAW.integers(0, len(rows), 50):
            assert built.number(rows[i].tolist()) == i
    if name == "nodes alike":
        assert [len(level.label) for level in whole.levels] == [30, 40, 8]


@pytest.mark.parametrize("name", TABLES)
def test_missing_rows_have_no_number(name):
    rows = TABLES[name]
    built, known = build(rows), {tuple(row): i for i, row in enumerate(rows.tolist())}
    near = rows[DRAW.integers(0, len(rows), 2000)] + DRAW.integers(-2, 3, (2000, rows.shape[1]))
    expected = [known.get(tuple(row), -1) for row in near.tolist()]
    assert -1 in expected and built.numbers(list(near.T)).tolist() == expected
    assert [built.number(row) for row in near[:200].tolist()] == expected[:200]
    assert built.number([10**30] * rows.shape[1]) == -1


@pytest.mark.parametrize("name", TABLES)
def test_the_beginning_of_a_key_has_its_span_and_its_successors(name):
    rows = TABLES[name]
    built = build(rows)
    for row in rows[DRAW.integers(0, len(rows), 30)].tolist():
        for length in range(len(row) + 1):
            alike = np.flatnonzero((rows[:, :length] == row[:length]).all(axis=1))
            assert built.span(row[:length]) == (alike[0], len(alike))
            if length < len(row):
                assert built.following(row[:length]) == sorted(set(rows[alike, length].tolist()))
    assert built.span([10**9]) == (-1, 0)
    if rows.shape[1] > 1:
        assert built.following([10**9]) == []


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
