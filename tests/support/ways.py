"""Every way to ask for the actions of a position, and the assertion that all of them agree to the last bit."""

import csv
import json

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

from dicebase.cli import main
from dicebase.tables.names import find_table

ACTIONS = ("action", "q_value", "regret", "probability", "optimal", "undecided")
CLOSE = 1e-13


def macro(db, table, position):
    """The rows of the macro `<table>_at` as dicts, with the state passed by position, parameters by name."""
    described = db.describe(table)
    names = [p["name"] for p in (*described["parameters"], *(c for c in described["columns"] if "default" in c))]
    is_sheet = any(c["name"] == "rerolls_left" for c in described["columns"])
    names += ["dice", "roll"] if described["roll"] else ["roll", "rerolls_left"] * is_sheet
    said = {name: f"'{x}'" if isinstance(x, str) else str(x) for name, x in position.items()}
    given = [x for name, x in said.items() if name not in names]
    given += [f"{name} := {x}" for name, x in said.items() if name in names]
    columns, rows = db.rows(f"FROM {table}_at({', '.join(given)})")
    return [dict(zip(columns, row, strict=True)) for row in rows]


def actions_of(answer):
    """The actions of a lookup in the form of the macro's rows."""
    said = ({**a, "q_value": a["value"], "undecided": a.get("undecided", False)} for a in answer["actions"])
    return [{name: a[name] for name in ACTIONS} for a in said]


def row_of(answer, value):
    """The answer of a lookup as a row of `lookup_many`; all None if there is no answer."""
    if answer is None or not answer["actions"]:
        return {value: answer and answer["value"], **(answer or {}).get("values", {})}
    best = [a["action"] for a in answer["actions"] if a["probability"] == 1.0]
    # If two actions cannot be told apart, the first is chosen, even if rounding makes it look worse.
    regrets = sorted(a["regret"] for a in answer["actions"])
    margin = regrets[1] if best and len(regrets) > 1 else None
    return {"value": answer["value"], "action": best[0] if best else "mixed", "margin": margin}


def agree(db, client, table, asked, folder, capsys, sql=True):
    """Ask for positions one at a time, many at once, in files, by the macro if `sql`, on the command line and over
    HTTP; return the answers of lookups, None for no answer."""
    answers = [db.get(table, **position) for position in asked]
    match, frame = find_table(table).match_class, pa.Table.from_pylist(asked)
    decides, value = match.layout.decides, match.value.name
    many = db.lookup_many(table, frame).to_pylist()
    for position, answer, row in zip(asked, answers, many, strict=True):
        expected = row_of(answer, value)
        assert {name: row[name] for name in (*position, *expected)} == position | expected
        assert (row["status"] in ("answered", "beyond")) == (answer is not None)
        assert (row["status"] == "beyond") == bool(answer and answer.get("beyond"))
    answered = [(p, a) for p, a in zip(asked, answers, strict=True) if a is not None]
    by_text = [{n: x for n, x in p.items() if n in a["parameters"]} | {"position": a["position"]} for p, a in answered]
    assert [db.lookup(table, **given) for given in by_text[::3]] == [answer for _, answer in answered[::3]]
    rows = [{n: x for n, x in row.items() if n not in p} for p, a, row in zip(asked, answers, many, strict=True) if a]
    of_texts = [given | row for given, row in zip(by_text, rows, strict=True)]
    assert db.lookup_many(table, by_text).to_pylist() == of_texts
    for position, answer in answered[::3] if sql else ():
        found = macro(db, table, position)
        if decides:
            assert actions_of(answer) == [{name: row[name] for name in ACTIONS} for row in found]
        else:
            assert found == [{value: answer["value"], **answer.get("values", {})}]
    if decides:
        listed = db.lookup_many(table, frame, actions=True).to_pylist()
        expected = [action for a in answers for action in (actions_of(a) if a else [dict.fromkeys(ACTIONS)])]
        assert [{name: row[name] for name in ACTIONS} for row in listed] == expected
    _ask_files(db, table, frame, many, folder, capsys)
    for positions, expected in ((asked, many), (by_text, of_texts)):
        posted = client.post(f"/v1/{table}", json=positions[:16])
        assert posted.status_code == 200 and posted.json() == expected[:16]
    # Few positions, because the command line and HTTP start anew each time.
    for i, (position, answer) in enumerate(answered[::10]):
        given = by_text[10 * i]
        words = [f"{n}={x}" for n, x in (position if i % 2 else given).items() if n != "position"]
        words[:0] = [] if i % 2 or not answer["position"] else [answer["position"]]
        assert main(["lookup", table, *words, "--json", "--results", str(db.results)]) == 0
        assert json.loads(capsys.readouterr().out) == answer
        for params in (position, given):
            response = client.get(f"/v1/{table}", params=params)
            assert response.status_code == 200 and response.json() == answer
    return answers


def _ask_files(db, table, frame, many, folder, capsys):
    pq.write_table(frame, folder / "asked.parquet")
    pyarrow.csv.write_csv(frame, folder / "asked.csv")
    for source, target in (("asked.csv", "answers.parquet"), ("asked.parquet", "answers.csv")):
        words = ["--from", folder / source, "--to", folder / target, "--results", db.results]
        assert main(["lookup", table, *map(str, words)]) == 0
    capsys.readouterr()
    assert pq.read_table(folder / "answers.parquet").to_pylist() == many
    with open(folder / "answers.csv", newline="") as written:
        for row, known in zip(csv.DictReader(written), many, strict=True):
            texts = {name: "" if x is None else x for name, x in known.items()}
            assert {name: type(x)(row[name]) for name, x in texts.items()} == texts


def same(one, other):
    """Assert that two answers are equal, except for the last digits of numbers."""
    ours, theirs = ({a["action"]: a for a in answer["actions"]} for answer in (one, other))
    assert one["value"] == pytest.approx(other["value"], rel=CLOSE) and set(ours) == set(theirs)
    for action, a in ours.items():
        b, flags = theirs[action], ("probability", "optimal", "undecided")
        assert a["value"] == pytest.approx(b["value"], rel=CLOSE, abs=CLOSE)
        assert a["regret"] == pytest.approx(b["regret"], abs=CLOSE * max(1, abs(a["value"])))
        assert [a.get(name, False) for name in flags] == [b.get(name, False) for name in flags]
