"""Files of positions, answered in pieces; test_answers_agree.py compares the answers with other ways of asking."""

import os

import pyarrow as pa
import pyarrow.csv
import pyarrow.feather
import pyarrow.ipc
import pyarrow.parquet as pq
import pytest

from dicebase.catalog.ask import files
from dicebase.cli import main
from support import commands

TOTALS = [20, 5, 1, 4, 20]
WRITE = {
    "csv": pyarrow.csv.write_csv,
    "parquet": pq.write_table,
    "arrow": lambda table, path: pyarrow.feather.write_feather(table, path, compression="uncompressed"),
}


def read(path):
    """A table of any kind."""
    if path.suffix == ".csv":
        return pyarrow.csv.read_csv(path)
    return pq.read_table(path) if path.suffix == ".parquet" else pa.ipc.open_file(path).read_all()


@pytest.fixture
def ask(results, tmp_path, capsys):
    """Runs `dicebase lookup pig_turn --from SOURCE --to TARGET`."""

    def run(source, target, *words):
        code = main(
            ["lookup", "pig_turn", "--from", str(source), "--to", str(target), "--results", str(results), *words]
        )
        return code, capsys.readouterr()

    return run


@pytest.mark.parametrize(("source", "target"), [("csv", "arrow"), ("parquet", "csv"), ("arrow", "parquet")])
def test_rows_keep_their_order_in_every_kind_of_file(ask, db, tmp_path, monkeypatch, source, target):
    monkeypatch.setattr(files, "AT_ONCE", 2)
    frame = pa.table({"sides": [6, 6, 6, 4, 6], "turn_total": TOTALS})
    WRITE[source](frame, tmp_path / f"in.{source}")
    code, said = ask(tmp_path / f"in.{source}", tmp_path / f"out.{target}")
    assert code == 0 and "4 of 5 positions answered, 1 not in the table" in said.out
    found = read(tmp_path / f"out.{target}").to_pylist()
    assert [row | {"action": row["action"] or None} for row in found] == db.lookup_many("pig_turn", frame).to_pylist()


def test_an_arrow_stream_is_answered(ask, tmp_path):
    with pa.ipc.new_stream(tmp_path / "in.arrow", pa.schema([("turn_total", pa.int32())])) as stream:
        stream.write_table(pa.table({"turn_total": pa.array(TOTALS, pa.int32())}))
    assert ask(tmp_path / "in.arrow", tmp_path / "out.parquet")[0] == 0
    assert read(tmp_path / "out.parquet")["turn_total"].to_pylist() == TOTALS


def test_a_file_without_rows_is_answered(ask, tmp_path):
    pq.write_table(pa.table({"turn_total": pa.array([], pa.int32())}), tmp_path / "in.parquet")
    assert ask(tmp_path / "in.parquet", tmp_path / "out.parquet")[0] == 0
    out = read(tmp_path / "out.parquet")
    assert out.num_rows == 0 and out.column_names == ["turn_total", "value", "action", "margin", "status"]


def test_strict_refuses_the_first_unknown_position_and_writes_nothing(ask, tmp_path, monkeypatch):
    monkeypatch.setattr(files, "AT_ONCE", 2)
    pq.write_table(pa.table({"turn_total": TOTALS}), tmp_path / "in.parquet")
    code, said = ask(tmp_path / "in.parquet", tmp_path / "out.parquet", "--strict")
    assert code == 2 and said.err == f"error: {tmp_path / 'in.parquet'}: row 3: pig_turn has no turn_total=1\n"
    assert os.listdir(tmp_path) == ["in.parquet"]
    pq.write_table(pa.table({"turn_total": [20, 5]}), tmp_path / "in.parquet")
    assert ask(tmp_path / "in.parquet", tmp_path / "out.parquet", "--strict")[0] == 0


def test_an_existing_target_stays_until_all_rows_are_answered(ask, tmp_path):
    (tmp_path / "in.csv").write_text("turn_total\n5\nfive\n")
    (tmp_path / "out.csv").write_text("mine")
    code, said = ask(tmp_path / "in.csv", tmp_path / "out.csv")
    assert code == 2 and said.err == f"error: {tmp_path / 'in.csv'}: line 3: turn_total='five' is not a whole number\n"
    assert (tmp_path / "out.csv").read_text() == "mine" and sorted(os.listdir(tmp_path)) == ["in.csv", "out.csv"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--from", "in.csv"], "give only --from FILE --to FILE"),
        (["--to", "out.csv"], "give only --from FILE --to FILE"),
        (["--strict"], "give only --from FILE --to FILE"),
        (["turn_total=5", "--from", "in.csv", "--to", "out.csv"], "give only --from FILE"),
        (["--from", "none.csv", "--to", "out.csv"], "none.csv: does not exist"),
        (
            ["--from", "in.xls", "--to", "out.csv"],
            "in.xls: unknown kind of file; give a name that ends in .parquet, .csv",
        ),
        (["--from", "in.csv", "--to", "out"], "out: unknown kind of file"),
        (["--from", "in.csv", "--to", "nowhere/deep/out.csv", "--results", "nowhere"], "nowhere: does not exist"),
        (["--from", "text.parquet", "--to", "out.csv"], "text.parquet: cannot be read as Parquet"),
        (["--from", "text.arrow", "--to", "out.csv"], "text.arrow: cannot be read as Arrow"),
        (["--from", "other.csv", "--to", "out.csv"], "'turn_totel' is not a parameter or state column; did you mean"),
        (["--from", "wide.csv", "--to", "out.csv"], "1001 columns ('k0', 'k1', 'k2', ...) are not parameters"),
    ],
)
def test_errors_are_one_line(results, tmp_path, monkeypatch, capsys, words, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in.csv").write_text("turn_total\n5\n")
    (tmp_path / "other.csv").write_text("turn_totel\n5\n")
    (tmp_path / "wide.csv").write_text(f"turn_total,{','.join(f'k{i}' for i in range(1001))}\n5{',5' * 1001}\n")
    for name in ("text.parquet", "text.arrow", "in.xls"):
        (tmp_path / name).write_text("no table at all")
    before = sorted(os.listdir(tmp_path))
    folder = [] if "--results" in words else ["--results", results]
    assert message in commands.error_of(capsys, "lookup", "pig_turn", *words, *folder)
    assert sorted(os.listdir(tmp_path)) == before


def test_rows_of_actions_are_numbered_across_pieces(ask, tmp_path, monkeypatch):
    monkeypatch.setattr(files, "AT_ONCE", 2)
    pyarrow.csv.write_csv(pa.table({"turn_total": [19, 20, 21]}), tmp_path / "in.csv")
    code, said = ask(tmp_path / "in.csv", tmp_path / "out.csv", "--actions")
    assert code == 0 and "3 of 3 positions answered" in said.out
    assert read(tmp_path / "out.csv")["row"].to_pylist() == [0, 0, 1, 1, 2, 2]
