"""docs/why/audit.md has the numbers of the audit, those of its findings are computed, and statements have tests."""

import re
from collections import Counter
from fractions import Fraction

import yaml

from dicebase.audit.findings import findings
from dicebase.audit.record import PRINTED
from reference import ten_thousand as paper
from support import papers_crocce_mordecki as cm
from support.audit_page import FINDINGS, PAGE, table
from support.audited_grid import audit
from support.commands import ROOT
from support.printed import decimals, read


def test_the_page_counts_the_numbers_and_the_differences(audited):
    verdicts = Counter(row["verdict"] for row in audited.values())
    assert verdicts == {"agrees": 3267, "rounding": 17, "misprint": 11, "different quantity": 2, "illegible": 215}
    # Stacks in Backgammon, finite decks, Yahtzee and video poker are not in `audited`; they have tests of their own.
    alone = {"Peelle", "Shackleford, appendix 9"}
    elsewhere = [cell for name in ("boards", "blackjack") for cell in read(name) if cell["source"] in alone]
    elsewhere += [*read("yahtzee"), *read("video_poker"), *read("blackjack_edges")]
    compared = verdicts.total() - verdicts["illegible"] + len(elsewhere)
    differ = verdicts["rounding"] + verdicts["misprint"] + verdicts["different quantity"]
    differ += len(table("Yahtzee: what differs"))
    alone |= {row["source"] for name in ("video_poker", "blackjack_edges") for row in read(name)}
    differ += sum(source in alone for source, *_ in findings())
    sources = {row["source"] for row in [*audited.values(), *elsewhere]}
    said = " ".join(PAGE.split())
    assert f"We compared {compared} numbers printed in {len(sources)} papers, programs and web pages" in said
    assert f"{differ} differ." in said


def test_the_default_tables_get_the_same_verdicts(default_results, audited):
    """Compare the cells that both audits have; test_stacks.py audits the stacks in Backgammon."""
    rows = {(row["source"], row["place"], row["cell"]): row for row in audit(default_results)}
    assert {source for source, *_ in rows.keys() - audited.keys()} == {"Peelle"}
    both = rows.keys() & audited.keys()
    assert len(both) > len(audited) // 2
    assert [rows[name]["verdict"] for name in both] == [audited[name]["verdict"] for name in both]


FIELDS = {"bocker_table3": 2, "crocce_mordecki_table1": 2, "crocce_mordecki_table4": 2, "crocce_mordecki_table5": 8}
FIELDS |= {"forbidden_multiple_values": 2, "tijms_table_1": 3, "tijms_table_2": 2, "tijms_table_4": 2}
# Cells of table 6 also have an action, except 21 dashes. Four numbers of the text give a place, six are settings of a
# program.
LESS = {"crocce_mordecki_table6": -252 + 21, "tijms_text": 4, "forbidden_multiple_numbers": 6}
# Three attempts of three events, large bear-offs, Hypergammon with three checkers, large games of Liar's dice and
# Farkle to 10,000 take too long; test_stacks.py audits the stacks of Peelle, tests/games/blackjack appendix 9 of
# Shackleford.
LESS |= {"boards": 13, "blackjack": 330, "hidden": 10, "house_rules": 1}
NOT_HERE = ("yahtzee", "video_poker", "blackjack_edges")


def test_every_printed_number_is_audited(audited):
    files = {path.stem for path in PRINTED.glob("*.csv")} - {"sources", "statements", *NOT_HERE}
    numbers = sum(len(read(name)) * FIELDS.get(name, 1) - LESS.get(name, 0) for name in files)
    assert len(audited) == numbers


def test_the_numbers_of_the_explanations_are_computed():
    readings = paper.restricted_value(["m5"], compose=True), paper.grouped_algorithm(("0", "5"))[2]
    values = [*(decimals(value, 6) for value in readings)]
    for tau in (3, 4):
        q = cm.q_values(tau, (2, 0, 0), 2)
        values += [decimals(q["m5"], 3), decimals(q["r"], 3)]
        assert q["m5"] == cm.rolled()[tau - 1, 3]
    values += [decimals(cm.rolled()[3, 2], 3), decimals(sum(Fraction("1.0646") ** k for k in range(2, 7)), 3)]
    assert [value for value in values if value not in FINDINGS] == []


def defined_tests():
    """The names of all tests of the project."""
    files = sorted((ROOT / "tests").rglob("test_*.py"))
    return set(re.findall(r"^def (test_\w+)\(", "\n".join(path.read_text(encoding="utf-8") for path in files), re.M))


def test_every_statement_and_finding_names_an_existing_test():
    rows = read("statements")
    assert {row["test"] for row in rows if row["test"]} <= defined_tests()
    # A statement whose number is in a table needs no test.
    assert [row["place"] for row in rows if not row["test"]] == ["sections 2.1 and 3.2"]
    findings = yaml.safe_load((PRINTED / "findings.yaml").read_text(encoding="utf-8"))
    assert {entry["proof"] for entry in findings} <= defined_tests()
