"""`dicebase cite` prints what others need to find and check a number."""

import hashlib
import json
import re

import pytest
import yaml

import dicebase
from dicebase.catalog.citation import YEAR, cite
from dicebase.cli import main
from dicebase.vocabulary import MissingTableError
from support.commands import ROOT


def fields(entry):
    return dict(re.findall(r"^  (\w+) = \{(.*)\},$", entry, re.M))


def test_an_entry_has_the_digest_of_the_certificate_and_the_version(db):
    row = next(row for row in db.tables("pig_turn") if row["parameters"] == {"sides": 6, "dice": 1})
    certificate = json.dumps({name: x for name, x in row.items() if name != "seconds"}, ensure_ascii=False)
    digest = hashlib.sha256(certificate.encode()).hexdigest()
    entry = cite(db, "pig_turn", None, {})
    assert entry.startswith(f"@misc{{dicebase-pig_turn-{digest[:8]},\n") and entry.endswith("\n}")
    said = fields(entry)
    assert f"certificate sha256:{digest}" in said["note"] and f"value {row['exact']} (points)" in said["note"]
    assert said["howpublished"].startswith(f"dicebase {dicebase.__version__}")
    assert said["title"].startswith(r"pig\_turn sides=6 dice=1 (Pig: ")
    release = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))["date-released"]
    assert said["year"] == str(YEAR) == release[:4]


def test_a_position_is_cited_with_its_value_and_advice(db, results, capsys):
    answer = db.lookup("pig_turn", turn_total=18)
    entry = cite(db, "pig_turn", "18", {})
    assert entry == cite(db, "pig_turn", None, {"turn_total": "18", "sides": "6"})
    note = fields(entry)["note"]
    assert note.startswith(rf"position 18 (turn\_total), value {answer['value']!r} (points), error at most ")
    assert answer["advice"].rstrip(".") in note and entry.count("{") == entry.count("}")
    assert main(["cite", "pig_turn", "18", "sides=6", "--results", str(results)]) == 0
    assert capsys.readouterr().out == f"{entry}\n"


def test_a_variant_without_a_certificate_is_refused(db):
    assert db.lookup("pig_turn", turn_total=18)
    with pytest.raises(MissingTableError, match="pig_turn is not solved for sides=7 dice=1"):
        cite(db, "pig_turn", None, {"sides": 7})
