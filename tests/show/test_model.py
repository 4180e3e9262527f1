"""`dicebase export --model` and `--certificate`: other programs solve the exported game and check its bounds."""

import importlib
import sys
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pyarrow.parquet as pq
import pytest

from dicebase.show import certificate_file, model
from dicebase.vocabulary import ConfigurationError, Game
from support.commands import ROOT, error_of
from support.drawn_games import Drawn, end, go
from support.every_table import TABLES, every_table

GRID = every_table


@pytest.fixture(scope="module")
def proof():
    """The modules `check` and `alter` of proof/, which do not know dicebase."""
    sys.path.insert(0, str(ROOT / "proof"))
    yield importlib.import_module("check"), importlib.import_module("alter")
    sys.path.remove(str(ROOT / "proof"))


@pytest.fixture
def exported(db, tmp_path):
    """Export a variant, by default the smallest; return (path of the file, the variant)."""

    def exported(table, name, given=None):
        smallest = min(db.solved(table).variants, key=lambda variant: variant.row["states"])
        solved, path = model.solved_variant(db.solved(table), given or smallest.parameters), tmp_path / name
        if path.suffix == ".cert":
            certificate_file.write_certificate(db, solved, path)
        else:
            model.write_model(solved, path)
        return path, solved

    return exported


def solved_by_iteration(game):
    """Value iteration on the exported arrays, until nothing changes by more than rounding."""
    values, change = np.zeros(len(game["states"])), 1.0
    best = {0: np.maximum.reduceat, 1: np.minimum.reduceat}
    first = game["outcome_start"][:-1]
    total = np.add.reduceat(game["weight"], first)
    while change > 1e-15 * (1 + np.abs(values).max()):
        ahead = np.where(game["next_state"] >= 0, values[game["next_state"]], 0.0)
        q = np.add.reduceat(game["weight"] * (game["reward"] + game["sign"] * ahead), first) / total
        chosen = [best[player](q, game["action_start"][:-1]) for player in (0, 1)]
        new = np.where(game["player"] == 0, *chosen)
        change, values = np.abs(new - values).max(), new
    return values


GAMES = [
    "bear_off_duel", "bear_off_rolls", "cant_stop_turns", "cards_up_turns", "decathlon_attempts_points",
    "decathlon_heights_points", "decathlon_races_points", "decathlon_shot_put_points", "einstein_duel",
    "forbidden_multiple_turn", "hog_duel", "hog_race", "hog_reach", "hog_turn", "pass_the_pigs_duel",
    "pass_the_pigs_race", "pass_the_pigs_reach", "pass_the_pigs_turn", "pig_duel", "pig_race", "pig_reach", "pig_turn",
    "risk_gain", "risk_left", "risk_win", "royal_ur_duel", "shut_the_box_score", "shut_the_box_win",
    "ten_thousand_duel", "ten_thousand_race", "ten_thousand_reach", "ten_thousand_turn", "ten_times_eighteen_score",
    "think_points", "yahtzee_score",
]  # fmt: skip
"""The tables of games by turns that list their positions."""

FIRST = {"bear_off_duel", "forbidden_multiple_turn", "hog_reach", "pig_duel", "royal_ur_duel", "ten_thousand_turn"}
FIRST |= {"ten_times_eighteen_score", "yahtzee_score"}
SOLVED = [pytest.param(table, marks=[pytest.mark.slow] * (table not in FIRST)) for table in GAMES]


def test_exactly_the_games_by_turns_have_a_model(db):
    played = [t for t in TABLES if isinstance(db.solved(t).variants[0].game.play, Game)]
    hidden = [t for t in played if db.solved(t).variants[0].game.play.hides]
    assert played == sorted([*GAMES, *hidden, "hog_simultaneous"])
    for table in hidden:
        with pytest.raises(ConfigurationError, match="players do not see the whole position"):
            model.model_of(db.solved(table).variants[0])


@pytest.mark.parametrize("table", SOLVED)
def test_value_iteration_on_the_model_gives_the_published_values(db, exported, table):
    path, solved = exported(table, "game.npz")
    game = np.load(path)
    values, known = solved_by_iteration(game), certificate_file.published_values(db, model.model_of(solved), solved)
    assert np.abs(values - known).max() <= solved.error_bound + 1e-12 * np.abs(known).max()
    after = np.where(game["start_state"] >= 0, values[game["start_state"]], 0)
    start = (game["start_weight"] * (game["start_reward"] + after)).sum() / game["start_weight"].sum()
    assert start == pytest.approx(solved.row["value"], abs=solved.error_bound, rel=1e-12)


@pytest.mark.parametrize("table", SOLVED)
def test_a_certificate_holds_and_bounds_the_published_values(db, exported, proof, table):
    check, _ = proof
    path, solved = exported(table, "game.cert")
    scale, unit, states = check.read(str(path))
    assert check.why_refused(scale, unit, states) == ""
    known = certificate_file.published_values(db, model.model_of(solved), solved)
    assert all(s.lower <= Fraction(v) * scale <= s.upper for s, v in zip(states, known.tolist(), strict=False))
    widest = max(Fraction(s.upper - s.lower, scale) for s in states)
    assert widest <= 3e-13 * np.abs(known).max()


def test_each_altered_certificate_is_refused(exported, proof, tmp_path):
    check, alter = proof
    path, _ = exported("pig_duel", "game.cert", {"target": "10"})
    alter.main(path, tmp_path / "altered")
    altered = sorted((tmp_path / "altered").iterdir())
    assert [check.main([str(file)]) for file in (path, *altered)].count(0) == 1
    assert len(altered) == 20


def waiting(cost):
    """The model of a game in which a player may stop for 1 point, or wait and pay."""
    game = Drawn({0: {"wait": [go(0, reward=-cost)], "stop": [end(1)]}})
    return model.model_of(SimpleNamespace(table=SimpleNamespace(name="waiting"), game=game, row={"actions": 2}))


def test_a_reward_may_be_a_fraction():
    found = waiting(Fraction(1, 3))
    arrays, bounds = model.arrays_of(found), certificate_file.bounds_of(found, np.ones(1))
    assert [Fraction(round(x * 3), int(arrays["reward_denominator"])) for x in arrays["reward"]] == [
        Fraction(-1, 3),
        1,
        0,
    ]
    one = 2**certificate_file.SCALE
    assert bounds.lower[0] < one < bounds.upper[0] < bounds.lower[0] + one / 2**47


def test_bounds_are_refused_where_play_can_last_for_ever():
    with pytest.raises(ConfigurationError, match=r"^waiting: .* so one step cannot prove bounds of its values$"):
        certificate_file.bounds_of(waiting(0), np.ones(1))


def read_drn(path):
    """Return, by state, a list of (reward, {next state: probability}), and the state labelled `end`."""
    states = []
    for line in path.read_text(encoding="utf-8").split("@model\n")[1].splitlines():
        word, _, rest = line.strip().partition(" ")
        if word == "state":
            assert int(rest.split()[0]) == len(states)
            states.append([])
            end = len(states) - 1 if rest.endswith(" end") else None
        elif word == "action":
            states[-1].append((Fraction(rest.split()[1].strip("[]")), {}))
        elif word != "//":
            states[-1][-1][1][int(word)] = Fraction(rest.removeprefix(": "))
    return states, end


def test_the_model_for_storm_gives_the_exact_value(exported):
    path, solved = exported("shut_the_box_win", "game.drn", {"tiles": "6", "one_die": "sum_at_most_6"})
    states, end = read_drn(path)
    text = path.read_text(encoding="utf-8")
    assert f"@nr_states\n{len(states)}\n@nr_choices\n{sum(map(len, states))}\n" in text
    assert all(sum(ahead.values()) == 1 and [*ahead] == sorted(ahead) for s in states for _, ahead in s)
    known = {end: Fraction(0)}

    def value(s):
        if s not in known:
            known[s] = max(reward + sum(p * value(t) for t, p in ahead.items()) for reward, ahead in states[s])
        return known[s]

    assert value(0) == Fraction(solved.row["exact"])


def test_parquet_holds_the_same_model(exported):
    path, _ = exported("forbidden_multiple_turn", "game.npz")
    arrays = np.load(path)
    path, _ = exported("forbidden_multiple_turn", "game.parquet")
    table = pq.read_table(path)
    *rows, start = table.to_pylist()
    outcomes = [o for row in rows for action in row["actions"] for o in action["outcomes"]]
    assert [row["state"] for row in rows] == arrays["states"].tolist()
    assert [action["action"] for row in rows for action in row["actions"]] == arrays["actions"].tolist()
    for name in ("next_state", "weight", "reward", "sign"):
        assert [o[name] for o in outcomes] == arrays[name].tolist()
    assert start == {
        "state": "start",
        "player": 0,
        "actions": [{"action": "begin", "outcomes": [{"next_state": 0, "weight": 1, "reward": 0, "sign": 1}]}],
    }
    assert int(table.schema.metadata[b"reward_denominator"]) == arrays["reward_denominator"]


def test_a_model_with_too_many_outcomes_is_refused(exported, monkeypatch):
    """Pig has too many by its actions (50), or while its states are found (100)."""
    count = len(np.load(exported("ten_thousand_turn", "game.npz")[0])["weight"])
    for table, given, most in (("pig_turn", {"sides": "6"}, 50), ("pig_turn", {"sides": "6"}, 100),
                               ("ten_thousand_turn", None, count - 1)):  # fmt: skip
        monkeypatch.setattr(model, "MOST_IN_MODEL", most)
        with pytest.raises(ConfigurationError, match=rf"^{table}: has more than {most:,} outcomes$"):
            exported(table, "game.npz", given)
    monkeypatch.setattr(model, "MOST_IN_MODEL", count)
    exported("ten_thousand_turn", "game.npz")


def test_the_command_says_what_it_wrote(tmp_path, say):
    path = tmp_path / "pig.npz"
    assert say("export", "pig_turn", "--model", path) == f"{path}: 26 states, 51 actions\n"


def test_a_missing_package_is_named_with_its_extra(results, monkeypatch, capsys):
    def missing(*_):
        raise ModuleNotFoundError("No module named 'numba'", name="numba")

    monkeypatch.setattr(certificate_file, "write_certificate", missing)
    error = error_of(capsys, "--results", results, "export", "pig_turn", "--certificate", "pig.cert")
    assert error == "error: export: numba is not installed; pip install 'dicebase[build]'\n"
