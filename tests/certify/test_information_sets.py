"""Certificates of games of hidden information: altered numbers are refused, and so are players who forget."""

import pytest

from dicebase.solvers.hidden.sequences import sequence_form
from dicebase.tables.layout import ACTIONS, TABLES
from dicebase.tabulate import hidden as tabulator
from dicebase.vocabulary import ConfigurationError
from dicebase.vocabulary.contracts.board_contract import first_positions
from support import grids
from support.contract_boards import build
from support.faults import refused, rewrite

TINY = 1e-6


@pytest.fixture
def files(tmp_path):
    return grids.certified("kuhn_poker_duel", {}, tmp_path, {})[0]


def queen(rows, i):
    """The set in which player 1 mixes."""
    return (rows[i]["player"], rows[i]["card"], rows[i]["history"]) == (1, "Q", "check,bet")


def test_a_strategy_altered_by_a_millionth_is_refused(files):
    def altered(rows):
        for row, shift in zip([row for i, row in enumerate(rows) if queen(rows, i)], (TINY, -TINY), strict=True):
            row["probability"] += shift
        return rows

    rewrite(files.within(ACTIONS), altered)
    refused(files, r"values are up to .* away from those of a best response")


def test_a_missing_set_is_named(files):
    for file in (TABLES, ACTIONS):
        rewrite(files.within(file), lambda rows: [row for i, row in enumerate(rows) if not queen(rows, i)])
    refused(files, "player=1 card=Q history=check,bet: is missing")


def test_a_gap_that_regret_matching_leaves_is_published(tmp_path, monkeypatch):
    monkeypatch.setattr(tabulator, "MOST_SEQUENCES", 0)
    _, (certificate,) = grids.certified("liars_dice_duel", {"faces": 2, "wild": "top"}, tmp_path, {})
    assert 1e-9 < certificate.error_bound <= 1e-5 + 1e-12
    _, (near,) = grids.certified("kuhn_poker_duel", {}, tmp_path, {})
    assert abs(near.value + 1 / 18) <= near.error_bound <= 1e-5 + 1e-12


@pytest.mark.parametrize(
    ("name", "changed", "message"),
    [
        ("mover", lambda self, state: 3, r"mover\(.*\): 3 is not 1 or 2"),
        ("outcomes", lambda self, after: [(1, ("JQ", ()), 0, -1)], "rewards go to player 1, so signs are 1"),
        ("observation", lambda self, state, player: ("K",), r"state \('K',\) is no plain tuple of \(str, str\)"),
    ],
)
def test_rules_that_break_the_contract_are_refused(monkeypatch, name, changed, message):
    rules = build("kuhn_poker_duel", {}).rules
    monkeypatch.setattr(type(rules), name, changed)
    with pytest.raises(ConfigurationError, match=message):
        list(first_positions(rules))


def test_the_message_about_a_player_who_forgets_names_two_histories(monkeypatch):
    rules = build("kuhn_poker_duel", {}).rules
    monkeypatch.setattr(type(rules), "observation", lambda self, state, player: ("?", ",".join(state[1]) or "-"))
    assert len(sequence_form(rules)[0].states) == 2  # player 1 never sees the card: nothing is forgotten
    monkeypatch.setattr(type(rules), "observation", lambda self, state, player: (state[0][player - 1], "-"))
    with pytest.raises(ConfigurationError) as error:
        sequence_form(rules)
    two = "player 2 sees card=Q, history=- after 'KQ, bet' and 'KQ, check'; no perfect recall"
    assert str(error.value).startswith(two)
