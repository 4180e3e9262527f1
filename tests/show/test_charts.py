"""Strategy charts of tables: the grid, its exceptions, and the files."""

from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest
import yaml

from dicebase.catalog.lookup import Catalog
from dicebase.matches.deals.draws import DrawReturn
from dicebase.pipeline.solve_one import solve_one
from dicebase.show import charts
from dicebase.solvers.draws.holds import Holds
from dicebase.tables.follow.hold_list import ranked_holds
from dicebase.tables.names import find_table
from dicebase.vocabulary import NOTHING, ConfigurationError, read_cards
from dicebase.vocabulary.dice_and_cards.hand_classes import card_bits
from support.commands import ROOT
from support.every_table import every_table

GRID = every_table


@pytest.mark.slow
def test_the_chart_of_an_infinite_deck_has_no_exceptions_and_that_of_one_deck_has(db, tmp_path):
    chart = charts.write_chart(db, "blackjack_return", {}, tmp_path / "chart.txt")
    assert chart["exceptions"] == []
    row = [chart["cells"]["hard 12"][dealer] for dealer in chart["columns"]]
    assert chart["columns"] == ["2", "3", "4", "5", "6", "7", "8", "9", "10", "A"]
    assert row == ["hit"] * 2 + ["stand"] * 3 + ["hit"] * 5
    assert "no exceptions" in (tmp_path / "chart.txt").read_text(encoding="utf-8")
    # The best known exception with one deck: hit 10 2 against a 4.
    solve_one("blackjack_return", {"decks": "1"}, tmp_path / "one", [])
    with Catalog(tmp_path / "one") as one:
        chart = charts.write_chart(one, "blackjack_return", {"decks": "1"}, tmp_path / "chart.html")
    first = chart["exceptions"][0]
    assert (first["position"], first["action"], first["chart"]) == ("hand='10 2' dealer=4", "hit", "stand")
    assert first["cost"] == pytest.approx(0.017883, abs=5e-7)
    assert (tmp_path / "chart.html").read_text(encoding="utf-8").count("<tr>") == 1 + len(chart["rows"])
    # A page lists all exceptions, a terminal the first ones.
    assert (tmp_path / "chart.html").read_text(encoding="utf-8").count(">hand=") == len(chart["exceptions"]) > 400
    assert charts.as_text(chart).count("hand=") == charts.LISTED
    charts.write_chart(db, "blackjack_totals", {}, tmp_path / "chart.png")
    assert (tmp_path / "chart.png").read_bytes().startswith(b"\x89PNG")


def test_the_list_of_holds_of_a_short_deck_is_optimal(db, tmp_path):
    chart = charts.write_chart(db, "video_poker_return", {"pays": "short_deck"}, tmp_path / "list.txt")
    assert chart["cost"] == "0"
    first, second = chart["cells"]["1"], chart["cells"]["2"]
    assert (first["up to"], first["such as"]) == ("royal_flush", "As Ks Qs Js Ts")
    assert second["such as"] == "Ac Ad Ah As, Kc Kd Kh Ks, Qc Qd Qh Qs"
    assert "four_of_a_kind  Ah As, Kh Ks, Qh Qs" in (tmp_path / "list.txt").read_text(encoding="utf-8")
    charts.write_chart(db, "video_poker_return", {"pays": "short_deck"}, tmp_path / "list.html")
    assert "such as" in (tmp_path / "list.html").read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_list_of_holds_costs_what_others_print():
    # jazbo.com/videopoker/jacks96.html (1998): rules that look at discards "add only about 0.001%" to a list of holds.
    known = yaml.safe_load((ROOT / "config/cards.yaml").read_text(encoding="utf-8"))["definitions"]["video_poker"]
    rules = find_table("video_poker_return").build_rules({"pays": "jacks_or_better_9_6"}, known)
    solved = Holds(rules)
    rows = {"numbers": lambda key: np.arange(len(key[0])), "rows": lambda _, at: solved.paid[at]}
    kinds, cost = ranked_holds(DrawReturn(rules), SimpleNamespace(key=lambda _: [0], **rows), {})
    assert round(100 * cost, 3) == Fraction(1, 1000)
    # The same page prefers a suited jack and ten to an unsuited king and jack.
    place = {example: i for i, kind in enumerate(kinds) for example in kind.examples}
    assert place["Js Ts"] < place["Ks Jh"]
    # Follow the list hand by hand.
    classes, lost = solved.classes, 0
    by_rank = [classes.sums(solved.rank == i) for i in range(len(solved.names))]
    counts = [*map(tuple, np.stack([classes.sizes, *by_rank], axis=-1).tolist())]
    held = [classes.places(np.array([sum(card_bits(read_cards(kind.examples[0])))]))[0] for kind in kinds[:-1]]
    listed = {counts[at]: i for i, at in enumerate([*held, 0])}
    for hand, values in enumerate(solved.values.tolist()):
        taken = min((listed.get(counts[k], 99), value) for k, value in zip(classes.kept[hand], values, strict=True))
        lost += int(classes.deals[classes.hands[hand]]) * (max(values) - taken[1])
    assert kinds[-1].examples == [NOTHING] and Fraction(lost, solved.games) == cost


def test_other_tables_and_files_are_refused(db, tmp_path):
    with pytest.raises(ConfigurationError, match="have no chart; 'dicebase card pig' makes a card"):
        charts.write_chart(db, "pig_turn", {"sides": "4"}, tmp_path / "chart.txt")
    with pytest.raises(ConfigurationError, match="give a name that ends in"):
        charts.write_chart(db, "pig_turn", {"sides": "4"}, tmp_path / "chart.gif")
