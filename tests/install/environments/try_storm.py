"""Run by test_environments.py in an environment with stormpy: Storm solves exported models in rational numbers.

Prints its CPU seconds for each model: to read the file, and to solve it."""

import sys
import time
from fractions import Fraction
from pathlib import Path

import stormpy

from dicebase.catalog.lookup import Catalog
from dicebase.environments import solved_game
from dicebase.show.model import solved_variant, write_model

RESULTS = Path(sys.argv[1])
EXACT = {  # tables with an exact value, the others have a bound
    "bear_off_rolls": True,
    "cant_stop_turns": False,
    "cards_up_turns": False,
    "decathlon_attempts_points": True,
    "forbidden_multiple_turn": True,
    "hog_turn": True,
    "pass_the_pigs_turn": True,
    "pig_turn": True,
    "risk_win": True,
    "shut_the_box_win": True,
    "ten_thousand_turn": True,
    "think_points": False,
}
for table, exact in EXACT.items():
    path = Path(f"{table}.drn").resolve()
    with Catalog(RESULTS) as catalog:
        solved = solved_variant(catalog.solved(table), {})
        write_model(solved, path)
    begin = time.process_time()
    model = stormpy.build_model_from_drn[stormpy.Rational](str(path))
    read = time.process_time()
    wanted = path.read_text().splitlines()[0].split(": ")[1]
    found = stormpy.model_checking(model, stormpy.parse_properties(wanted)[0])
    done = time.process_time()
    start, *values = (Fraction(str(found.get_value(state))) for state in range(model.nr_states - 1))
    game = solved_game(table, str(RESULTS))
    print(f"{table}: {read - begin:.2f} s, {done - read:.2f} s")
    assert bool(solved.row["exact"]) == exact and start == Fraction(solved.row["exact"] or start), table
    assert abs(Fraction(solved.row["value"]) - start) <= solved.error_bound, table
    assert len(values) == len(game.value) - 1, table
    for name, ours, theirs in zip(game.names, game.value.tolist(), values, strict=False):
        assert abs(Fraction(ours) - theirs) <= solved.error_bound, (table, name, ours, theirs)
