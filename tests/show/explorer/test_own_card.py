"""Scoring cards that the page solves itself have the rolls of the rules and the answers of the tables."""

import json
from urllib.parse import quote

import pytest

from dicebase.families import family_of
from dicebase.games.ten_thousand import Rules
from dicebase.policies.card_of_turns import CardOfTurns
from dicebase.vocabulary import Definition
from support import explorer_site, grids
from support.explorer_pages import ranking, scrolls, show

SOURCES = explorer_site.SOURCE / "src"
NAMED = grids.DEFAULT["definitions"]["ten_thousand"]["rules"]
POCKET = {"dice": 3, "combinations": {"1": 100, "5": 50, "11": 300}}
CARDS = [
    *NAMED.values(),
    POCKET | {"keep": "any", "combinations": {"aa": 200, "ab": 10, "nothing": 500}},
    POCKET | {"combinations": {"1": 100, "nothing_first": 150}},
    POCKET | {"hot_dice": "forced", "least_bank": 300, "opening": 500, "keep": "any"},
    POCKET | {"hot_dice": "none", "of_a_kind": "added", "keep": "all"},
]


def solved(cards, positions=None):
    lines = [{"card": card, "switches": Rules.switches["rules"], "positions": positions} for card in cards]
    return explorer_site.node("explorer_turn.mjs", SOURCES, lines=lines)


def test_the_rolls_of_a_card_are_those_of_the_rules():
    for card, found in zip(CARDS, solved(CARDS), strict=True):
        known = json.loads(json.dumps(family_of(Rules).dice(Rules(Definition("mine", card)))))
        assert found["turn"] == known


def test_the_value_of_a_turn_is_that_of_rationals():
    cards = [NAMED["zilch"], *CARDS[-4:]]
    for card, found in zip(cards, solved(cards, []), strict=True):
        assert found["worth"] == pytest.approx(CardOfTurns.of(Rules(Definition("mine", card))).best, rel=1e-12)


def test_the_page_answers_as_the_table(db):
    """The table has rounded rationals; the page solves another recursion up to a larger total."""
    rows = db.sql("FROM ten_thousand_turn WHERE rules = 'pocket' AND moves = 'all'").fetchall()
    positions = [{"turn_total": total, "roll": roll} for _, _, total, roll, *_ in rows]
    (found,) = solved([POCKET], positions)
    (variant,) = (v for v in db.tables("ten_thousand_turn") if v["parameters"]["moves"] == "all")
    assert found["worth"] == pytest.approx(variant["value"], rel=1e-13)
    inside = [(p, answer) for p, answer in zip(positions, found["answers"], strict=True) if answer]
    assert len(inside) == len(positions)
    for position, answer in inside:
        known = db.lookup("ten_thousand_turn", rules="pocket", **position)
        assert [a["action"] for a in answer["actions"]] == [a["action"] for a in known["actions"]], position
        for ours, a in zip(answer["actions"], known["actions"], strict=True):
            assert ours["value"] == pytest.approx(a["value"], rel=1e-12) and ours["optimal"] == a["optimal"]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"sides": 6}, "this page does not know sides"),
        ({"keep": "some"}, "keep: some is no choice"),
        ({"dice": 7}, "dice: 7 is not a whole number from 1 to 6"),
        ({"combinations": {"aacc": 1}}, "aacc is not a combination"),
        ({"combinations": {"aaaa": 100}}, "aaaa needs more than 3 dice"),
        ({"combinations": {"1": 0}}, "1: 0 is not a whole number from 1 to 100000"),
    ],
)
def test_a_wrong_card_is_refused_in_a_sentence(wrong, said):
    (found,) = solved([POCKET | wrong])
    assert said in found["error"]


QUESTION = {"turn_total": 0, "roll": "115"}


def test_an_edited_card_is_solved_and_kept_in_the_link(page, address, db):
    show(page, address, "ten_thousand_turn", {"rules": "pocket", **QUESTION})
    known = page.locator(".answer tbody").inner_text(), page.locator(".rules").text_content()
    page.get_by_text("Edit a copy of this card").click()
    points = page.locator(".combinations").get_by_label("5", exact=True)
    for value, differs in (("60", True), ("50", False)):
        points.fill(value)
        points.press("Tab")
        page.wait_for_function(f"decodeURIComponent(location.hash).includes('\"5\":{value}')")
        page.wait_for_function("document.querySelector('footer').textContent.includes('Solved in this page')")
        ranking(page)
        assert (page.locator(".answer tbody").inner_text() != known[0]) == differs
    assert "rules=mine" in page.url and page.locator(".rules").text_content().startswith(known[1][:60])
    page.get_by_label("Keep", exact=True).select_option("any")
    page.wait_for_function('decodeURIComponent(location.hash).includes(\'"keep":"any"\')')
    free = ranking(page)
    assert {"keep 5, roll 2", "keep 1, bank"} <= {action for action, *_ in free}
    page.get_by_label("Another combination").fill("aaa")
    page.get_by_role("button", name="Add", exact=True).click()
    page.wait_for_function("decodeURIComponent(location.hash).includes('\"aaa\":100')")
    before = ranking(page)
    page.reload()
    assert ranking(page) == before and page.get_by_label("aaa", exact=True).input_value() == "100"
    assert scrolls(page) <= 0


def test_a_wrong_card_in_a_link_is_explained(page, address):
    card = quote(json.dumps(POCKET | {"combinations": {"1": 0}}))
    show(page, address, "ten_thousand_turn", {"rules": "mine", "card": card, **QUESTION})
    assert "1: 0 is not a whole number from 1 to 100000." in page.locator(".say").inner_text()
    show(page, address, "ten_thousand_turn", {"rules": "mine", "card": "%7B", **QUESTION})
    assert "The card of this link cannot be read." in page.locator("[role=alert]").first.inner_text()
