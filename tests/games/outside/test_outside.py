"""Games that others have published, as rules files of their own, against independent values."""

import re
from fractions import Fraction
from pathlib import Path

import pytest

import dicebase
from dicebase import games
from dicebase.cli import main
from dicebase.show.explorer.site import write_data
from dicebase.show.play import play
from dicebase.tables.names import find_table
from dicebase.vocabulary import ConfigurationError
from reference import exact_boards
from support import explorer_site
from support.own_games import known

ROOT = Path(games.__file__).parent
GAMES = Path(__file__).with_name("games")


def solved(table, **parameters):
    """(the row of the view `tables`, {state: (value, best action)}) of a table."""
    with known(GAMES), dicebase.solve(table, **parameters) as found:
        (row,) = found.sql("SELECT value, error_bound, exact, error_bound_proof FROM tables").fetchall()
        columns = [c.name for c in find_table(table).rules_class.columns]
        rows = found.sql(f"SELECT {', '.join(columns)}, value, action FROM {table}").fetchall()
    return row, {row[:-2]: row[-2:] for row in rows}


def test_frozen_lake_without_discount_is_14_of_17():
    (value, bound, exact, proof), rows = solved("frozen_lake_goal")
    assert abs(Fraction(value) - Fraction(14, 17)) <= bound < 2e-13 and exact is None
    assert proof.endswith("endless play pays 0; components in which play can wait: (0, 0) of 4")
    assert len(rows) == 11 and [rows[x, 0][1] for x in range(4)] == ["left", "up", "up", "up"]


def test_taxi_earns_7_93_and_less_with_a_discount():
    (value, bound, *_), rows = solved("taxi_points")
    assert round(value, 2) == 7.93
    # Without chance the points of a drive tell its moves, each of which costs a point of the 20, with a discount less.
    (_, bound, *_), with_discount = solved("taxi_discounted")
    share, moves = Fraction(99, 100), {state: 21 - round(points) for state, (points, _) in rows.items()}
    worth = {s: 20 * share ** (n - 1) - (1 - share ** (n - 1)) / (1 - share) for s, n in moves.items()}
    assert all(abs(Fraction(with_discount[s][0]) - x) <= bound < 1e-12 for s, x in worth.items())


@pytest.mark.parametrize(("red", "black", "bold"), [(18, 20, True), (3, 2, False)])
def test_red_and_black_is_bold_if_bets_are_unfair_and_timid_otherwise(red, black, bold):
    goal = 12
    (_, bound, *_), rows = solved("red_and_black_goal", goal=goal, red=red, black=black)
    win, moves = Fraction(red, red + black), {}
    for coins in range(1, goal):
        bet = min(coins, goal - coins) if bold else 1
        ends = coins + bet == goal, coins == bet
        won, lost = (None if end else x for end, x in zip(ends, (coins + bet, coins - bet), strict=True))
        moves[coins] = [(win, won, int(won is None), 1), (1 - win, lost, 0, 1)]
    exact = exact_boards.earned(moves)
    for coins in rows:
        assert abs(Fraction(rows[coins][0]) - exact[coins[0]]) <= bound < 1e-13


def test_play_review_and_a_trial_say_what_is_rolled(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("builtins.input", lambda _: "stand")
    (tmp_path / "game.csv").write_text("dealer_win\nroll,action,roll,action\na 4,draw,a 5,stand\n")
    with known(GAMES), dicebase.solve("dealer_win") as table:
        play(table.catalog, "dealer_win", {}, 1)
        assert re.search(
            r"   You roll a \d+\.\n\ntotal=(\d+)\n(.|\n)*   You roll a \d+, a \d+.* or .*\.\n\nYou",
            capsys.readouterr().out,
        )
        steps = table.catalog.review(tmp_path / "game.csv")["steps"]
        assert [step["text"] for step in steps] == ["a 4", "draw", "a 5", "stand"]
        write_data(table.catalog, tmp_path / "data")
        (game,) = explorer_site.node(
            "explorer_play.mjs", tmp_path / "data", 1, lines=[{"table": "dealer_win", "parameters": {}}]
        )
        assert re.fullmatch(r"a \d+", game["texts"][0])
        assert main(["try", str(GAMES / "dealer.py"), "--seed", "3"]) == 0
    tried = capsys.readouterr().out
    assert "Beat the Dealer: 10 random moves of dealer_win\n   a 4: total=4\n   first player: draw\n" in tried
    assert tried.endswith("    0         10\n    1         10\n    2          1\n21 in all\n")


def test_a_trial_takes_parameters_and_refuses_other_files(capsys):
    with known(GAMES):
        assert main(["try", str(GAMES / "red_and_black.py"), "goal=20", "--seed", "1"]) == 0
        out = capsys.readouterr().out
        assert "red_and_black_goal goal=20 red=18 black=20" in out and out.endswith("19 in all\n")
        assert main(["try", str(ROOT / "hypergammon.py"), "checkers=1", "--seed", "1"]) == 0
        assert "10 random moves of hypergammon_points checkers=1\n" in capsys.readouterr().out
        for words, why in ((["nowhere.py"], "is not a rules file"), ([str(ROOT / "pig.py")], "only games that state")):
            assert main(["try", *words]) == 2 and why in capsys.readouterr().err


def test_tables_that_do_not_follow_endless_play_are_refused():
    with known(GAMES), pytest.raises(ConfigurationError, match="is not made for rules that state `unending`"):
        dicebase.solve("frozen_lake_goal_distribution")
