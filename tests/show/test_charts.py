"""Strategy charts of tables: the grid, its exceptions, and the files."""

import pytest

from dicebase.catalog.lookup import Catalog
from dicebase.pipeline.solve_one import solve_one
from dicebase.show import charts
from dicebase.vocabulary import ConfigurationError
from support.every_table import every_table


@pytest.fixture(scope="module")
def catalog(tmp_path_factory):
    with Catalog(every_table(tmp_path_factory)) as opened:
        yield opened


@pytest.mark.slow
def test_the_chart_of_an_infinite_deck_has_no_exceptions_and_that_of_one_deck_has(catalog, tmp_path):
    chart = charts.write_chart(catalog, "blackjack_return", {}, tmp_path / "chart.txt")
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
    charts.write_chart(catalog, "blackjack_totals", {}, tmp_path / "chart.png")
    assert (tmp_path / "chart.png").read_bytes().startswith(b"\x89PNG")


def test_other_tables_and_files_are_refused(catalog, tmp_path):
    with pytest.raises(ConfigurationError, match="pig_turn: the positions of this table have no chart"):
        charts.write_chart(catalog, "pig_turn", {"sides": "4"}, tmp_path / "chart.txt")
    with pytest.raises(ConfigurationError, match="give a name that ends in"):
        charts.write_chart(catalog, "pig_turn", {"sides": "4"}, tmp_path / "chart.gif")
