"""Nearly an equilibrium by predictive regret matching+ (Farina, Kroer and Sandholm 2021), for games that are too large
for linear programs. Players take turns, and the average of their plans has weights that grow as squares. It stops when
the gap is small enough: the sum of what best responses gain against both average plans.
"""

import numpy as np

from dicebase.solvers.hidden.sequences import Side
from dicebase.vocabulary.kernels import kernel
from dicebase.vocabulary.progress import reporter

LOOK, MOST = 50, 4_000  # iterations between two checks, and at most


def match_regrets(sides: tuple[Side, Side], gap: float) -> list[np.ndarray]:
    """Return the mixes, (S,), of both players, with a gap of at most `gap` unless that takes MOST iterations."""
    mixes, report = [side.uniform.copy() for side in sides], reporter("iteration")
    plans = [side.plan(mix) for side, mix in zip(sides, mixes, strict=True)]
    regrets, sums = ([np.zeros(len(plan)) for plan in plans] for _ in range(2))
    for step in range(1, MOST + 1):
        for i, side in enumerate(sides):
            _match(side.parent, side.first, side.payoff @ plans[1 - i], regrets[i], mixes[i])
            plans[i] = side.plan(mixes[i])
            sums[i] += step**2 * plans[i]
        if step % LOOK == 0:
            found = [side.mix(total, side.uniform) for side, total in zip(sides, sums, strict=True)]
            replies = [sides[1 - i].values(sides[i].plan(found[i]))[0][0] for i in range(2)]
            report(step, MOST)
            if sum(replies) <= gap:
                break
    return found


@kernel(_nrt=True)
def _match(parent, first, q, regret, mix):
    """Update the regrets and the mix of one player. q : (S,), payoffs of sequences, which are filled in with those of
    later sets; regret, mix : (S,)."""
    for k in range(len(parent) - 1, -1, -1):
        low, high = first[k], first[k + 1]
        v = 0.0
        for s in range(low, high):
            v += mix[s] * q[s]
        q[parent[k]] += v
        total = 0.0
        for s in range(low, high):
            regret[s] = max(0.0, regret[s] + q[s] - v)
            mix[s] = max(0.0, regret[s] + q[s] - v)
            total += mix[s]
        for s in range(low, high):
            mix[s] = mix[s] / total if total > 0 else 1.0 / (high - low)
