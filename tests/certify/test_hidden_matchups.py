"""Matchups of hidden information: all pairs equal an enumeration in rationals, and altered numbers are refused."""

from fractions import Fraction

import pytest

from dicebase.matches.boards.board_matchups import BEST_RESPONSE
from dicebase.tables.layout import TABLES, VALUES
from dicebase.tables.parquet import open_parquet
from dicebase.tabulate.hidden import matchups as matchups_of
from dicebase.vocabulary import ConfigurationError
from reference.hidden import best_response, payoff
from support import grids
from support.contract_boards import build
from support.faults import refused, rewrite

GAMES = {
    "kuhn_poker_duel": {},
    "liars_dice_duel": {"faces": 2, "first": 1, "second": 1, "wild": "top"},
    "goofspiel_duel": {"cards": 2},
}


@pytest.fixture
def files(tmp_path):
    return grids.certified("kuhn_poker_duel_matchups", {}, tmp_path, {})[0]


def read(files, folder):
    return open_parquet(files.within(folder)).read().to_pylist()


@pytest.fixture(params=GAMES)
def matchups(request, tmp_path):
    files, (certificate,) = grids.certified(f"{request.param}_matchups", GAMES[request.param], tmp_path, {})
    return build(request.param, GAMES[request.param]).rules, files, certificate


def strategies(rules, files):
    """{(policy, against): {player: {seen: {action: probability}}}}"""
    found = {}
    for row in read(files, VALUES):
        seen = tuple(row[c.name] for c in rules.columns)
        sets = found.setdefault((row["policy"], row["against"]), {1: {}, 2: {}})
        sets[row["player"]].setdefault(seen, {})[row["action"]] = Fraction(row["probability"])
    return found


def test_every_pair_has_the_value_of_an_enumeration_in_rationals(matchups):
    rules, files, certificate = matchups
    plays = strategies(rules, files)
    for row in read(files, TABLES):
        pair = row["row_policy"], row["column_policy"]
        player = 1 if row.get("first_policy", row["first"]) == "row" else 2
        mine, theirs = plays[pair][player], plays[pair[1], "random"][3 - player]
        exact = payoff(rules, *((mine, theirs) if player == 1 else (theirs, mine))) * (3 - 2 * player)
        assert abs(Fraction(row["value"]) - exact) <= 1e-15
        if pair[0] == BEST_RESPONSE:
            assert abs(best_response(rules, player, [(Fraction(1), theirs)])[0] - exact) <= 1e-15
    assert certificate.error_bound < 1e-14


def some(row, column):
    return lambda rows, i: (rows[i]["policy"], rows[i]["against"]) == (row, column) and rows[i]["card"] == "Q"


@pytest.mark.parametrize(
    ("row", "column", "message"),
    [
        (BEST_RESPONSE, "honest", "card=Q .*best_response against honest: is no best response, for it loses 0.167"),
        ("optimal", "optimal", "card=Q .*optimal against random: does not play this with probability 1.0"),
    ],
)
def test_another_mix_is_refused(files, row, column, message):
    def swapped(rows):
        one, two = [i for i, of in enumerate(rows) if some(row, column)(rows, i) and of["player"] == 1][:2]
        rows[one]["probability"], rows[two]["probability"] = rows[two]["probability"], rows[one]["probability"]
        return rows

    rewrite(files.within(VALUES), swapped)
    refused(files, message)


def test_a_policy_of_people_must_be_legal(monkeypatch):
    listing = build("kuhn_poker_duel_matchups", {})
    monkeypatch.setattr(type(listing.rules), "decide", lambda *_: "raise")
    with pytest.raises(ConfigurationError, match=r"decide\('honest', \('.', '.*'\)\): 'raise' is not one of"):
        next(matchups_of(listing))


def test_to_match_the_prize_is_the_best_response_to_random_play():
    """S. M. Ross (1971), Goofspiel - the game of pure strategy. Prize k of n wins k (2k - 1 - n) / n on average."""
    (rows,) = matchups_of(build("goofspiel_duel_matchups", {"cards": 3}))
    earned = {tuple(row): value for *row, value in zip(*rows.states.values(), strict=True)}
    for first in ("row", "column"):
        assert earned["match", "random", first] == pytest.approx((3**2 - 1) / 6, abs=1e-15)
        assert earned[BEST_RESPONSE, "random", first] == pytest.approx((3**2 - 1) / 6, abs=1e-15)
