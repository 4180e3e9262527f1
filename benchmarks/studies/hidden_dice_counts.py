"""Hog with visible numbers of dice and hidden scores: variant 5 of section 5 of Tijms & van der Wal (2005).

A player knows the public history (how many dice both players threw in each round) and the player's own score; how the
score arose does not matter (solvers/throws/hidden.py). But histories do not merge, because the numbers of dice tell the
other player something about the score. After t throws of up to D dice there are D**(2 t) histories, so the linear
program in sequence form, over flows f(history, own score, dice), grows by the factor D**2 with every round.

`rows` counts pairs (history, own score), `variables` and `entries` describe the program, `exploitability` is the gain
of a best response to the plan found. A game without a winner after `rounds` is a draw, with probability `undecided`.
"""

import sys
from collections import defaultdict
from itertools import product
from math import log10
from pathlib import Path
from time import process_time

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import csr_array

sys.path.insert(0, str(Path(__file__).parents[1]))  # for _measure

from _measure import heading, number, table

SIZES = {(6, 2): range(1, 8), (10, 2): range(1, 7), (10, 3): range(1, 5), (20, 5): range(1, 3), (40, 5): range(1, 3)}
SECONDS = 30.0  # time limit of one linear program; after a timeout, no larger number of rounds is tried


def gains(dice: int, sides: int = 6) -> list[dict[int, float]]:
    """Return for each number of dice the probability of each score, which is 0 points if any die shows a 1."""
    throws, sums = [], {0: 1}
    for d in range(1, dice + 1):
        ways: dict[int, int] = defaultdict(int)
        for points, face in product(sums, range(2, sides + 1)):
            ways[points + face] += sums[points]
        sums = dict(ways)
        throws.append({0: 1 - sum(sums.values()) / sides**d} | {k: w / sides**d for k, w in sums.items()})
    return throws


class Tree:
    """The game tree. A history is a tuple of pairs (own dice - 1, other player's dice - 1); the other player sees each
    pair swapped."""

    def __init__(self, target: int, dice: int, rounds: int):
        self.G, self.D, self.gains = target, dice, gains(dice)
        self.levels = [{(): {0}}]  # for each number of rounds played, the possible own scores by history
        for _ in range(rounds - 1):
            level = {}
            for history, scores in self.levels[-1].items():
                for own, other in product(range(dice), repeat=2):
                    level[(*history, (own, other))] = {a + g for a in scores for g in self.gains[own] if a + g < target}
            self.levels.append(level)
        self.rows = [(h, a) for level in self.levels for h, scores in level.items() for a in sorted(scores)]
        self.choices = [(h, a, d) for h, a in self.rows for d in range(dice)]

    @staticmethod
    def turned(history):
        """Return the history as the other player sees it."""
        return tuple((other, own) for own, other in history)

    def entries(self):
        """Return the number of each row; a list of (choice, next row, probability); and for each (history, dice,
        excess) a list of (choice, probability)."""
        row = {key: i for i, key in enumerate(self.rows)}
        following, beyond = [], defaultdict(list)
        for i, (h, a, d) in enumerate(self.choices):
            for g, p in self.gains[d].items():
                if a + g < self.G:
                    following.extend((i, row[key], p) for e in range(self.D) if (key := ((*h, (d, e)), a + g)) in row)
            tail = 0.0
            for j in range(a + max(self.gains[d]) - self.G, -1, -1):
                tail += self.gains[d].get(self.G + j - a, 0.0)
                beyond[h, d, j].append((i, tail))
        return row, following, beyond

    def solve(self):
        """Return the flow by choice of an equilibrium plan, None on timeout, and the program's variables and entries.

        Minimise the value v of a best response at the start. Let S(h, e) be the probability that the other player still
        plays at h and throws e dice, C(h, e, j) the probability that the total after this is G + j or more, and h' the
        swapped history:
        v(h, a) >= sum over e and gains g of p_g * (v((h, (d, e)), a + g) - C(h', e, 0)                  below G
                                                    S(h', e) - C(h', e, j) - C(h', e, j + 1)           at G + j).
        """
        row, following, beyond = self.entries()
        flows, rows = len(self.choices), len(self.rows)
        nodes = [(h, e) for level in self.levels for h in level for e in range(self.D)]
        on = {node: flows + i for i, node in enumerate(nodes)}
        tails = {key: flows + len(on) + i for i, key in enumerate(beyond)}
        first = flows + len(on) + len(tails)
        equal, above = [], []
        for i, (h, a, d) in enumerate(self.choices):
            equal += [(row[h, a], i, 1.0), (rows + on[h, d] - flows, i, 1.0)]
            above.append((i, first + row[h, a], -1.0))
            for e in range(self.D):
                node = self.turned(h), e
                for g, p in self.gains[d].items():
                    if a + g >= self.G:
                        above.append((i, on[node], p))
                        above += [
                            (i, tails[*node, j], -p)
                            for j in (a + g - self.G, a + g - self.G + 1)
                            if (*node, j) in tails
                        ]
                    elif (*node, 0) in tails:
                        above.append((i, tails[*node, 0], -p))
        equal += [(k, i, -p) for i, k, p in following]
        equal += [(rows + column - flows, column, -1.0) for column in (*on.values(), *tails.values())]
        equal += [(rows + tails[key] - flows, i, p) for key, terms in beyond.items() for i, p in terms]
        above += [(i, first + k, p) for i, k, p in following]
        variables = first + rows
        right = np.zeros(rows + len(on) + len(tails))
        right[0] = 1.0
        result = linprog(
            np.eye(1, variables, first)[0],
            A_ub=_sparse(above, flows, variables),
            b_ub=np.zeros(flows),
            A_eq=_sparse(equal, len(right), variables),
            b_eq=right,
            bounds=[(0, None)] * first + [(None, None)] * rows,
            method="highs",
            options={"time_limit": SECONDS, "primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
        )
        return (None if result.status else np.maximum(result.x[:flows], 0)), variables, len(equal) + len(above)

    def reply(self, flow: np.ndarray) -> tuple[float, float]:
        """Return the gain of a best response to the plan in `flow`, and the probability of a draw if both play it."""
        shares = dict(zip(self.choices, flow, strict=True))
        on: dict = {((), 0): 1.0}
        thrown, arrive = defaultdict(float), defaultdict(lambda: defaultdict(float))
        below = defaultdict(float)
        for h, a in self.rows:
            total = sum(shares[h, a, d] for d in range(self.D))
            for d in range(self.D):
                share = shares[h, a, d] / total if total > 0 else 1 / self.D
                f = on.get((h, a), 0.0) * share
                thrown[h, d] += f
                for g, p in self.gains[d].items():
                    if a + g >= self.G:
                        arrive[h, d][a + g] += f * p
                        continue
                    below[h, d] += f * p
                    for e in range(self.D):
                        key = (*h, (d, e)), a + g
                        on[key] = on.get(key, 0.0) + f * p
        value = defaultdict(float)
        for h, a in reversed(self.rows):
            worth = [0.0] * self.D
            for d, e in product(range(self.D), repeat=2):
                node = self.turned(h), e
                for g, p in self.gains[d].items():
                    k = a + g
                    if k < self.G:
                        worth[d] += p * (value[(*h, (d, e)), k] - sum(arrive[node].values()))
                    else:
                        met = sum(((k > other) - (k < other)) * q for other, q in arrive[node].items())
                        worth[d] += p * (met + below[node])
            value[h, a] = max(worth)
        last = [sum(below[h, d] for d in range(self.D)) for h in self.levels[-1]]
        both = dict(zip(self.levels[-1], last, strict=True))
        return value[(), 0], sum(p * both[self.turned(h)] for h, p in both.items())


def _sparse(entries, rows: int, columns: int) -> csr_array:
    i, j, x = zip(*entries, strict=True)
    return csr_array((x, (i, j)), shape=(rows, columns))


def measure(target: int, dice: int, rounds: int) -> tuple[bool, list[str]]:
    """Return whether the game was solved, and its row of the table."""
    started = process_time()
    tree = Tree(target, dice, rounds)
    flow, variables, entries = tree.solve()
    seconds = process_time() - started
    row = [f"G={target} D={dice}", rounds, len(tree.rows), variables, entries, number(seconds)]
    if flow is None:
        return False, [*row, "not solved", ""]
    gained, undecided = tree.reply(flow)
    return True, [*row, f"{gained:.1e}", f"{undecided:.2g}"]


def main() -> None:
    heading(__doc__.splitlines()[0])
    rows = []
    for (target, dice), all_rounds in SIZES.items():
        for rounds in all_rounds:
            solved, row = measure(target, dice, rounds)
            rows.append(row)
            if not solved:
                break
    table(["game", "rounds", "rows", "variables", "entries", "seconds", "exploitability", "undecided"], rows)
    for dice, rounds in ((5, 40), (10, 60)):
        histories = 2 * (rounds - 1) * log10(dice)
        print(f"Out of reach: D = {dice} and {rounds} rounds, enough for G = 40, have 1e{histories:.0f} histories.")


if __name__ == "__main__":
    main()
