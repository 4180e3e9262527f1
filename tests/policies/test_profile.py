"""Profiles of duels: lengths and close decisions as a chain of states gives them, skill as `evaluate` does."""

import json

import numpy as np
import pytest

import dicebase
from dicebase import policies
from dicebase.cli import main
from dicebase.matches.duels.duel import DuelOfTurns
from dicebase.show.profiles import as_text
from dicebase.vocabulary import ConfigurationError, MissingTableError
from support import commands

DUELS = {"pig_duel": {"target": 12}, "hog_duel": {"target": 7}, "ten_thousand_duel": {"target": 300}}
DUELS |= {"royal_ur_duel": {}, "bear_off_duel": {}}
RIVAL = {"royal_ur_duel": "first_listed", "bear_off_duel": "first_listed"}
COUNTED = np.array([[1, 0, 0], [1, 1, 0], [1, 2, 1]])  # (1, n, n^2) from one n to the next


def followed(db, table, given):
    """(mean and standard deviation of the number of moves, share of close decisions), by following optimal play from
    state to state. A turn begins at turn_total 0."""
    variant = next(v for v in db.solved(table).variants if given.items() <= v.parameters.items())
    game, columns = variant.game, [c.name for c in variant.game.columns]
    sums, decisions, known, flow = np.zeros(3), np.zeros(2), {}, {}

    def fall(afterstate, part, into):
        outcomes = list(game.outcomes(afterstate))
        for outcome in outcomes:
            share = part * outcome.weight / sum(o.weight for o in outcomes)
            if outcome.state is None:
                sums[:] += share
            else:
                begins = dict(zip(columns, outcome.state, strict=True)).get("turn_total", 0) == 0
                into[outcome.state] = into.get(outcome.state, 0) + (COUNTED @ share if begins else share)

    fall(game.start(), np.array([1.0, 0, 0]), flow)
    while sum(part[0] for part in flow.values()) > 1e-15:
        after = {}
        for state, part in flow.items():
            if state not in known:
                position = dict(zip(columns, state, strict=True))
                known[state] = db.lookup(table, **variant.parameters, **position)["actions"]
            actions = known[state]
            if len(actions) > 1:
                decisions += part[0] * np.array([sorted(a["regret"] for a in actions)[1] < 0.01, 1])
            fall(game.afterstate(state, actions[0]["action"]), part, after)
        flow = after
    return sums[1], (sums[2] - sums[1] ** 2) ** 0.5, decisions[0] / decisions[1]


@pytest.mark.parametrize("table", ["pig_duel", "hog_duel", "royal_ur_duel"])
def test_length_and_close_decisions_are_those_of_the_chain_of_states(duels, table):
    (found,) = policies.profile(duels, table, **DUELS[table])
    with dicebase.open(duels) as db:
        expected = followed(db, table, found["parameters"])
    assert (found["length"], found["deviation"], found["close"]) == pytest.approx(expected, abs=1e-10)
    assert found["moves"] == {"pig_duel": "turns", "hog_duel": "throws"}.get(table, "moves")


@pytest.mark.parametrize("table", DUELS)
def test_the_first_move_and_skill_are_those_of_the_table_and_of_evaluate(duels, table):
    (found,) = policies.profile(duels, table, **DUELS[table])
    with dicebase.open(duels) as db:
        row = next(row for row in db.tables(table) if row["parameters"] == found["parameters"])
    assert found["first"] == pytest.approx(row["value"], abs=1e-12)
    rival = RIVAL.get(table, "maximise_turn")
    known = policies.evaluate(duels, table, "optimal", rival, **found["parameters"])["average"]
    assert found["against"].get(rival, found["against"].get("greedy")) == known >= 0.5


def test_a_head_start_makes_the_match_nearest_to_fair(duels):
    (found,) = policies.profile(duels, "pig_duel", target=30)
    with dicebase.open(duels) as db:
        chances = [db.lookup("pig_duel", me=0, opponent=h, turn_total=0, target=30)["value"] for h in range(30)]
    fair = min(range(30), key=lambda h: abs(chances[h] - 0.5))
    assert (found["head_start"], found["with_head_start"]) == (fair, chances[fair]) and 0 < fair < 15


def test_random_play_of_points_is_that_of_a_policy_file(duels):
    (found,) = policies.profile(duels, "pig_duel", target=12)
    with dicebase.open(duels) as db:
        share = "1 / count(*) OVER (PARTITION BY me, opponent, turn_total) AS probability"
        rows = db.sql(
            f"SELECT me, opponent, turn_total, action, {share} FROM pig_duel_actions WHERE target = 12 AND dice = 1"
        ).to_arrow_table()
    known = policies.evaluate(duels, "pig_duel", "optimal", rows, target=12)["average"]
    assert found["against"]["random"] == pytest.approx(known, abs=1e-12)


def test_what_cannot_be_computed_is_refused_by_name(duels):
    (board,) = policies.profile(duels, "bear_off_duel")
    assert board["head_start"] is None and board["refused"] == {"head_start": "bear_off_duel: has no points"}
    (kept,) = policies.profile(duels, "ten_thousand_duel", target=300)
    assert kept["against"]["random"] is None and "a roll leaves nothing to choose" in kept["refused"]["random"]
    with pytest.raises(MissingTableError, match="pig_race: policies can be evaluated in duels: "):
        policies.profile(duels, "pig_race")
    with pytest.raises(MissingTableError, match="pig_duel is not solved for sides=7"):
        policies.profile(duels, "pig_duel", sides=7)


def test_a_variant_that_cannot_be_evaluated_is_left_out_with_its_reason(duels, monkeypatch):
    monkeypatch.setattr(DuelOfTurns, "why_not_played_out", property(lambda duel: "too long" * (duel.target == 30)))
    found = policies.profile(duels, "pig_duel", dice=1)
    assert found[1] == {"table": "pig_duel", "parameters": {"sides": 6, "dice": 1, "target": 30},
                        "refused": {"all": "too long"}}  # fmt: skip
    assert as_text(found).splitlines()[0] == "pig_duel  sides=6 dice=1 target=12"
    assert as_text(found).splitlines()[-1] == "sides=6 dice=1 target=30: too long"
    with pytest.raises(ConfigurationError, match=r"^pig_duel sides=6 dice=1 target=30: too long$"):
        policies.profile(duels, "pig_duel", target=30)


def test_the_command_prints_and_draws_a_grid_of_rules(duels, capsys, tmp_path):
    words = ["profile", "pig_duel", "sides=6", "--results", str(duels)]
    for name in ("one.svg", "two.svg"):
        assert main([*words, "-o", str(tmp_path / name)]) == 0
    head, _, columns, *rows = capsys.readouterr().out.splitlines()[:6]
    assert head == "pig_duel  sides=6" and columns.split()[:2] == ["first", "wins"] and columns.split()[-1] == "close"
    assert [row.split("  ")[0] for row in rows] == ["dice=1 target=12", "dice=1 target=30", "dice=2 target=10"]
    assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "two.svg").read_bytes()
    assert main([*words, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == policies.profile(duels, "pig_duel", sides=6)
    assert "one.txt: give a name that ends in" in commands.error_of(capsys, *words, "-o", "one.txt")
