"""Cards found by changing numbers, in place of branch and bound."""

import pytest

from dicebase.games import pig, ten_thousand
from dicebase.matches.duels.duel_cards import DuelCards
from dicebase.solvers.local_search import improved, moves
from dicebase.solvers.plays import evaluate
from dicebase.tabulate.cards.large_matches import LargeMatch
from dicebase.vocabulary import Definition
from support.duel_turns import solved

PUB = {"dice": 6, "combinations": {"1": 100, "5": 50, "111": 1000}, "keep": "any"}


def test_moves_change_up_to_two_numbers():
    assert moves([5, 3]) == [(5, 0), (-5, 0), (0, 3), (0, -3)]
    assert moves([5, 3], together=2)[4:] == [(5, 3), (5, -3), (-5, 3), (-5, -3)]


def test_a_move_of_two_numbers_leaves_a_ridge():
    """No single number lowers max(|x - y|, |x + y - 20|) at (4, 4) by much; both together do."""

    def cost(point):
        x, y = point
        return 100 * abs(x - y) + abs(x + y - 20)

    assert improved((4, 4), cost, [moves([1, 1])]) == (4, 4)
    assert improved((4, 4), cost, [moves([1, 1]), moves([1, 1], together=2)]) == (10, 10)


def test_the_search_finds_the_cards_that_branch_and_bound_proves_best(tmp_path):
    given = {"sides": 4, "dice": 1, "target": 36, "numbers": 2}
    match = LargeMatch(DuelCards(pig.Rules(4, 1), 36, 2))
    assert [listing.target for listing in match.listings] == [18, 36]
    for row in solved("pig_duel_cards", given, tmp_path)[1]:
        found = match.search(row["language"])
        assert row["proved"] and found.cost == pytest.approx(row["cost"], abs=1e-12) and found.least == 0


def test_the_cost_of_a_card_that_keeps_dice_is_that_of_its_policy():
    listing = DuelCards(ten_thousand.Rules(Definition("pub", PUB)), 800, 5)
    match, language = LargeMatch(listing), listing.languages["ratio"][0]
    players, numbers = match.players[-1], dict(zip(language.numbers, (600, 50, 150, 8, 450), strict=True))
    play = players.play_of(players.policy_of(listing.policy(language.filled(numbers))))
    X, Y = evaluate(play, match.optimal[-1])
    assert match.cost(0, language)((600, 50, 150, 8, 450)) == Y[0, 0] - X[0, 0] > 0
    assert match.cost(0, language)((600, 50, 150, 0, 450)) == float("inf")
