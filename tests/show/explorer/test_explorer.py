"""The explorer's data, and the answers that the page computes from them, compared with the catalogue's."""

import filecmp
import gzip
import json
import random
import re
import subprocess

import numpy as np
import pytest

import dicebase
from dicebase.show.explorer import PAGE
from dicebase.show.explorer.columns import below, write_block
from dicebase.show.explorer.site import write_data, write_explorer
from dicebase.tables.names import find_table
from dicebase.vocabulary import Layout, MissingTableError
from support import by_starts, commands, explorer_site, grids
from support.every_table import positions
from support.explorer_pages import DECIDED
from support.ways import same

PAST = [table for table, _ in DECIDED if table.endswith("_turn") and table != "hog_turn"]

NUMBERS = ["value", "regret", "lost", "gain"]
EXACT = 1e-12
"""The tolerance for values that the page computes itself, because it adds numbers in another order."""


def block(path):
    """(header, bytes of the columns) of a file."""
    content = gzip.decompress(path.read_bytes())
    size = int.from_bytes(content[:4], "little")
    return json.loads(content[4 : 4 + size]), content[4 + size :]


def question(db, table, given):
    """A position in the form in which the page asks for it."""
    parameters = {p["name"] for p in db.describe(table)["parameters"]}
    split = {in_: {n: v for n, v in given.items() if (n in parameters) == in_} for in_ in (True, False)}
    return {"table": table, "parameters": split[True], "state": split[False]}


def questions(db):
    """Positions and rolls of every table with decisions, at solved and smaller targets, and with changed points."""
    chance = random.Random(20)
    found = []
    for table, roll in DECIDED:
        sizes = (db.solved(table).match.answered_by or ("", ()))[1]
        for given in positions(db, table, roll)[1]:
            found.append(question(db, table, given))
            smaller = {n: chance.randint(1, given[n]) for n in sizes if n in given and n != "slots"}
            moved = {n: v + chance.choice([-50, -1, 1, 50]) for n, v in given.items() if n in ("me", "banked", "free")}
            found += [question(db, table, given | smaller), question(db, table, given | moved)]
            if table in PAST:
                total = next(iter(db.describe(table)["columns"]))["name"]
                found.append(question(db, table, given | {total: given[total] + chance.randrange(0, 10_000, 50)}))
    return found


def test_the_page_answers_as_the_catalogue(db, data):
    asked = questions(db)
    answers = explorer_site.node("explorer_lookup.mjs", data, lines=asked)
    answered, pasts = {}, 0
    for q, ours in zip(asked, answers, strict=True):
        known = db.get(q["table"], **q["parameters"], **q["state"])
        assert (ours is None) == (known is None), q
        if ours is None:
            continue
        past = known.get("beyond", False)
        assert ours.get("beyond", False) == past
        pasts += past
        tolerance = EXACT if past or db.solved(q["table"]).match.layout is Layout.TWO_ACTIONS else 0
        tolerance *= max(1, abs(known["value"]))
        told = [[{n: a[n] for n in a if n not in NUMBERS} for a in answer["actions"]] for answer in (ours, known)]
        assert told[0] == told[1], q
        assert (ours["position"], ours["state"]) == (known["position"], known["state"])
        assert abs(ours["value"] - known["value"]) <= tolerance
        for a, b in zip(ours["actions"], known["actions"], strict=True):
            assert abs(a["value"] - b["value"]) <= tolerance and abs(a["regret"] - b["regret"]) <= tolerance, q
            assert [a.get(n, -1) for n in NUMBERS[2:]] == pytest.approx([b.get(n, -1) for n in NUMBERS[2:]], EXACT), q
        answered[q["table"]] = answered.get(q["table"], 0) + 1
    assert set(answered) == {table for table, _ in DECIDED}
    assert sum(answered.values()) > len(asked) / 3 and pasts > 50


def test_the_page_answers_from_the_starts_of_turns(tmp_path_factory, tmp_path):
    stored = [dicebase.open(by_starts.made(tmp_path_factory, store)) for store in ("starts", "rows")]
    with stored[0] as starts, stored[1] as rows:
        write_data(starts, tmp_path / "data")
        asked = [(table, given) for table in by_starts.TABLES for given in by_starts.positions(rows, table, 30)]
        asked.append(("ten_thousand_duel", by_starts.LAST_TURN))
        lines = [question(starts, *position) for position in asked]
        answers = explorer_site.node("explorer_lookup.mjs", tmp_path / "data", lines=lines)
        for (table, given), answer in zip(asked, answers, strict=True):
            same(answer, starts.lookup(table, **given))


def test_every_played_game_ends_and_asks_stored_positions(db, data):
    tables = [t["table"] for t in json.loads((data / "tables.json").read_text())["tables"]]
    lines = [{"table": t, "parameters": db.tables(t)[0]["parameters"]} for t in tables]
    lines.append({"table": "ten_thousand_duel", "parameters": {"rules": "pocket", "target": 300}})
    played = explorer_site.node("explorer_play.mjs", data, 4, lines=lines)
    without = ("dealer", "draws")
    unplayed = {t for t in tables if find_table(t).match == "long_run" or find_table(t).rules_class.family in without}
    assert {g["table"] for g in played if not g["played"]} == {"hog_hidden", "ten_times_eighteen_versus", *unplayed}
    for game in (g for g in played if g["played"]):
        assert game["over"].endswith(".") and game["expected"] == game["paid"]
        for state in game["states"]:
            assert db.get(game["table"], **game["parameters"], **state) is not None


def test_the_list_of_tables_describes_them(db, data):
    listed = json.loads((data / "tables.json").read_text())
    names = [t["table"] for t in listed["tables"]]
    assert names == [n for n in sorted({row["name"] for row in db.tables()}) if n in dict(DECIDED)]
    for name in names:
        contents = json.loads((data / name / "table.json").read_text())
        assert contents["citation"] and contents["title"] and contents["unit"] and contents["rules"]
        assert "before the roll" not in contents["value_is"]
        assert not any(f"`{other}`" in text for other in names for text in contents["rules"])
        assert all(c["description"] for c in (*contents["columns"], *contents["parameters"]))
        solved = {json.dumps(row["parameters"]): row for row in db.tables(name)}
        assert [json.dumps(v["parameters"]) for v in contents["variants"]] == list(solved)
        for number, variant in enumerate(contents["variants"]):
            row = solved[json.dumps(variant["parameters"])]
            assert (variant["value"], variant["error_bound"]) == (row["value"], row["error_bound"])
            assert block(data / name / f"{number}.bin")[0]["meta"]["kind"] == variant["kind"]


def test_matches_that_count_lost_turns_are_left_out(tmp_path):
    card = '{dice: 2, combinations: {"1": 100, "5": 50}, lost_in_row: [0, 100]}'
    tables = "{ten_thousand_race: [{rules: in_row, target: 300}], ten_thousand_long_run: [{rules: in_row}]}"
    config = f"definitions: {{ten_thousand: {{rules: {{in_row: {card}}}}}}}\ntables: {tables}"
    page = write_explorer(grids.build(tmp_path / "results", config))
    listed = json.loads((page.parent / "data/tables.json").read_text())["tables"]
    assert [t["table"] for t in listed] == ["ten_thousand_long_run"]


def test_small_numbers_become_words(tmp_path):
    script = """import {costText, lossText, valueText} from "%s";
    const costs = [3e-16, 1e-9, 2e-6, 0.000031, 0.0107].map(regret => costText({regret}, "probability"));
    console.log(JSON.stringify([...costs, lossText(7.1e-3, "probability"), lossText(1e-5, "points"),
        valueText(1e-7, "probability"), valueText(1 - 1e-7, "probability"), valueText(1, "probability"),
        valueText(-0.00000001, "points", true)]));"""
    words = (explorer_site.SOURCE / "src/words.js").as_uri()
    done = subprocess.run(["node", "--input-type=module", "-e", script % words], capture_output=True, text=True)
    costs = ["0", "less than 0.0001", "0.0002", "0.0031", "1.07", "0.71 percentage points", "less than 0.0001 points"]
    assert json.loads(done.stdout) == [*costs, "< 0.01 %", "> 99.99 %", "100.00 %", "less than 0.0001"]


def test_blocks_are_small_and_as_long_as_their_header_says(data):
    sizes = {"f8": 8, "i4": 4, "u2": 2, "u1": 1}
    for path in data.rglob("*.bin"):
        header, columns = block(path)
        expected = 0
        for c in header["columns"]:  # a listed column is a list of distinct doubles, and an index into it for each row
            index = 1 if c["listed"] < 256 else 2 if c["listed"] < 65536 else 4
            expected += 8 * c["listed"] + c["length"] * (index if c["listed"] else sizes[c["type"]])
        assert len(columns) == expected < 1.2e6


def test_the_same_rows_give_the_same_block(tmp_path):
    columns = {"value": np.array([0.5, np.nan, -1e-300]), "label": np.array([-5, 2, 2**31 - 1], np.int32)}
    for name in ("one.bin", "two.bin"):
        assert write_block(tmp_path / name, {"kind": "é"}, columns | {"some": np.zeros(0)}) == 3 * 8 + 3 * 4
    assert filecmp.cmp(tmp_path / "one.bin", tmp_path / "two.bin", shallow=False)


def test_row_numbers_below_a_variant_are_those_of_the_table(db):
    part = db.solved("pig_turn").find({"sides": 6, "dice": 1}).part
    key = part.key({"sides": 6, "dice": 1})
    (level,) = below(part.row_numbers, key)
    assert level.label.tolist() == part.row_numbers.following(key)
    assert level.first.tolist() == [0, len(level.label)] and not level.child.any()


def test_a_board_opens_at_a_position_with_several_choices(db, data):
    for entry in json.loads((data / "tables.json").read_text())["tables"]:
        if start := entry["start"]:
            answer = db.lookup(entry["table"], **entry["parameters"], **start)
            names = ", ".join((*entry["parameters"], *start))
            ((most,),) = db.rows(
                f"SELECT max(n) FROM (SELECT count(*) n FROM {entry['table']}_actions GROUP BY {names})"
            )[1]
            assert len(answer["actions"]) >= min(2, most), entry["table"]


def test_a_test_without_a_browser_fails_where_one_is_required(monkeypatch):
    monkeypatch.setenv("DICEBASE_BROWSER", "1")
    with pytest.raises(pytest.fail.Exception, match="there is no Chromium"):
        explorer_site.without("Chromium")


def test_a_new_explorer_replaces_the_old_one(results_copy, capsys):
    assert write_explorer(results_copy) == results_copy / "explorer" / "index.html"
    before = {p.relative_to(results_copy): p.read_bytes() for p in (results_copy / "explorer").rglob("*.*")}
    (results_copy / "explorer" / "data" / "stray").touch()
    done = commands.job(results_copy, "explorer", "--results", results_copy)
    assert done.returncode == 0, done.stdout
    after = {p.relative_to(results_copy): p.read_bytes() for p in (results_copy / "explorer").rglob("*.*")}
    assert after == before
    assert not (results_copy / "explorer" / "data" / "stray").exists()
    assert not [p for p in results_copy.iterdir() if p.name.startswith(".explorer")]
    with pytest.raises(MissingTableError, match="does not exist"):
        write_explorer(results_copy / "none")
    done = commands.job(results_copy, "explorer", "--results", "none")
    assert done.returncode == 2 and done.stdout.startswith("error: none: does not exist")


def test_the_shipped_page_is_built_from_its_sources(tmp_path_factory, tmp_path):
    sources = explorer_site.packages(tmp_path_factory)
    subprocess.run(["node", "build.mjs", tmp_path], cwd=sources, check=True)
    shipped = sorted(p.name for p in PAGE.iterdir())
    assert sorted(p.name for p in tmp_path.iterdir()) == shipped
    assert filecmp.cmpfiles(tmp_path, PAGE, shipped, shallow=False)[1:] == ([], [])


def test_the_page_is_small_and_loads_nothing_from_elsewhere():
    assert sum(len(gzip.compress(p.read_bytes())) for p in PAGE.iterdir()) < 250_000
    package = json.loads((explorer_site.SOURCE / "package.json").read_text())
    versions = {**package["dependencies"], **package["devDependencies"]}
    assert all(re.fullmatch(r"\d+\.\d+\.\d+", v) for v in versions.values())
    lock = (explorer_site.SOURCE / "package-lock.json").read_text()
    assert "resolved" not in lock and "://" not in re.sub(r'"url": "[^"]*"', "", lock)
    page = (PAGE / "index.html").read_text()
    assert "default-src 'none'" in page and "connect-src 'self'" in page and "http:" not in page
    named = (PAGE / "LICENSES.txt").read_text()
    assert all(name in named for name in package["dependencies"])
