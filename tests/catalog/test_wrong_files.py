"""Wrong files of positions: one line says where the mistake is, and nothing is written."""

import os
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dicebase.catalog.ask.csv_files import place_of
from dicebase.catalog.ask.files import AT_ONCE
from support.commands import error_of

LATE = b"turn_total,note\n" + b"5,1\n" * 1_200_000  # more than PyArrow reads before it settles the types
# (content of a CSV file, error message)
WRONG = [
    (b"turn_total,note\n5,a\n6,caf\xe9\n", "in.csv: line 3: the byte 0xe9 is not UTF-8; save the file as UTF-8"),
    (b"turn_total,caf\xe9\n5,a\n", "in.csv: line 1: the byte 0xe9 is not UTF-8; save the file as UTF-8"),
    ("turn_total\n5\n".encode("utf-16"), "in.csv: line 1: the byte 0xff is not UTF-8; save the file as UTF-8"),
    (b"turn_total\n5\n\xe2\x82", "in.csv: line 3: the byte 0xe2 is not UTF-8; save the file as UTF-8"),
    (b"turn_total;sides\n5;6\n", "in.csv: line 1: columns are separated by semicolons; separate them by commas"),
    (b"turn_total\tsides\n5\t6\n", "in.csv: line 1: columns are separated by tabs; separate them by commas"),
    (b"turn_total\n5\nfive\nsix\n", "in.csv: line 3: turn_total='five' is not a whole number"),
    (b"turn_total\n5\n\n\nfive\n", "in.csv: line 5: turn_total='five' is not a whole number"),
    (b"turn_total\r\n5\r\nfive\r\n", "in.csv: line 3: turn_total='five' is not a whole number"),
    (b'note,turn_total\n"a\nb",5\n"c\nd",five\n', "in.csv: line 5: turn_total='five' is not a whole number"),
    (b"\xef\xbb\xbfturn_total\n5\nfive\n", "in.csv: line 3: turn_total='five' is not a whole number"),
    (b"turn_total,sides\n5,6\n5,six\n", "in.csv: line 3: sides='six' is not a whole number"),
    (b"turn_total,sides\n5,6\n\n5,6,7\n", "in.csv: cannot be read as CSV: line 4: has 3 cells; there are 2 columns"),
    (LATE + b"6,x\n", "in.csv: cannot be read as CSV: line 1200002: note='x'; earlier rows have int64"),
    (b"", "in.csv: cannot be read as CSV: Empty CSV file"),
]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(("content", "message"), WRONG, ids=lambda x: x[:40] if isinstance(x, str) else "")
def test_a_wrong_csv_file_is_refused_with_its_line(results, folder, capsys, content, message):
    (folder / "in.csv").write_bytes(content)
    words = ["--from", "in.csv", "--to", "out.csv", "--results", results]
    assert error_of(capsys, "lookup", "pig_turn", *words) == f"error: {message}\n"
    assert os.listdir(folder) == ["in.csv"]


@pytest.mark.parametrize("more", [[], ["--actions"]])
def test_a_wrong_value_in_parquet_is_refused_with_its_row(results, folder, capsys, more):
    totals = ["5"] * (AT_ONCE + 1) + ["five"]
    pq.write_table(pa.table({"turn_total": totals[-3:] if more else totals}), "in.parquet")
    row = 3 if more else AT_ONCE + 2
    words = ["--from", "in.parquet", "--to", "out.parquet", *more, "--results", results]
    expected = f"error: in.parquet: row {row}: turn_total='five' is not a whole number\n"
    assert error_of(capsys, "lookup", "pig_turn", *words) == expected


def test_strict_refuses_a_missing_position_with_its_line(results, folder, capsys):
    (folder / "in.csv").write_text("turn_total\n5\n\n1\n")
    words = ["--from", "in.csv", "--to", "out.csv", "--strict", "--results", results]
    assert error_of(capsys, "lookup", "pig_turn", *words) == "error: in.csv: line 4: pig_turn has no turn_total=1\n"


@pytest.mark.parametrize(
    ("source", "target", "message"),
    [
        ("folder.csv", "out.csv", "folder.csv: is not a file"),
        ("pipe.csv", "out.csv", "pipe.csv: is not a file"),
        ("in.csv", "folder.csv", "folder.csv: Is a directory"),
        ("in.csv", "/proc/out.csv", "/proc/out.csv: No such file or directory"),
    ],
)
def test_a_file_that_cannot_be_read_or_written_is_named(results, folder, capsys, source, target, message):
    (folder / "in.csv").write_text("turn_total\n5\n")
    (folder / "folder.csv").mkdir()
    os.mkfifo("pipe.csv")
    words = ["--from", source, "--to", target, "--results", results]
    assert error_of(capsys, "lookup", "pig_turn", *words) == f"error: {message}\n"
    assert sorted(os.listdir(folder)) == ["folder.csv", "in.csv", "pipe.csv"]


def test_lines_are_counted_as_editors_count_them(folder):
    (folder / "in.csv").write_text('a,b\n1,"two\nlines"\n\n3,4\n')
    assert [place_of(Path("in.csv"), row) for row in (0, 1)] == ["in.csv: line 3", "in.csv: line 5"]
    assert place_of(Path("in.arrow"), 0) == "in.arrow: row 1"
