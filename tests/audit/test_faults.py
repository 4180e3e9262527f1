"""What must not pass: an agreement that is none, a finding too few, a finding too many."""

import shutil

import duckdb
import pytest

from dicebase.audit import findings as findings_module
from dicebase.audit import record, store
from dicebase.audit.findings import Finding, findings, is_rounding
from dicebase.audit.record import Ours, agrees, text
from dicebase.vocabulary import DicebaseError


@pytest.fixture
def connection(default_results):
    with duckdb.connect(str(default_results / "dicebase.duckdb"), read_only=True, config={"threads": 1}) as connection:
        yield connection


@pytest.fixture
def printed(tmp_path, monkeypatch):
    """A copy of what is printed, to be spoilt; nothing read from it is remembered afterwards."""
    folder = shutil.copytree(record.PRINTED, tmp_path / "printed")
    monkeypatch.setattr(record, "PRINTED", folder)
    monkeypatch.setattr(findings_module, "PRINTED", folder)
    record.read.cache_clear()
    findings.cache_clear()
    yield folder
    record.read.cache_clear()
    findings.cache_clear()


def edit(path, old, new):
    content = path.read_text(encoding="utf-8")
    assert content.count(old) == 1, content.count(old)
    path.write_text(content.replace(old, new), encoding="utf-8")


PLACES = store.PLACES


def refused(connection, *words):
    with pytest.raises(DicebaseError) as error:
        store.audit_table(connection)
    assert all(word in str(error.value) for word in words), error.value
    assert "\n" not in str(error.value)


# One changed digit of each source; the place, the line as it is and as it is made.
CHANGED = {
    "crocce_mordecki_table5": ("Table 5, scores", "2,0,0,2,2,2,,1,12,96,600", "2,0,0,2,2,2,,1,12,96,601", "f(5, i)"),
    "crocce_mordecki_table6": ("Table 6, values", "\n1,n4,4.338,r,value", "\n1,n4,4.339,r,value", "tau = 1, n4, value"),
    "forbidden_multiple_values": ("output, values", "\n3,13.846,roll", "\n3,13.846,stop", "policy at 3"),
    "bocker_table2": ("Table 2, expected score", "2,611.45000", "2,611.45001", "slot 2 taken"),
    "bocker_numbers": ("numbers of the text and of", "fig1_total,698", "fig1_total,2000", "fig1_total"),
    "tijms_table_2": ("Table 2, fewest", "36,1.4400,2", "36,1.4400,3", "d(36)"),
    "tijms_text": ("numbers of the text", "pure_below,G-13", "pure_below,G-12", "pure_below"),
    "pig": ("Piglet to 2", "opponent=2 turn_total=0,mover wins,2/5", "opponent=2 turn_total=0,mover wins,3/7", "me=0"),
}


@pytest.mark.parametrize("file", CHANGED)
def test_a_changed_number_is_named(connection, printed, monkeypatch, file):
    place, old, new, cell = CHANGED[file]
    edit(printed / f"{file}.csv", old, new)
    monkeypatch.setattr(store, "PLACES", [p for p in PLACES if p["place"].startswith(place)])
    refused(connection, cell, "is printed, ours is", "no finding explains it")


def test_a_missing_finding_is_named(connection, printed):
    edit(printed / "findings.yaml", 'cells: ["m5, value"]', 'cells: ["m1, value"]')
    refused(connection, "Table 4, values of restricted games, m5, value", "no finding")


def test_a_finding_of_a_cell_that_agrees_is_named(connection, printed):
    edit(printed / "findings.yaml", 'cells: ["m5, value"]', 'cells: ["m5, value", "all, value"]')
    refused(connection, "all, value", "a finding says 'misprint', but the cell is 'agrees'")


def test_a_finding_of_a_cell_that_is_not_there_is_named(connection, printed):
    edit(printed / "findings.yaml", 'cells: ["E_5[2]"]', 'cells: ["E_5[2]", "E_6[2]"]')
    refused(connection, "E_6[2]", "not there")


def test_a_finding_of_a_place_that_is_not_there_is_named(connection, printed):
    edit(printed / "findings.yaml", "place: Table 7, expected rolls, loaded dice", "place: Table 9")
    refused(connection, "E_5[2]")


def test_a_finding_twice_is_named(printed):
    edit(printed / "findings.yaml", 'cells: ["m5, value"]', 'cells: ["m5, value", "m5, value"]')
    with pytest.raises(DicebaseError, match="m5, value: occurs twice"):
        findings()


def test_a_finding_without_a_reason_is_named(printed):
    edit(printed / "findings.yaml", "note: The example repeats the row of (G-1, G-3) of Table 5.", "note: ''")
    with pytest.raises(DicebaseError, match="numbers of the text: needs a note"):
        findings()


@pytest.mark.parametrize("verdict", ["agrees", "illegible", "wrong"])
def test_a_verdict_that_cannot_be_found_is_refused(printed, verdict):
    edit(printed / "findings.yaml", 'target=100"\n  verdict: different quantity', f'target=100"\n  verdict: {verdict}')
    with pytest.raises(DicebaseError, match="against hold at 20: needs"):
        findings()


def test_what_is_no_rounding_is_not_called_so(connection, printed):
    content = (printed / "findings.yaml").read_text(encoding="utf-8")
    first = content.index("verdict: misprint")
    content = content[:first] + "verdict: rounding" + content[first + len("verdict: misprint") :]
    (printed / "findings.yaml").write_text(content, encoding="utf-8")
    refused(connection, "m5, value", "no rounding")


def test_a_number_of_another_quantity_has_to_be_that_one(connection, printed, monkeypatch):
    edit(printed / "pig.csv", ",58.74", ",58.75")
    monkeypatch.setattr(store, "PLACES", [p for p in PLACES if p["source"].startswith("Neller and")])
    refused(connection, "58.75 is not the value of the other quantity")


def test_an_average_too_far_from_the_mean_is_no_rounding(connection, printed, monkeypatch):
    edit(printed / "bocker_numbers.csv", "642.272639", "643.272639")
    monkeypatch.setattr(store, "PLACES", [p for p in PLACES if p["place"].startswith("numbers of the text and")])
    refused(connection, "643.272639 is not a rounding")


# --- the rules of agreement ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("printed", "ours", "same"),
    [
        ("0.5", 0.54999, True),
        ("0.5", 0.55001, False),
        ("0.50", 0.54999, False),
        ("3.99e18", 3.9852e18, True),
        ("3.99e18", 3.98e18, False),
        ("4/7", 4 / 7, False),  # a double is no fraction but within a bound
        ("1", 0.9999999, False),  # a certainty
        ("1", 1.0, True),
        ("-0.0649", -0.06491, True),
        ("r", "r", True),
        ("r", "m5", False),
        ("2", (1, 2), True),
        ("3", (1, 2), False),
    ],
)
def test_agreement(printed, ours, same):
    assert agrees(printed, Ours(ours, "")) is same


def test_a_bound_widens_equality():
    assert agrees("4/7", Ours(4 / 7, "", 1e-15)) and not agrees("4/7", Ours(0.5714, "", 1e-15))


def test_one_format():
    assert [text(x) for x in (7, "s", (2, 3), 0.1, 1.0, 1e-24, 5.872018918465641)] == [
        "7",
        "s",
        "2 or 3",
        "0.1",
        "1",
        "1e-24",
        "5.87201891846564",
    ]


def test_what_rounding_is():
    assert is_rounding("0.085", Ours(0.0855378, "")) and not is_rounding("0.085", Ours(0.0861, ""))
    assert is_rounding("0.534951", Ours(0.534698, "", standard_error=0.0005))
    assert not is_rounding("0.54", Ours(0.534698, "", standard_error=0.0005))
    assert not is_rounding("5", Ours("4", ""))


def test_a_finding_is_a_verdict_with_a_note():
    assert all(isinstance(f, Finding) and f.note.endswith(")") for f in findings().values())
