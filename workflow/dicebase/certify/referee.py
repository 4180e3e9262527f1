"""The referee: games played by the rules, asking the published table what to do in each state.

It knows of a game what vocabulary/game.py says. Every afterstate that play by the table comes to is written down once:
the weights of what can fall, and for each outcome the reward, whether the players change roles, and the afterstate of
what the table does next. A state that is no row, as it is decided in passing, is left by the action that is worth most
by the published values, one step ahead. Then many games are played. What is paid to MAX counts for or against the first
mover, as the players have changed roles. Where they do, the first mover also plays against one who draws his actions.

Of games in which both choose at once a table has the mixes of one player; see throws/referee.py.
"""

import math
from array import array
from collections.abc import Hashable
from fractions import Fraction

import numpy as np

from dicebase.certify.chance import dice, kernel, throw
from dicebase.certify.published import Published
from dicebase.certify.simulation import LONGEST, Simulation, simulate
from dicebase.vocabulary import Controller, Game, State

MIXED = "mixed"  # what a table says of a state where the policy draws an action
FINE = 2**60  # shares of an action drawn


def play(game: Game, published: Published, seed: int) -> Simulation | None:
    """Play a published table, whose rows have passed their check; None where games take too long."""
    moves = Moves(game, published)
    against = Moves(game, published, against_chance=True).games if moves.of_two else None
    return simulate(moves.games, seed, game.value.unit, float(np.ptp(published.values)), against)


class Moves:
    """What a table does, move by move; a move is an afterstate, or a draw among the actions of a state, and who made
    it: 1, or -1 for the other player where he draws his actions."""

    def __init__(self, game: Game, published: Published, against_chance: bool = False) -> None:
        self.game, self.published, self.against_chance = game, published, against_chance
        self.number: dict[tuple[str, Hashable, int], int] = {}  # in the order they are met
        self.die: dict[tuple[int, ...], int] = {}  # by its weights
        self.worth: dict[Hashable, float] = {}
        start = ("after", game.start(), 1)
        self.number[start] = 0
        self.todo = [start]
        self.dice_of: list[int] = []
        self.first: list[int] = [0]
        self.to, self.reward, self.sign = array("q"), array("d"), array("d")  # next move or -1, and so on, by outcome
        for kind, what, who in self.todo:
            self._after(what, who) if kind == "after" else self._mix(what, who)
        # Dice; die and first outcome by move; next move, reward and sign by outcome.
        self.arrays = dice(self.die), *map(np.array, (self.dice_of, self.first, self.to, self.reward, self.sign))

    @property
    def of_two(self) -> bool:
        """Whether two players take turns, who want as much as they can get."""
        return min(self.sign) < 0 < self.game.sense

    def games(self, streams: np.ndarray) -> tuple[np.ndarray, int] | None:
        """Play games; see simulation.Play."""
        payoffs = np.zeros(len(streams))
        made = _play(*self.arrays, payoffs, streams, LONGEST)
        return None if made > LONGEST else (payoffs, made)

    def _after(self, afterstate: Hashable, who: int) -> None:
        outcomes = list(self.game.outcomes(afterstate))
        for _, state, reward, sign in outcomes:
            then = who * sign if self.against_chance else who
            to = -1 if state is None else self._number(self._leaves(state, then))
            self._outcome(to, reward, sign)
        self._close(tuple(o.weight for o in outcomes))

    def _mix(self, state: State, who: int) -> None:
        if who < 0:
            actions = self.game.actions(state)
            drawn = {actions[0]: 1, actions[-1]: 1}
        else:
            shares = {a: int(p * FINE) for a, p in self.published.mixes[state].items()}
            drawn = {action: share for action, share in shares.items() if share}
        for action in drawn:
            self._outcome(self._number(("after", self.game.afterstate(state, action), who)), 0, 1)
        self._close(tuple(drawn.values()))

    def _outcome(self, to: int, reward: int | Fraction, sign: int) -> None:
        self.to.append(to)
        self.reward.append(float(reward))
        self.sign.append(sign)

    def _close(self, weights: tuple[int, ...]) -> None:
        self.dice_of.append(self.die.setdefault(weights, len(self.die)))
        self.first.append(len(self.to))

    def _number(self, move: tuple) -> int:
        if move not in self.number:
            self.number[move] = len(self.number)
            self.todo.append(move)
        return self.number[move]

    def _leaves(self, state: State, who: int) -> tuple[str, Hashable, int]:
        """The move that is made in a state."""
        if who < 0:
            return "mix", state, who
        if not self.game.listed(state):
            return "after", self._passing(state)[1], who
        action = self.published.best_of[state]
        return ("mix", state, who) if action == MIXED else ("after", self.game.afterstate(state, action), who)

    def _passing(self, state: State) -> tuple[float, Hashable]:
        """(worth, afterstate) of the best action in a state that is no row."""
        sense = -1 if self.game.controller(state) is Controller.MIN else 1
        after = [self.game.afterstate(state, action) for action in self.game.actions(state)]
        worth = [self._worth(afterstate) for afterstate in after]
        best = max(range(len(after)), key=lambda i: sense * worth[i])
        return worth[best], after[best]

    def _worth(self, afterstate: Hashable) -> float:
        if afterstate not in self.worth:
            outcomes = list(self.game.outcomes(afterstate))
            terms = (o.weight * (float(o.reward) + o.sign * self._value(o.state)) for o in outcomes)
            self.worth[afterstate] = math.fsum(terms) / sum(o.weight for o in outcomes)
        return self.worth[afterstate]

    def _value(self, state: State | None) -> float:
        if state is None:
            return 0.0
        return self.published.value_of[state] if self.game.listed(state) else self._passing(state)[0]


@kernel
def _play(dice, die, first, to, reward, sign, payoffs, streams, longest):
    made = 0
    for game in range(len(streams)):
        move, role = 0, 1.0
        while move >= 0:
            made += 1
            if made > longest:
                return made
            outcome = first[move] + throw(dice, die[move], streams, game)
            payoffs[game] += role * reward[outcome]
            role *= sign[outcome]
            move = to[outcome]
    return made
