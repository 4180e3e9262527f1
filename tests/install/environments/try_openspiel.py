"""Run by test_environments.py in an environment with open_spiel: its simulation test, and the values of its solver."""

import sys

import pyspiel
from open_spiel.python.algorithms import value_iteration

from dicebase.environments import spiel_game

RESULTS = sys.argv[1]
sys.setrecursionlimit(100_000)  # OpenSpiel lists states by recursion
CASES = {
    "pig_turn": {},
    "pig_duel": {"target": 10},
    "shut_the_box_win": {},
    "einstein_duel": {},
    "cards_up_turns": None,  # returns have no bound
}
for table, parameters in CASES.items():
    game = spiel_game(table, results=RESULTS, **parameters or {})
    solved = game.solved
    pyspiel.random_sim_test(game, 10, False, False)
    if parameters is None:
        continue
    values = value_iteration.value_iteration(game, -1, 1e-13, cyclic_game=True)
    compared = 0
    for state, name in enumerate(solved.names[:-1]):
        for player in range(solved.players):
            if (found := values.get(f"0 player {player}: {name}")) is not None:
                ours = solved.value[state]
                ours = ours if solved.players == 1 else (2 * ours - 1) * (1 - 2 * player)
                assert abs(found - ours) < 1e-11, (table, name, found, ours)
                compared += 1
    assert compared > 0.9 * (len(solved.names) - 2) / solved.players, (table, compared)

game = pyspiel.load_game("python_dicebase", {"table": "pig_turn", "results": RESULTS, "parameters": "sides=6"})
state = game.new_initial_state()
assert str(state) == "0 player 0: 0" and state.legal_actions() == [0] and state.action_to_string(0) == "roll"
state.apply_action(0)
assert state.is_chance_node() and [p for _, p in state.chance_outcomes()] == [1 / 6] * 6
