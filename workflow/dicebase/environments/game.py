"""A solved variant as a game to play: states, actions, chance, and the certified value of every state.

Every environment of this package adapts a SolvedGame to one library. States and actions are numbers; `names` and
`actions` are their texts.
"""

import hashlib
from collections.abc import Sequence
from functools import cache, cached_property
from pathlib import Path

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import breadth_first_order

from dicebase.catalog.lookup import Catalog
from dicebase.environments.versions import check_version
from dicebase.show.certificate_file import published_values
from dicebase.show.model import arrays_of, model_of, solved_variant
from dicebase.vocabulary import ConfigurationError, nearest

FIRST_LISTED, GREEDY, OPTIMAL, RANDOM = POLICIES = ("first_listed", "greedy", "optimal", "random")
SETTLED = 1e-14  # relative change of values at which policy evaluation stops


@cache
def solved_game(table: str, results: str = "results", **parameters: int | str) -> "SolvedGame":
    """Return a game of the results folder, read once per process; omitted parameters take their defaults.

    Raises MissingTableError if the variant is not solved there, and ConfigurationError if it is not a game by turns,
    has too many outcomes, or differs from its version in versions.json.
    """
    return SolvedGame(table, results, parameters)


class SolvedGame:
    """A game by turns with S states, of which the last is the start of play, and K actions of states.

    names : (S,), positions as text. players : 1 or 2. actions : the different texts of actions, by number.
    first : (S + 1,), the actions of state s are first[s] to first[s + 1] - 1; number : (K,), the text of each.
    value : (S,), as published, of the player who moves, in `unit`; error_bound is its largest error.
    q : (K,), the value of each action to that player if play is optimal afterwards.
    total : the sum of both players' payoffs; 1 if values are probabilities of winning, otherwise 0.
    """

    def __init__(self, table: str, results: str, parameters: dict[str, int | str]) -> None:
        with Catalog(Path(results)) as catalog:
            solved = solved_variant(catalog.solved(table), {name: str(x) for name, x in parameters.items()})
            check_version(table, solved.row)
            model = model_of(solved)
            published = published_values(catalog, model, solved)
            self.columns = [name for name in catalog.solved(table).columns if name not in solved.parameters]
        self.table, self.parameters = table, dict(solved.parameters)
        self.title, self.unit, self.error_bound = solved.table.title, solved.unit, solved.error_bound
        arrays = arrays_of(model)
        self.names: list[str] = arrays["states"].tolist()
        self.positions = model.states
        self.first, self.sense = arrays["action_start"], np.where(arrays["player"] == 0, 1, -1)
        self.begin, self.next = arrays["outcome_start"], arrays["next_state"]
        self.weight, self.reward, self.sign = arrays["weight"], arrays["reward"], arrays["sign"]
        self.actions, self.number = (x.tolist() for x in _distinct(arrays["actions"]))
        chosen = self.sense[:-1]  # the player of the start of play is not stated
        self.players = 1 if (self.sign > 0).all() and (chosen == chosen[0]).all() else 2
        self.sense[-1] = chosen[0] if self.players == 1 else 1
        self.total = int(self.players == 2 and self.unit == "probability")
        self.of = np.repeat(np.arange(len(self.names)), np.diff(self.first))
        of = np.repeat(np.arange(len(self.number)), np.diff(self.begin))
        weight = self.weight.astype(float)
        self.chance = weight / np.add.reduceat(weight, self.begin[:-1])[of]
        self.value = np.append(published, 0.0)
        self.q = self._expected(self.reward + self.sign * self._ahead(self.value))
        self.value[-1] = self.q[-1]
        start = slice(*self.begin[-2:])
        known = len(self.next[start]) == 1 and self.next[start][0] >= 0 and self.sign[start][0] > 0
        self.start = int(self.next[start][0]) if known and not self.reward[start][0] else len(self.names) - 1
        if self.start < len(self.names) - 1 and self.number[-1] not in self.number[:-1]:
            self.actions.pop()  # nobody has to begin
            self.number[-1] = 0

    def __deepcopy__(self, _: dict) -> "SolvedGame":
        return self  # nothing changes it, and OpenSpiel copies the states of a game

    def _ahead(self, value: np.ndarray) -> np.ndarray:
        """Return a value of each state, (S,), by outcome: that of the next state, and 0 at the end."""
        return np.where(self.next >= 0, value[self.next], 0.0)

    def _expected(self, by_outcome: np.ndarray) -> np.ndarray:
        return np.add.reduceat(self.chance * by_outcome, self.begin[:-1])

    # --- play -------------------------------------------------------------------------------------------------------

    def legal(self, state: int) -> list[int]:
        """Return the numbers of the legal actions, in the order of the rules."""
        return self.number[self.first[state] : self.first[state + 1]]

    def mask(self, state: int) -> np.ndarray:
        """Return 1 for each legal action and 0 for the others, (actions,) of int8; all 0 at the end, state -1."""
        mask = np.zeros(len(self.actions), np.int8)
        if state >= 0:
            mask[self.legal(state)] = 1
        return mask

    def index(self, state: int, action: int | str) -> int:
        """Return the index of an action, given by number or text, in `q`; ConfigurationError if it is illegal."""
        texts = {self.actions[n]: n for n in self.legal(state)}
        number = texts.get(action) if isinstance(action, str) else int(action)
        if number not in texts.values():
            given = repr(action) if isinstance(action, str) else f"{number}"
            allowed = ", ".join(f"{n} ({text})" for text, n in texts.items())
            raise ConfigurationError(f"{self.table} at {self.names[state]}: {given} is illegal; allowed are {allowed}")
        return int(self.first[state]) + self.legal(state).index(number)

    def outcomes(self, k: int) -> range:
        """Return the indices of the outcomes of the action with index `k`."""
        return range(self.begin[k], self.begin[k + 1])

    def roll(self, k: int, rng: np.random.Generator) -> int:
        """Return the index of a random outcome of the action with index `k`; its chance is exact."""
        weights = self.weight[self.begin[k] : self.begin[k + 1]].cumsum()
        return int(self.begin[k] + weights.searchsorted(rng.integers(weights[-1]), "right"))

    def payoffs(self, o: int) -> tuple[float, float]:
        """Return what an outcome pays (MAX, MIN) in play. Over a match of two players the payoffs sum to `total`: with
        probabilities of winning, the winner gets 1, and a change of roles pays nothing."""
        paid = float(self.reward[o]) - self.total * (self.sign[o] < 0)
        return paid, self.total * (self.next[o] < 0) - paid

    # --- the optimum ------------------------------------------------------------------------------------------------

    def state(self, position: int | str) -> int:
        """Return the number of a position given as text or number. Raises ConfigurationError if there is none."""
        if isinstance(position, str):
            if (found := self._state_of.get(position)) is None:
                hint = nearest(position, self.names) if len(self.names) < 100_000 else ""
                raise ConfigurationError(f"{self.table}: there is no position '{position}'{hint}")
            return found
        if not 0 <= position < len(self.names):
            raise ConfigurationError(f"{self.table}: there is no state {position}; there are {len(self.names)}")
        return int(position)

    def described(self, state: int) -> dict[str, int | str]:
        """Return the columns of a position by name; where dice were rolled, `roll` stands for their number."""
        position, names = self.positions[state], self.columns
        if len(position) > len(names):
            names, position = [*names[:-1], "roll"], (*position[:-2], position[-1])
        return dict(zip(names, position, strict=False))

    @cached_property
    def _state_of(self) -> dict[str, int]:
        return {name: s for s, name in enumerate(self.names)}

    def optimal_value(self, state: int | str | None = None) -> float:
        """Return the value of a state to the player who moves, in `unit`; by default of the start of play."""
        return float(self.value[len(self.names) - 1 if state is None else self.state(state)])

    @cached_property
    def regrets(self) -> np.ndarray:
        """What each action loses against the best one of its state, (K,), in `unit`; 0 is optimal."""
        q = self.q * self.sense[self.of]
        return np.maximum.reduceat(q, self.first[:-1])[self.of] - q

    def regret(self, state: int | str, action: int | str) -> float:
        """Return what an action loses against the best one, in `unit`. Raises ConfigurationError if it is illegal."""
        return float(self.regrets[self.index(self.state(state), action)])

    def sample(self, count: int = 100) -> list[str]:
        """Return a fixed sample of the positions with several actions: those whose names have the least digests, on
        every machine and in every version."""
        several = np.flatnonzero(np.diff(self.first) > 1)
        return sorted((self.names[s] for s in several), key=lambda name: hashlib.sha256(name.encode()).digest())[:count]

    # --- reference policies -----------------------------------------------------------------------------------------

    def policy(self, name: str) -> np.ndarray:
        """Return the probability of each action under a policy of POLICIES, (K,). `greedy` takes the most expected
        payoff of the next step. Raises ConfigurationError for another name."""
        if name not in POLICIES:
            raise ConfigurationError(f"{name!r} is not a policy; the policies are {', '.join(POLICIES)}")
        mix = np.zeros(len(self.q))
        if name == RANDOM:
            return 1.0 / np.diff(self.first)[self.of]
        if name == FIRST_LISTED:
            mix[self.first[:-1]] = 1.0
            return mix
        paid = self._expected(self.reward - self.total * (self.sign < 0)) if name == GREEDY else self.q
        order = np.lexsort((np.arange(len(paid)), -paid * self.sense[self.of], self.of))  # ties: the first listed
        mix[order[self.first[:-1]]] = 1.0
        return mix

    def always(self, actions: Sequence[int | str]) -> np.ndarray:
        """Return the policy that takes one action in each state, (S,), as probabilities, (K,)."""
        mix = np.zeros(len(self.q))
        mix[[self.index(s, action) for s, action in enumerate(actions)]] = 1.0
        return mix

    def expected_return(self, mix: np.ndarray) -> float | None:
        """Return the expected value of play from the start under a policy, (K,), without simulation; None if play may
        never end. With two players it is the value to the first, whose opponent plays optimally."""
        S, o_of = len(self.names), np.repeat(np.arange(len(self.q)), np.diff(self.begin))
        best, maximises = self.policy(OPTIMAL), self.sense[self.of] > 0
        seats = [np.where(maximises, mix, best), np.where(maximises, best, mix)]  # the policy as MAX, as MIN
        if self.players == 1:
            seats = [mix, mix]
        rows, to, part, paid = [], [], [], []  # seat i and state s are number i S + s, and the end is 2 S
        for seat, mixed in enumerate(seats):
            chance = mixed[o_of] * self.chance
            o = np.flatnonzero(chance)
            rows.append(seat * S + self.of[o_of[o]])
            ahead = np.where(self.sign[o] > 0, seat, 1 - seat) * S + self.next[o]
            to.append(np.where(self.next[o] >= 0, ahead, 2 * S))
            part.append(chance[o] * self.sign[o])
            paid.append(np.add.reduceat(mixed * self._expected(self.reward), self.first[:-1]))
        places = np.concatenate(rows), np.concatenate(to)
        step = csr_array((np.concatenate(part), places), shape=(2 * S + 1, 2 * S + 1))
        reached = breadth_first_order(step, S - 1, return_predecessors=False)
        ending = breadth_first_order(step.T.tocsr(), 2 * S, return_predecessors=False)
        if len(np.setdiff1d(reached, ending)):
            return None
        reached = np.sort(reached[reached < 2 * S])
        step, earned = step[reached][:, reached].tocsr(), np.concatenate(paid)[reached]
        values, change = earned, 1.0
        while change > SETTLED * (1 + np.abs(values).max()):
            after = earned + step @ values
            values, change = after, np.abs(after - values).max()
        return float(values[reached.searchsorted(S - 1)])

    def references(self) -> dict[str, float | None]:
        """Return the expected return of each policy of POLICIES from the start, in `unit`."""
        return {name: self.expected_return(self.policy(name)) for name in POLICIES}


def _distinct(texts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return (the different texts in order of appearance, the number of each text)."""
    unique, first, number = np.unique(texts, return_index=True, return_inverse=True)
    order = np.argsort(first)
    return unique[order], np.argsort(order)[number]
