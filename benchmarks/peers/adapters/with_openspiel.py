"""OpenSpiel: its value iteration in Python, for its own Pig and for games written here following its examples."""

import re

import numpy as np
import pyspiel
from iterate import CHANGE
from open_spiel.python.algorithms.value_iteration import value_iteration
from problems import PROBLEMS

PROGRAM = 1e-7  # precision of its linear programs (ECOS, through CVXPY)


def build(problem: str, size: int):
    if problem == "pig_duel":
        return pyspiel.load_game(f"pig(players=2,winscore={size},horizon=1000000)"), size
    game = RoundsGame if problem == "hog_simultaneous" else ProcessGame
    return game(PROBLEMS[problem](size)), size


def solve(problem: str, built) -> np.ndarray:
    game, size = built
    program = problem == "hog_simultaneous"
    found = value_iteration(game, -1, PROGRAM if program else CHANGE, cyclic_game=True)
    if problem == "ten_thousand_turn":
        return np.array([[found.get(str(s), np.nan) for s in row] for row in game.model.shown])
    if program:
        return np.array([[found.get(f"{a} {b}", np.nan) for b in range(size)] for a in range(size)])
    values = np.full((size, size), np.nan)
    for text, value in found.items():
        me, other, turn, player = map(int, re.findall(r"-?\d+", text)[:4])
        if turn == 0 and player == 0 and max(me, other) < size:
            values[me, other] = value
    return values


class Shared:
    """Data that all states share; a deep copy of a state keeps a reference to it."""

    def __init__(self, model, first=()):
        self.model, self.first = model, first

    def __deepcopy__(self, memo):
        return self


class OneGame(pyspiel.Game):
    """A game with perfect information and explicit chance that begins in state 0."""

    dynamics = pyspiel.GameType.Dynamics.SEQUENTIAL

    def __init__(self, model, players: int, actions: int, most: float, outcomes: int):
        self.model = model
        names = (f"one_{type(self).__name__.lower()}",) * 2
        kind = pyspiel.GameType(
            short_name=names[0],
            long_name=names[1],
            dynamics=self.dynamics,
            chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
            information=pyspiel.GameType.Information.PERFECT_INFORMATION,
            utility=pyspiel.GameType.Utility.ZERO_SUM if players == 2 else pyspiel.GameType.Utility.GENERAL_SUM,
            reward_model=pyspiel.GameType.RewardModel.TERMINAL,
            max_num_players=players,
            min_num_players=players,
            provides_information_state_string=False,
            provides_information_state_tensor=False,
            provides_observation_string=False,
            provides_observation_tensor=False,
            provides_factored_observation_string=False,
        )
        info = pyspiel.GameInfo(
            num_distinct_actions=actions,
            max_chance_outcomes=outcomes,
            num_players=players,
            min_utility=-most if players == 2 else 0.0,
            max_utility=most,
            utility_sum=0.0 if players == 2 else None,
            max_game_length=10**6,
        )
        super().__init__(kind, info, {})


class ProcessGame(OneGame):
    """A process whose only reward comes at its end."""

    def __init__(self, process):
        first = np.append(process.first, len(process.state)).tolist()
        self.shared = Shared(process, first)
        most = int(np.diff(first).max())
        super().__init__(process, 1, most, float(process.reward.max()), int(process.P.getnnz(axis=1).max()) + 1)

    def new_initial_state(self):
        return ProcessState(self)


class ProcessState(pyspiel.State):
    def __init__(self, game):
        super().__init__(game)
        self.shared = game.shared
        self.at, self.pair = 0, None  # at: the state, None at the end; pair: the chosen action if chance moves next

    def current_player(self):
        if self.at is None:
            return pyspiel.PlayerId.TERMINAL
        return 0 if self.pair is None else pyspiel.PlayerId.CHANCE

    def _legal_actions(self, player):
        first = self.shared.first
        return list(range(first[self.at + 1] - first[self.at]))

    def _row(self):
        P = self.shared.model.P
        row = slice(P.indptr[self.pair], P.indptr[self.pair + 1])
        return P.indices[row], P.data[row]

    def chance_outcomes(self):
        probabilities = self._row()[1].tolist()
        lost = 1 - sum(probabilities)
        return list(enumerate([*probabilities, lost] if lost > 1e-9 else probabilities))

    def _apply_action(self, action):
        if self.pair is None:
            self.pair = self.shared.first[self.at] + action
            if not len(self._row()[0]):
                self.at = None
        else:
            columns = self._row()[0]
            self.at, self.pair = (int(columns[action]), None) if action < len(columns) else (None, None)

    def is_terminal(self):
        return self.at is None

    def returns(self):
        return [float(self.shared.model.reward[self.pair]) if self.at is None and self.pair is not None else 0.0]

    def __str__(self):
        return f"end {self.pair}" if self.at is None else f"{self.at}" + ("" if self.pair is None else f" {self.pair}")


class RoundsGame(OneGame):
    """Hog; all outcomes beyond the target that have the same winner are merged."""

    dynamics = pyspiel.GameType.Dynamics.SIMULTANEOUS

    def __init__(self, rounds):
        self.shared = Shared(rounds)
        super().__init__(rounds, 2, len(rounds.q), 1.0, (rounds.target + 1) ** 2 + 3)

    def new_initial_state(self):
        return RoundsState(self)


class RoundsState(pyspiel.State):
    def __init__(self, game):
        super().__init__(game)
        self.shared, self.at, self.throws, self.won, self.ahead = game.shared, (0, 0), None, None, None

    def current_player(self):
        if self.won is not None:
            return pyspiel.PlayerId.TERMINAL
        return pyspiel.PlayerId.SIMULTANEOUS if self.throws is None else pyspiel.PlayerId.CHANCE

    def _legal_actions(self, player):
        return list(range(len(self.shared.model.q)))

    def _apply_actions(self, actions):
        self.throws = tuple(actions)

    def _places(self):
        """Return the probability of each place after the throws; a place is a pair of points, or the winner's sign."""
        q, target = self.shared.model
        found = {}
        mine, theirs = (q[throw] for throw in self.throws)
        for i in np.flatnonzero(mine):
            for j in np.flatnonzero(theirs):
                a, b = int(self.at[0] + i), int(self.at[1] + j)
                place = (a, b) if max(a, b) < target else (a > b) - (a < b)
                found[place] = found.get(place, 0.0) + float(mine[i] * theirs[j])
        return found

    def chance_outcomes(self):
        self.ahead = self.ahead or self._places()
        return list(enumerate(self.ahead.values()))

    def _apply_action(self, action):
        place = list(self.ahead or self._places())[action]
        self.throws = self.ahead = None
        if isinstance(place, tuple):
            self.at = place
        else:
            self.won = place

    def is_terminal(self):
        return self.won is not None

    def returns(self):
        return [float(self.won or 0), -float(self.won or 0)]

    def __str__(self):
        if self.won is not None:
            return f"won {self.won}"
        return f"{self.at[0]} {self.at[1]}" + ("" if self.throws is None else f" {self.throws}")
