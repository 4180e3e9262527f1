"""Small tables of every game, and deliberate faults in whole tables, which simulated games must detect."""

from importlib import import_module
from pathlib import Path

import pyarrow.parquet as pq

from dicebase.certify.play.simulation import Simulation
from dicebase.certify.slices import published_in
from dicebase.tables.layout import SliceFiles
from dicebase.tables.names import find_table
from support import grids
from support.faults import rewrite
from support.match_tables import DEFINITIONS

POCKET = {"rules": "pocket"}
CARD = {"distribution": "2d6", "slots": 5}

TABLES = {
    "pig_turn": {},
    "pig_race": {"target": 30},
    "pig_reach": {"target": 30, "turns": 4},
    "pig_duel": {"target": 40},
    "pig_duel_scores": {"target": 10},
    "pig_duel_turns": {"target": 10},
    "forbidden_multiple_turn": {"multiple": 7, "dice": 2},
    "ten_thousand_turn": {**POCKET, "moves": "all"},
    "ten_thousand_race": {**POCKET, "target": 1500},
    "ten_thousand_reach": {**POCKET, "target": 1500, "turns": 7},
    "ten_thousand_duel": {**POCKET, "target": 1000},
    "hog_turn": {"max_dice": 6},
    "hog_race": {"target": 20, "max_dice": 6},
    "hog_reach": {"target": 20, "max_dice": 6, "throws": 3},
    "hog_duel": {"target": 15, "max_dice": 6},
    "hog_simultaneous": {"target": 10, "max_dice": 5},
    "hog_simultaneous_matchups": {"target": 10, "max_dice": 5},
    "hog_hidden": {"target": 10, "max_dice": 5, "horizon": 12},
    "ten_times_eighteen_score": CARD,
    "ten_times_eighteen_score values": {"distribution": "1d4", "slots": 15},
    "ten_times_eighteen_rank": CARD,
    "ten_times_eighteen_exceed": CARD,
    "ten_times_eighteen_versus": CARD,
    "ten_times_eighteen_distribution": CARD,
    "ten_times_eighteen_versus_matchups": {"distribution": "1d4", "slots": 3},
}
"""The variant of each table."""

UNPLAYED = {name for name in TABLES if name.endswith(("_cards", "_duel_scores", "_duel_turns", "_matchups"))}
"""Tables that no simulated games check."""

FAIR = {"hog_simultaneous", "hog_hidden"}
"""Tables in which both players play the same mix, which earns 0 against itself."""

UNDECIDED = {"ten_times_eighteen_distribution"}
"""Tables without decisions."""

OF_TWO = {"pig_duel", "ten_thousand_duel", "hog_duel", "hog_simultaneous"}


def solve(name: str, folder: Path, **changed: int) -> SliceFiles:
    """The slice of one of TABLES, or of the variant with some parameters `changed`."""
    table = find_table(name.split()[0])
    definitions = DEFINITIONS if table.game == "ten_thousand" else {}
    full = table.variant(TABLES[name] | changed, definitions, name)
    return grids.solved(table, [full], folder, definitions)


def flip(name: str, folder: SliceFiles) -> None:
    """Publish the worst legal action wherever there is a choice. If a table stores no decisions, reverse the order of
    its values instead."""
    states = pq.read_table(folder.rows).to_pylist()
    if "action" not in states[0]:
        rewrite(folder.rows, lambda rows: [{**row, "value": -row["value"]} for row in rows])
        return
    chosen = [i for i, row in enumerate(states) if row["margin"] is not None or row["action"] == "mixed"]
    if folder.actions.exists():
        actions = pq.read_table(folder.actions).to_pylist()
        _flip_actions(states, actions, chosen)
        rewrite(folder.actions, lambda _: actions)
    else:
        stop = find_table(name).rules_class.stop
        for i in chosen:
            states[i]["action"] = {"roll": stop, stop: "roll"}[states[i]["action"]]
    rewrite(folder.rows, lambda _: states)


def _flip_actions(states: list[dict], actions: list[dict], chosen: list[int]) -> None:
    place = [name for name in states[0] if name in actions[0] and name != "action"]
    by_state: dict[tuple, list[dict]] = {}
    for row in actions:
        by_state.setdefault(tuple(row[name] for name in place), []).append(row)
    for i in chosen:
        rows = by_state[tuple(states[i][name] for name in place)]
        worst = max(rows, key=lambda row: row["regret"])
        states[i]["action"] = worst["action"]
        for row in rows:
            row["probability"] = float(row is worst)


def games_by(folder: SliceFiles, seed: int = 1) -> Simulation | None:
    """The result of games played by the table of a slice of one variant."""
    ((_, game, published, place),) = published_in(folder)
    checks = import_module(find_table(place.split()[0]).certifier(game))
    return checks.simulated(game, published, seed)
