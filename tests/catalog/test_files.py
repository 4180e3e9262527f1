"""Files of positions, answered in pieces, and wrong files, refused with the line or row of the error.

test_answers_agree.py compares the answers with other ways of asking."""

import os
from pathlib import Path

import pyarrow as pa
import pyarrow.csv
import pyarrow.feather
import pyarrow.ipc
import pyarrow.parquet as pq
import pytest

from dicebase.catalog.ask import files
from dicebase.cli import main
from support.commands import error_of

TOTALS = [20, 5, 1, 4, 20]
WRITE = {
    "csv": pyarrow.csv.write_csv,
    "parquet": pq.write_table,
    "arrow": lambda table, path: pyarrow.feather.write_feather(table, path, compression="uncompressed"),
}


def read(path):
    """A table of any kind."""
    if path.endswith(".csv"):
        return pyarrow.csv.read_csv(path)
    return pq.read_table(path) if path.endswith(".parquet") else pa.ipc.open_file(path).read_all()


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def ask(results, capsys):
    """Run `dicebase lookup pig_turn --from SOURCE --to TARGET` and return what it says."""

    def run(source, target, *words):
        assert main(["lookup", "pig_turn", "--from", source, "--to", target, "--results", str(results), *words]) == 0
        return capsys.readouterr().out

    return run


@pytest.fixture
def refused(results, capsys):
    """Run `dicebase lookup pig_turn`, which must write nothing, and return the error."""

    def run(*words):
        before = sorted(os.listdir())
        said = error_of(capsys, "lookup", "pig_turn", *words, *([] if "--results" in words else ["--results", results]))
        assert sorted(os.listdir()) == before
        return said.removeprefix("error: ").removesuffix("\n")

    return run


@pytest.mark.parametrize(("source", "target"), [("csv", "arrow"), ("parquet", "csv"), ("arrow", "parquet")])
def test_rows_keep_their_order_in_every_kind_of_file(ask, db, monkeypatch, source, target):
    monkeypatch.setattr(files, "AT_ONCE", 2)
    frame = pa.table({"sides": [6, 6, 6, 4, 6], "turn_total": TOTALS})
    WRITE[source](frame, f"in.{source}")
    assert "4 of 5 positions answered, 1 not in the table" in ask(f"in.{source}", f"out.{target}")
    found = read(f"out.{target}").to_pylist()
    assert [row | {"action": row["action"] or None} for row in found] == db.lookup_many("pig_turn", frame).to_pylist()


@pytest.mark.parametrize("totals", [TOTALS, []])
def test_streams_and_files_without_rows_are_answered(ask, totals):
    frame = pa.table({"turn_total": pa.array(totals, pa.int32())})
    pq.write_table(frame, "in.parquet")
    with pa.ipc.new_stream("in.arrow", frame.schema) as stream:
        stream.write_table(frame)
    for source in ("in.parquet", "in.arrow"):
        ask(source, "out.parquet")
        found = read("out.parquet")
        assert found["turn_total"].to_pylist() == totals
        assert found.column_names == ["turn_total", "value", "action", "margin", "status"]


def test_strict_refuses_the_first_unknown_position_and_writes_nothing(ask, refused, monkeypatch):
    monkeypatch.setattr(files, "AT_ONCE", 2)
    Path("in.csv").write_text("turn_total\n5\n\n1\n")
    pq.write_table(pa.table({"turn_total": TOTALS}), "in.parquet")
    for source, place in (("in.csv", "line 4"), ("in.parquet", "row 3")):
        said = refused("--from", source, "--to", "out.csv", "--strict")
        assert said == f"{source}: {place}: pig_turn has no turn_total=1"
    pq.write_table(pa.table({"turn_total": [20, 5]}), "in.parquet")
    ask("in.parquet", "out.parquet", "--strict")


def test_rows_of_actions_are_numbered_across_pieces(ask, monkeypatch):
    monkeypatch.setattr(files, "AT_ONCE", 2)
    pyarrow.csv.write_csv(pa.table({"turn_total": [19, 20, 21]}), "in.csv")
    assert "3 of 3 positions answered" in ask("in.csv", "out.csv", "--actions")
    assert read("out.csv")["row"].to_pylist() == [0, 0, 1, 1, 2, 2]


LATE = b"turn_total,note\n" + b"5,%d\n" % 10**17 * 220_000  # more than PyArrow reads before it settles the types
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
    (LATE + b"6,x\n", "in.csv: cannot be read as CSV: line 220002: note='x'; earlier rows have int64"),
    (b"", "in.csv: cannot be read as CSV: Empty CSV file"),
]


@pytest.mark.parametrize(("content", "message"), WRONG, ids=lambda x: x[:40] if isinstance(x, str) else "")
def test_a_wrong_csv_file_is_refused_with_its_line_and_the_target_stays(refused, content, message):
    Path("in.csv").write_bytes(content)
    Path("out.csv").write_text("mine")
    assert refused("--from", "in.csv", "--to", "out.csv") == message
    assert Path("out.csv").read_text() == "mine"


@pytest.mark.parametrize("more", [[], ["--actions"]])
def test_a_wrong_value_in_parquet_is_refused_with_its_row(refused, more):
    totals = ["5"] * (files.AT_ONCE + 1) + ["five"]
    pq.write_table(pa.table({"turn_total": totals[-3:] if more else totals}), "in.parquet")
    said = refused("--from", "in.parquet", "--to", "out.parquet", *more)
    assert said == f"in.parquet: row {3 if more else files.AT_ONCE + 2}: turn_total='five' is not a whole number"


BOTH = "give only --from FILE --to FILE"
UNKNOWN = "unknown kind of file; give a name that ends in .parquet, .csv"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--from in.csv", BOTH),
        ("--to out.csv", BOTH),
        ("--strict", BOTH),
        ("turn_total=5 --from in.csv --to out.csv", BOTH),
        ("--from none.csv --to out.csv", "none.csv: does not exist"),
        ("--from in.xls --to out.csv", f"in.xls: {UNKNOWN}"),
        ("--from in.csv --to out", f"out: {UNKNOWN}"),
        ("--from in.csv --to nowhere/deep/out.csv --results nowhere", "nowhere: does not exist"),
        ("--from text.parquet --to out.csv", "text.parquet: cannot be read as Parquet"),
        ("--from text.arrow --to out.csv", "text.arrow: cannot be read as Arrow"),
        ("--from other.csv --to out.csv", "'turn_totel' is not a parameter or state column; did you mean"),
        ("--from wide.csv --to out.csv", "1001 columns ('k0', 'k1', 'k2', ...) are not parameters"),
        ("--from folder.csv --to out.csv", "folder.csv: is not a file"),
        ("--from pipe.csv --to out.csv", "pipe.csv: is not a file"),
        ("--from in.csv --to folder.csv", "folder.csv: Is a directory"),
        ("--from in.csv --to /proc/out.csv", "/proc/out.csv: No such file or directory"),
    ],
)
def test_files_that_cannot_be_read_or_written_are_named(refused, folder, words, message):
    wide = f"turn_total,{','.join(f'k{i}' for i in range(1001))}\n5{',5' * 1001}\n"
    texts = {"in.csv": "turn_total\n5\n", "other.csv": "turn_totel\n5\n", "wide.csv": wide}
    for name, text in (texts | dict.fromkeys(("text.parquet", "text.arrow", "in.xls"), "no table at all")).items():
        (folder / name).write_text(text)
    (folder / "folder.csv").mkdir()
    os.mkfifo("pipe.csv")
    assert message in refused(*words.split())
