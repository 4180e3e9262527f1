"""Positions inside turns, derived from the values at the starts of turns, compared with stored rows."""

import numpy as np
import pytest

from dicebase.tables.follow import turns
from dicebase.tables.follow.one_position import choice
from dicebase.tables.follow.one_turn import SingleTurns
from dicebase.tables.follow.ranking import rank_choices
from dicebase.vocabulary import TIE
from support import match_tables

CASES = [
    ("pig_duel", {"target": 60}),  # in shorter duels nobody banks
    ("pig_duel", {"target": 25, "dice": 2}),
    ("pig_duel", {"target": 20, "sides": 2}),
    ("pig_race", {"target": 40}),
    ("pig_race", {"target": 30, "dice": 2}),
    ("pig_reach", {"target": 30, "turns": 5}),
    ("pig_reach", {"target": 20, "turns": 3, "dice": 2}),
    ("ten_thousand_duel", {"target": 1000}),
    ("ten_thousand_duel", {"target": 570, "rules": "always"}),
    ("ten_thousand_race", {"target": 1500}),
    ("ten_thousand_reach", {"target": 800, "turns": 3}),
    ("ten_thousand_race", {"target": 500, "rules": "pocket"}),
    ("ten_thousand_duel", {"target": 300, "rules": "last"}),
]


@pytest.mark.parametrize(("table", "variant"), CASES)
def test_every_row_follows_from_the_starts_of_turns(table, variant):
    game, rows = match_tables.build(table, **variant), match_tables.columns(table, **variant)
    state = {c.name: rows[c.name].astype(np.int64) for c in game.columns}
    found = rank_choices(match_tables.by_starts(game, rows, state), game.sense, TIE)
    assert found.found.all()
    largest = max(1.0, rows["value"].max())
    assert found.values == pytest.approx(rows["value"], abs=1e-14 * largest)
    assert found.margins == pytest.approx(rows["margin"], abs=2e-14 * largest, nan_ok=True)
    assert [found.names[best] for best in found.best] == rows["action"].tolist()
    assert (found.undecided.all(axis=1) == (rows["margin"] <= TIE)).all()


@pytest.mark.parametrize(("table", "variant"), CASES)
def test_the_least_total_to_bank_is_that_of_the_rows(table, variant):
    game, rows = match_tables.build(table, **variant), match_tables.columns(table, **variant)
    records = list(game.records())
    number = {record: i for i, record in enumerate(records)}
    least = np.full((len(game.rules.modes), len(records)), -1)
    dice = rows.get("dice", np.full(len(rows["value"]), game.rules.modes[0]))
    names = [c.name for c in game.record_columns]
    for *record, total, hand, action in zip(
        *(rows[n].tolist() for n in names), rows["turn_total"], dice, rows["action"], strict=True
    ):
        place = game.rules.modes.index(hand), number[tuple(record)]
        if action != "roll" and least[place] < 0:
            least[place] = total // game.unit_of_points
    assert (match_tables.starts(game, rows).bank_at() == least).all()


@pytest.mark.parametrize(("table", "variant"), [CASES[1], CASES[3], CASES[7], CASES[10], CASES[11], CASES[12]])
def test_the_number_of_turns_at_once_does_not_change_a_bit(monkeypatch, table, variant):
    game, rows = match_tables.build(table, **variant), match_tables.columns(table, **variant)
    state = {c.name: rows[c.name].astype(np.int64) for c in game.columns}
    expected = rank_choices(match_tables.by_starts(game, rows, state), game.sense, TIE)
    monkeypatch.setattr(turns, "AT_ONCE", 700)
    assert np.array_equal(match_tables.by_starts(game, rows, state).q_values, expected.q_values, equal_nan=True)
    turn_of = SingleTurns(match_tables.starts(game, rows))
    for i in np.flatnonzero(rows["turn_total"])[::7].tolist():
        names, ranked = choice(game, turn_of, {name: int(column[i]) for name, column in state.items()})
        columns = ranked.q_values, ranked.regrets, ranked.probabilities, ranked.optimal, ranked.undecided
        assert [*zip(names, *columns, strict=True)] == [*expected.actions(i)]


@pytest.mark.parametrize(("table", "variant"), CASES)
def test_unreachable_positions_are_not_found(table, variant):
    game, rows = match_tables.build(table, **variant), match_tables.columns(table, **variant)
    known = set(zip(*(rows[c.name].tolist() for c in game.columns), strict=True))
    random = np.random.default_rng(7)
    asked = []
    for c in game.columns:
        step = game.unit_of_points if c.unit == "points" else 1
        column = step * random.integers(-1, rows[c.name].max() // step + 2, 20_000)
        asked.append(column + (random.integers(0, 99, 20_000) == 0))
    state = {c.name: column for c, column in zip(game.columns, asked, strict=True)}
    found = match_tables.by_starts(game, rows, state)
    expected = np.array([key in known for key in zip(*(a.tolist() for a in asked), strict=True)])
    assert 0 < expected.sum() < len(expected) and (found.found == expected).all()
    assert np.isnan(found.q_values[~expected]).all()
