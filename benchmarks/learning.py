"""Learning with a known optimum: Q-learning and Monte Carlo tree search on five games, by exact regret.

Both see a game only by playing it. Q-learning (Watkins 1989) plays against itself with steps of 1 / visits^0.7 and
takes a random action with probability EPSILON; the loss of its policy from the start of play is exact.
Tree search is UCT (Kocsis and Szepesvári 2006) with random playouts; its constant is the range of the game's values.
Intervals are 95 % over seeds, by Student's t.

python benchmarks/learning.py [results]
"""

import sys

import numpy as np
from _measure import table
from numba import njit
from scipy.stats import t as student

from dicebase.environments import solved_game
from dicebase.vocabulary import words

GAMES = {
    "pig_turn": {},
    "shut_the_box_win": {},
    "cant_stop_turns": {"sides": 2, "shortest": 3},
    "hog_duel": {"max_dice": 5},
    "pig_duel": {"target": 50},
}
EPISODES = (1_000, 10_000, 100_000)
SIMULATIONS = (100, 1_000, 10_000)
SEEDS, SAMPLE = 10, 50
EPSILON, POWER, LONGEST = 0.1, 0.7, 10_000


@njit(cache=True)
def best(q, sense, s, first):
    """Return the index of the best action of state `s` by `q`, (K,); of equal ones the first."""
    k = first[s]
    for other in range(first[s] + 1, first[s + 1]):
        if sense[s] * q[other] > sense[s] * q[k]:
            k = other
    return k


@njit(cache=True)
def rolled(k, begin, upto):
    """Return a random outcome of action `k`; `upto`, (outcomes,), has the chance of it and of those before it."""
    o, x = begin[k], np.random.random()
    while o < begin[k + 1] - 1 and x >= upto[o]:
        o += 1
    return o


@njit(cache=True)
def learn(q, visits, start, first, sense, begin, upto, following, reward, sign, episodes, seed):
    """Play `episodes` games from `start`, and improve the values of actions `q` in place, (K,)."""
    np.random.seed(seed)
    for _ in range(episodes):
        s, moves = start, 0
        while s >= 0 and moves < LONGEST:
            k = best(q, sense, s, first)
            if np.random.random() < EPSILON:
                k = np.random.randint(first[s], first[s + 1])
            o = rolled(k, begin, upto)
            ahead = q[best(q, sense, following[o], first)] if following[o] >= 0 else 0.0
            visits[k] += 1
            q[k] += (reward[o] + sign[o] * ahead - q[k]) / visits[k] ** POWER
            s, moves = following[o], moves + 1


@njit(cache=True)
def search(root, scale, first, sense, begin, upto, following, reward, sign, simulations, seed):
    """Return the index of the action that UCT visits most often at `root`."""
    np.random.seed(seed)
    visits, totals = np.zeros(len(begin) - 1), np.zeros(len(begin) - 1)
    actions, outcomes = np.empty(LONGEST, np.int64), np.empty(LONGEST, np.int64)
    for _ in range(simulations):
        s, length, tree = root, 0, 0
        while s >= 0 and length < LONGEST:
            k, highest = first[s] + np.random.randint(first[s + 1] - first[s]), -np.inf
            if tree == length:  # still in the tree
                tree += 1
                number = visits[first[s] : first[s + 1]].sum()
                for other in range(first[s], first[s + 1]):
                    if visits[other] == 0:
                        bound = 1e300 * (1 + np.random.random())
                    else:
                        bonus = scale * np.sqrt(np.log(number) / visits[other])
                        bound = sense[s] * totals[other] / visits[other] + bonus
                    if bound > highest:
                        k, highest = other, bound
                if visits[k] == 0:
                    tree -= 1  # expand one action, then play at random
            actions[length] = k
            outcomes[length] = o = rolled(k, begin, upto)
            s, length = following[o], length + 1
        earned = 0.0
        for i in range(length - 1, -1, -1):
            o = outcomes[i]
            earned = reward[o] + sign[o] * earned
            if i <= tree:
                visits[actions[i]] += 1
                totals[actions[i]] += earned
    return first[root] + np.argmax(visits[first[root] : first[root + 1]])


def interval(numbers):
    """Return the mean of one number per seed, and half its 95 % interval, as text."""
    half = student.ppf(0.975, len(numbers) - 1) * np.std(numbers, ddof=1) / len(numbers) ** 0.5
    return f"{np.mean(numbers):.4f} ± {half:.4f}"


def worst(game, places, chosen):
    """Return the position with the largest mean regret over seeds; `chosen` has indices of actions, (seeds, places)."""
    at = int(game.regrets[chosen].mean(axis=0).argmax())
    k = max(chosen[:, at], key=lambda k: game.regrets[k])
    good = game.legal(places[at])[int(np.argmin(game.regrets[game.first[places[at]] : game.first[places[at] + 1]]))]
    said = f"{game.names[places[at]]}: {game.actions[game.number[k]]} for {game.actions[good]}"
    return f"{said}, {game.regrets[k]:.4f}"


def main(results="results"):
    losses, regrets, errors = [], [], []
    for name, parameters in GAMES.items():
        game = solved_game(name, results, **parameters)
        arrays = game.first, game.sense.astype(float), game.begin
        upto = np.concatenate([game.chance[a:b].cumsum() for a, b in zip(game.begin, game.begin[1:], strict=False)])
        arrays += (upto, game.next, game.reward, game.sign.astype(float))
        places = np.array([game.state(position) for position in game.sample(SAMPLE)])
        scale, value = float(np.ptp(game.value)), game.optimal_value()
        label = f"{name} {words(game.parameters)}"
        known = game.references()
        of = {n: "-" if known[n] is None else f"{abs(value - known[n]):.4f}" for n in ("random", "greedy")}
        loss, regret = {n: [] for n in EPISODES}, {}
        for seed in range(SEEDS):
            q, visits, done = np.zeros(len(game.q)), np.zeros(len(game.q), np.int64), 0
            for episodes in EPISODES:
                learn(q, visits, game.start, *arrays, episodes - done, seed * 1000 + done)
                done = episodes
                taken = np.array([best(q, arrays[1], s, game.first) for s in range(len(game.names))])
                mix = np.bincount(taken, minlength=len(q))
                earned = game.expected_return(mix)
                loss[episodes].append(np.nan if earned is None else abs(value - earned))
                regret.setdefault(f"Q {episodes}", []).append(taken[places])
            for simulations in SIMULATIONS:
                found = [search(s, scale, *arrays, simulations, seed * 1000 + i) for i, s in enumerate(places)]
                regret.setdefault(f"UCT {simulations}", []).append(np.array(found))
        losses.append([label, f"{value:.4f}", *of.values(), *(interval(loss[n]) for n in EPISODES)])
        means = {n: game.regrets[np.array(chosen)].mean(axis=1) for n, chosen in regret.items()}
        regrets.append([label, *(interval(means[n]) for n in regret)])
        for n in (f"Q {EPISODES[-1]}", f"UCT {SIMULATIONS[-1]}"):
            errors.append([label, n, worst(game, places, np.array(regret[n]))])
    print("Loss of the policy from the start of play, in the unit of the value, after episodes of Q-learning\n")
    table(["game", "value", "random", "greedy", *map(str, EPISODES)], losses)
    print(f"Mean regret over {SAMPLE} fixed positions, after episodes (Q) or simulations at each position (UCT)\n")
    table(["game", *regret], regrets)
    print("Where they err: the position with the largest mean regret, the worse action for the best one, its regret\n")
    table(["game", "method", "position"], errors)


if __name__ == "__main__":
    main(*sys.argv[1:])
