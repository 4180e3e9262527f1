"""`dicebase export`: the rows of a table as CSV, JSON and a workbook of Excel."""

import csv
import io
import json
import re
import shutil
import zipfile
from xml.etree import ElementTree

import pytest

import dicebase
from dicebase.catalog import lookup
from dicebase.cli import main
from dicebase.show import export
from support.commands import error_of

SIX = "FROM pig_turn WHERE sides = 6"
TAG = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"


@pytest.fixture(scope="module")
def results(results, tmp_path_factory):
    """A copy: DuckDB refuses a file that another test of the same process has open with other settings."""
    return shutil.copytree(results, tmp_path_factory.mktemp("export") / "results")


@pytest.fixture
def rows(results):
    """Run a query and close the catalogue, because the command opens it in another mode; return (names, rows)."""

    def rows(query):
        with dicebase.open(results) as catalog:
            return catalog.rows(query)

    return rows


def cells(path, sheet):
    """The rows of a sheet of a workbook; an empty cell is None."""
    with zipfile.ZipFile(path) as book:
        root = ElementTree.fromstring(book.read(f"xl/worksheets/sheet{sheet}.xml"))
        texts = []
        if "xl/sharedStrings.xml" in book.namelist():
            shared = ElementTree.fromstring(book.read("xl/sharedStrings.xml"))
            texts = ["".join(t.text or "" for t in item.iter(f"{TAG}t")) for item in shared]
    rows = []
    for row in root.iter(f"{TAG}row"):
        found = {}
        for cell in row.iter(f"{TAG}c"):
            value, kind = cell.find(f"{TAG}v"), cell.get("t")
            text = "".join(t.text or "" for t in cell.iter(f"{TAG}t")) if value is None else value.text
            read = {"s": lambda x: texts[int(x)], "inlineStr": str, "b": lambda x: x == "1"}.get(kind, float)
            found[re.match("[A-Z]+", cell.get("r"))[0]] = read(text)
        rows.append([found.get(chr(65 + i)) for i in range(ord(max(found)) - 64)])
    return rows


def as_excel(x):
    """A value with the 16 digits that a workbook has."""
    return float(f"{x:.16G}") if isinstance(x, float) else x


def test_csv_has_every_row_and_digit(say, rows):
    names, expected = rows(SIX)
    header, *lines = csv.reader(io.StringIO(say("export", "pig_turn", "sides=6", "--csv")))
    assert header == names and len(lines) == len(expected) > 50
    assert lines == [["" if x is None else str(x) for x in row] for row in expected]


def test_json_has_numbers_and_null(say, rows, tmp_path):
    names, expected = rows(SIX)
    known = [dict(zip(names, row, strict=True)) for row in expected]
    assert json.loads(say("export", "pig_turn", "sides=6", "--json")) == known
    assert say("export", "pig_turn", "--json", "-o", tmp_path / "pig.json") == f"{tmp_path / 'pig.json'}: 88 rows\n"
    assert len(json.loads((tmp_path / "pig.json").read_text())) == 88


@pytest.mark.parametrize("at_once", [7, 10_000])
def test_a_workbook_has_the_rows_and_the_meaning_of_columns(say, rows, tmp_path, monkeypatch, at_once):
    monkeypatch.setattr(lookup, "AT_ONCE", at_once)
    path = tmp_path / "book.xlsx"
    say("export", "ten_thousand_turn", "moves=all", "--actions", "--xlsx", "-o", path)
    names, expected = rows("FROM ten_thousand_turn_actions WHERE moves = 'all'")
    header, *found = cells(path, 1)
    assert header == names and found == [[as_excel(x) for x in row] for row in expected]
    header, *described = cells(path, 2)
    assert header == ["column", "description [unit]"] and [row[0] for row in described] == names
    assert dict(described)["regret"] == "loss of the mover by this action; 0 is optimal [points]"


def test_text_stays_text_in_a_workbook(tmp_path):
    path, row = tmp_path / "book.xlsx", ("=1+1", "11355", "https://dice.example", True, None, 0.25)
    export._write_workbook(path, ["a", "b", "c", "d", "e", "f"], iter([[row]]), [])
    assert cells(path, 1)[1] == list(row)


def test_more_rows_than_a_sheet_holds_are_refused_and_nothing_is_written(capsys, results, tmp_path, monkeypatch):
    path = tmp_path / "pig.xlsx"
    words = ["export", "pig_turn", "--xlsx", "-o", path, "--results", results]
    monkeypatch.setattr(export, "SHEET_ROWS", 88)
    said = error_of(capsys, *words)
    assert "pig_turn: 88 rows; an Excel sheet has 88 rows, including the header: give parameters, or use --csv" in said
    assert not list(tmp_path.iterdir())
    monkeypatch.setattr(export, "SHEET_ROWS", 89)
    assert main([*map(str, words)]) == 0 and len(cells(path, 1)) == 89


def test_a_failed_export_leaves_the_old_file(say, results, capsys, tmp_path, monkeypatch):
    path = tmp_path / "pig.csv"
    say("export", "pig_turn", "--csv", "-o", path)
    before = path.read_bytes()
    monkeypatch.setattr(lookup, "AT_ONCE", 50)

    def failing(names, parts):
        yield from (str(next(parts)) for _ in range(2))
        raise OSError(28, "No space left on device")

    monkeypatch.setitem(export.FORMS, "csv", failing)
    said = error_of(capsys, "export", "pig_turn", "--csv", "-o", path, "--results", results)
    assert f"{path}: the disk is full" in said
    assert path.read_bytes() == before and list(tmp_path.iterdir()) == [path]
