"""The tables that printed cells are about, and the audit of them."""

from pathlib import Path
from typing import Any

import duckdb
import yaml

from dicebase.audit.page import audit_of
from support import grids

TABLES: dict[str, list[dict[str, Any]]] = {
    "ten_thousand_turn": [{"moves": ["stop_roll", "m5", "m5_m1", "m5_m1_m55", "m5_m1_m55_m51", "all"]}],
    "pig_turn": [{}],
    "forbidden_multiple_turn": [{"multiple": 10}],
    "ten_times_eighteen_score": [{}],
    "ten_times_eighteen_rank": [{}, {"distribution": "two_loaded_d12", "slots": 5}],
    "ten_times_eighteen_distribution": [{}, {"distribution": "two_loaded_d12", "slots": 5}],
    "hog_turn": [{"max_dice": 30}],
    "hog_race": [{}],
    "hog_reach": [{"throws": 6}],
    "hog_simultaneous": [{"max_dice": 5}],
    "pig_duel": [{}, {"sides": 2, "target": 20}],
    "pig_duel_matchups": [{}],
    "pig_race": [{}],
    "pig_reach": [{"dice": 2}],
    "ten_thousand_reach": [{"rules": "six_dice", "target": 1000, "turns": 1}],
    "ten_thousand_long_run": [{"rules": ["zilch_in_row", "six_dice", "kingdom_come"]}],
    "shut_the_box_win": [{"one_die": ["never", "sum_at_most_6"]}],
    "cards_up_turns": [{}, {"cards": 12, "sides": 6}],
    "royal_ur_duel": [{"pieces": [1, 2]}],
    "decathlon_races_points": [{"event": ["100_metres", "400_metres", "1500_metres", "110_metre_hurdles"]}],
    "decathlon_heights_points": [{"event": ["high_jump", "pole_vault"]}],
    "decathlon_shot_put_points": [{}],
    "decathlon_attempts_points": [{"event": ["long_jump", "discus", "javelin"], "attempts": 1}],
    "pass_the_pigs_turn": [{"pigs": ["batten", "derepas"]}],
    "risk_win": [{}],
    "risk_left": [{}],
}


def build(results: Path) -> Path:
    """Solve, certify and catalogue them, with the definitions of the default configuration."""
    return grids.build_shared(results, yaml.safe_dump({"definitions": grids.DEFAULT["definitions"], "tables": TABLES}))


def audit(results: Path) -> list[dict[str, Any]]:
    """The rows of the audit in the catalogue of a results folder."""
    with duckdb.connect(str(results / "dicebase.duckdb"), read_only=True) as connection:
        return audit_of(connection).to_pylist()
