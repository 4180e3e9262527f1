"""Games of hidden information in the explorer: what is covered, what came before, and a coach that knows bluffs."""

import pytest

from support.explorer_pages import DESK, choose, review, said, saved, show

CHANCE = "share => crypto.getRandomValues = numbers => numbers.fill(Math.floor(share * 2 ** 26))"
"""Let every draw of the page fall at this share of all weights."""
DEALS = ["JQ", "JK", "QJ", "QK", "KJ", "KQ"]  # of Kuhn poker, in the order of its rules
AFTER_CHECK = {"player": 2, "history": "check"}


def play_as_second(page):
    """Begin new games until the player moves second."""
    while "Player: 2" not in page.locator(".coach .headline").inner_text():
        page.get_by_role("button", name="New game").click()
        page.wait_for_function("!document.querySelector('.log .end')")


@pytest.fixture
def second(page, address):
    """A function that opens Kuhn poker for the second player with these cards, until the player decides."""

    def deal(cards):
        page.evaluate(CHANCE, (DEALS.index(cards) + 0.5) / len(DEALS))
        play_as_second(page)

    show(page, address, "kuhn_poker_duel", {}, play=True)
    return deal


def test_the_opponents_card_is_covered_and_the_mix_and_the_history_are_said(page, address, db):
    show(page, address, "kuhn_poker_duel", {**AFTER_CHECK, "card": "J"})
    assert page.get_by_role("img", name="Card: J").is_visible()
    assert page.get_by_role("img", name="Opponent’s: 1 covered").is_visible()
    page.get_by_text("So far the opponent: check.").wait_for()
    # Kuhn: after a check, player 2 bets one time in three with a jack, always with a king, and never with a queen.
    assert "Mix: check 66.7 %, bet 33.3 %." in said(page)
    assert page.get_by_text("Bet is a bluff: the table does it 33 % of the time.").count() == 1
    for card in "QK":
        show(page, address, "kuhn_poker_duel", {**AFTER_CHECK, "card": card})
        page.get_by_text("So far the opponent: check.").wait_for()
        assert page.get_by_text("a bluff").count() == 0


@pytest.mark.parametrize("page", [{"viewport": DESK}], indirect=True)
def test_a_bluff_is_no_mistake_and_all_is_shown_at_the_end(page, second, db, tmp_path):
    second("QJ")
    assert (
        page.get_by_role("img", name="Opponent’s: 1 covered").is_visible()
        and "Q" not in page.locator(".log").inner_text()
    )
    choose(page, page.locator(".moves").get_by_role("button", name="bet"))
    assert "a bluff: the table does it 33 % of the time" in page.locator(".log").inner_text()
    assert "1 of 1 decision was the best; mistakes cost nothing" in page.locator(".sum").inner_text()
    assert page.get_by_role("img", name="Opponent’s: Q").is_visible()
    assert page.locator(".log .end").inner_text().endswith("The opponent had: card Q.")
    known = db.review(saved(page, "Save as CSV", tmp_path / "game.csv"))
    assert known["ended"] and [s["text"] for s in known["steps"] if s["what"] == "action"][:2] == ["check", "bet"]
    assert not any(s["best"] for s in known["steps"])


def test_an_action_with_regret_is_a_mistake(page, second, db):
    second("JQ")
    choose(page, page.locator(".moves").get_by_role("button", name="bet"))
    regret = next(
        a["regret"] for a in db.lookup("kuhn_poker_duel", **AFTER_CHECK, card="Q")["actions"] if a["action"] == "bet"
    )
    assert regret > 0 and page.locator(".log .wrong").inner_text() == f"costs {regret:.3f} antes"
    assert "bluff" not in page.locator(".log").inner_text() and page.get_by_text("Best: check.").count() == 1


def test_a_choice_made_at_once_is_covered_until_the_end(page, address):
    show(page, address, "goofspiel_duel", {"cards": 2}, play=True)
    play_as_second(page)
    theirs = page.locator(".log .theirs .thrown")
    assert theirs.all_inner_texts() == ["covered"]
    choose(page, page.locator(".moves button").first)
    assert set(theirs.all_inner_texts()) == {"1", "2"} and "all is shown" in page.locator(".log").inner_text()


def test_a_recorded_game_is_reviewed_with_what_each_player_knew(page, address):
    review(page, address, "kuhn_poker_duel\nplayer,roll,action\n,QJ,\nAnn,,bet\nBob,,call\n")
    assert page.locator(".worst li").inner_text().split("\n\n")[:2] == ["Ann: bet costs 0.167 antes.", "Best: check."]
    turns = page.locator(".line-of-play li").all_inner_texts()
    assert [turn.split()[0] for turn in turns[:3]] == ["Ann", "Bob", "Bob"] and "what this player knows" in turns[1]
    assert "all is shown" in turns[2] and turns[3] == "It is over: 2 antes."
    page.get_by_label("Game and aim").select_option("kuhn_poker_duel")
    page.get_by_role("button", name="Record by clicks").click()
    for name in ("KQ", "bet", "fold"):
        choose(page, page.locator(".choices.moves").get_by_role("button", name=name))
    written = ["kuhn_poker_duel", "player,roll,action", "First,KQ,", "First,,bet", "Second,,fold", ""]
    assert page.get_by_label("Record as CSV").input_value().split("\n") == written
