"""The audit refuses a disagreement without a finding, a finding without a disagreement, and an incomplete finding.

A printed number agrees with ours if ours rounds to it; words, whole numbers and fractions must be equal."""

import shutil

import duckdb
import pytest

from dicebase.audit import findings as findings_module
from dicebase.audit import record, store
from dicebase.audit.findings import findings, is_rounding
from dicebase.audit.record import Ours, agrees, text
from dicebase.vocabulary import DicebaseError

PLACES = store.PLACES


@pytest.fixture
def connection(default_results):
    with duckdb.connect(str(default_results / "dicebase.duckdb"), read_only=True, config={"threads": 1}) as connection:
        yield connection


@pytest.fixture
def edit(tmp_path, monkeypatch):
    """Replace one text in a copy of the printed numbers; the caches are cleared before and after the test."""
    folder = shutil.copytree(record.PRINTED, tmp_path / "printed")
    monkeypatch.setattr(record, "PRINTED", folder)
    monkeypatch.setattr(findings_module, "PRINTED", folder)

    def edit(name, old, new):
        content = (folder / name).read_text(encoding="utf-8")
        assert content.count(old) == 1, content.count(old)
        (folder / name).write_text(content.replace(old, new), encoding="utf-8")

    for cached in (record.read, findings):
        cached.cache_clear()
    yield edit
    for cached in (record.read, findings):
        cached.cache_clear()


# (beginning of the place, file without .csv, text in it, other text, a word of the message)
CHANGED = [
    ("Table 5, scores", "crocce_mordecki_table5", "2,0,0,2,2,2,,1,12,96,600", "2,0,0,2,2,2,,1,12,96,601", "f(5, i)"),
    ("Table 6, values", "crocce_mordecki_table6", "\n1,n4,4.338,r", "\n1,n4,4.339,r", "tau = 1, n4, value"),
    ("output, values", "forbidden_multiple_values", "\n3,13.846,roll", "\n3,13.846,stop", "policy at 3"),
    ("Table 2, expected score", "bocker_table2", "2,611.45000", "2,611.45001", "slot 2 taken"),
    ("numbers of the text and of", "bocker_numbers", "fig1_total,698", "fig1_total,2000", "fig1_total"),
    ("Table 2, fewest", "tijms_table_2", "36,1.4400,2", "36,1.4400,3", "d(36)"),
    ("numbers of the text", "tijms_text", "pure_below,G-13", "pure_below,G-12", "pure_below"),
    ("Piglet to 2", "pig", "opponent=2 turn_total=0,mover wins,2/5", "opponent=2 turn_total=0,mover wins,3/7", "me=0"),
    # Findings explain these two: the first must equal another quantity, the second is an average of random games.
    ("against hold at 20", "pig", ",58.74", ",58.75", "58.75 is not the value of the other quantity"),
    ("numbers of the text and", "bocker_numbers", "642.272639", "643.272639", "643.272639 is not a rounding"),
]


@pytest.mark.parametrize(("place", "file", "old", "new", "word"), CHANGED)
def test_audit_refuses_a_changed_number(connection, edit, monkeypatch, place, file, old, new, word):
    edit(f"{file}.csv", old, new)
    monkeypatch.setattr(store, "PLACES", [p for p in PLACES if p["place"].startswith(place)])
    refuses(connection, word)


def refuses(connection, *words):
    with pytest.raises(DicebaseError) as error:
        store.audit_table(connection)
    assert all(word in str(error.value) for word in words) and "\n" not in str(error.value), error.value


M5 = 'cells: ["m5, value"]'
WRONG = {
    "missing finding": (M5, 'cells: ["m1, value"]', "Table 4, values of restricted games, m5, value"),
    "cell that agrees": (M5, 'cells: ["m5, value", "all, value"]', "all, value: a finding says 'misprint'"),
    "unknown cell": ('cells: ["E_5[2]"]', 'cells: ["E_5[2]", "E_6[2]"]', "E_6[2]"),
    "unknown place": ("place: Table 7, expected rolls, loaded dice", "place: Table 9", "E_5[2]"),
}


@pytest.mark.parametrize("name", WRONG)
def test_audit_refuses_findings_that_do_not_fit_the_cells(connection, edit, name):
    old, new, message = WRONG[name]
    edit("findings.yaml", old, new)
    refuses(connection, message)


def test_audit_refuses_a_rounding_of_more_than_the_last_digit(connection, edit):
    entry = (record.PRINTED / "findings.yaml").read_text(encoding="utf-8").partition("verdict: misprint")[0][-200:]
    edit("findings.yaml", f"{entry}verdict: misprint", f"{entry}verdict: rounding")
    refuses(connection, "m5, value", "not a rounding")


OTHER = 'target=100"\n  verdict: '


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [
        (M5, 'cells: ["m5, value", "m5, value"]', "m5, value"),
        ("note: The example repeats the row of (G-1, G-3) of Table 5.", "note: ''", "numbers of the text"),
        *(
            (f"{OTHER}different quantity", OTHER + said, "against hold at 20")
            for said in ("agrees", "illegible", "odd")
        ),
    ],
)
def test_findings_refuse_an_incomplete_or_repeated_entry(edit, old, new, place):
    edit("findings.yaml", old, new)
    with pytest.raises(DicebaseError, match=place):
        findings()


def test_rounding_is_less_than_the_last_digit_or_five_standard_errors():
    assert is_rounding("0.085", Ours(0.0855378, "")) and not is_rounding("0.085", Ours(0.0861, ""))
    assert is_rounding("0.534951", Ours(0.534698, "", standard_error=0.0005))
    assert not is_rounding("0.54", Ours(0.534698, "", standard_error=0.0005))
    assert not is_rounding("5", Ours("4", ""))


@pytest.mark.parametrize(
    ("printed", "ours", "same"),
    [
        ("0.5", Ours(0.54999, ""), True),
        ("0.5", Ours(0.55001, ""), False),
        ("0.50", Ours(0.54999, ""), False),
        ("3.99e18", Ours(3.9852e18, ""), True),
        ("3.99e18", Ours(3.98e18, ""), False),
        ("4/7", Ours(4 / 7, ""), False),  # a double equals a fraction only within its error bound
        ("4/7", Ours(4 / 7, "", 1e-15), True),
        ("4/7", Ours(0.5714, "", 1e-15), False),
        ("1", Ours(0.9999999, ""), False),  # a number below 1 never rounds to certainty
        ("1", Ours(1.0, ""), True),
        ("-0.0649", Ours(-0.06491, ""), True),
        ("r", Ours("r", ""), True),
        ("r", Ours("m5", ""), False),
        ("2", Ours((1, 2), ""), True),
        ("3", Ours((1, 2), ""), False),
    ],
)
def test_a_number_agrees_if_ours_rounds_to_it(printed, ours, same):
    assert agrees(printed, ours) is same


def test_values_have_one_format():
    values = [7, "s", (2, 3), 0.1, 1.0, 1e-24, 5.872018918465641]
    assert [text(x) for x in values] == ["7", "s", "2 or 3", "0.1", "1", "1e-24", "5.87201891846564"]
