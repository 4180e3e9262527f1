"""The compiled loops of same_rolls.py, over pairs of sets of free slots (a, b) and points ahead d.

gains : (slots, rolls); order : (2**slots, rolls, slots), by expected score; low, width, start, lead : as in SameRolls;
w, p : (rolls,), weights and P(roll); values : V; slots : (positions, rolls), placements; size : slots per set.
"""

import numpy as np

from dicebase.vocabulary.kernels import inner, kernel

ONE = 1 << 30


@inner(inline="always")
def _value(values, start, lead, a, b, d):
    """Return V at (a, b, d), or the result if d already decides the game."""
    if d < -lead[a, b]:
        return 0
    if d > lead[b, a]:
        return ONE
    return values[start[a, b] + d]


@inner
def _slot(gains, order, size, start, lead, policy, a, b, d, x):
    """Return the row policy's slot for roll x; without values, or if d decides the game, the best by expected score."""
    values, assumed = policy.values, policy.assumed
    d -= policy.handicap
    if len(values) == 0 or d < -lead[a, b] or d > lead[b, a]:
        return order[a, x, 0]
    j = order[b, x, 0] if len(assumed) == 0 else assumed[start[b, a] - d, x]
    best, slot = -1, 0
    for k in range(size):
        i = order[a, x, k]
        value = _value(values, start, lead, a ^ (1 << i), b ^ (1 << j), d + gains[i, x] - gains[j, x])
        if value > best:
            best, slot = value, i
    return slot


@kernel(_nrt=True)
def respond(gains, order, sets, low, width, start, lead, w, values, assumed):
    """Fill in V of one layer against the placements `assumed`, or against `optimal` if empty. Neighbouring d for which
    the opponent uses the same slot are computed together."""
    slots, rolls = gains.shape
    total, widest = w.sum(), width.max()
    mean, best = np.zeros(widest, dtype=np.int64), np.zeros(widest, dtype=np.int32)
    for a in sets:
        for b in sets:
            n, first = width[a, b], low[a, b]
            mean[:n] = 0
            for x in range(rolls if n else 0):
                begin = 0
                while begin < n:
                    j, end = order[b, x, 0], n
                    if len(assumed):
                        theirs = start[b, a] - first
                        j, end = assumed[theirs - begin, x], begin + 1
                        while end < n and assumed[theirs - end, x] == j:
                            end += 1
                    after = b ^ (1 << j)
                    best[begin:end] = 0
                    for i in range(slots):
                        if a >> i & 1:
                            rest = a ^ (1 << i)
                            shift = first + gains[i, x] - gains[j, x]
                            lost = max(begin, min(end, -lead[rest, after] - shift))
                            won = max(lost, min(end, lead[after, rest] + 1 - shift))
                            place = start[rest, after] + shift
                            for d in range(lost, won):
                                best[d] = max(best[d], values[place + d])
                            for d in range(won, end):
                                best[d] = ONE
                    begin = end
                for d in range(n):
                    mean[d] += w[x] * best[d]
            place = start[a, b] + first
            for d in range(n):
                values[place + d] = mean[d] // total


@kernel
def place(size, gains, order, sets, low, width, start, lead, policy, slots):
    """Fill `slots` with the placements of a policy."""
    for a in sets:
        for b in sets:
            for d in range(low[a, b], low[a, b] + width[a, b]):
                for x in range(slots.shape[1]):
                    slots[start[a, b] + d, x] = _slot(gains, order, size, start, lead, policy, a, b, d, x)


@kernel
def step(p, gains, order, size, start, lead, reached, now, base, found, after, base_after, row, column):
    """Play one roll from the positions `reached`, (n, 3), with probabilities `now`; write the next positions to `found`
    and their probabilities to `after`. Return P(the row wins now) and the number of positions found. Lost games are
    dropped, and `now` is left all zero."""
    won, count = 0.0, 0
    for n in range(len(reached)):
        a, b, d = np.int64(reached[n, 0]), np.int64(reached[n, 1]), np.int64(reached[n, 2])
        chance = now[start[a, b] + d - base]
        now[start[a, b] + d - base] = 0.0
        for x in range(len(p)):
            i = -1 if row.random else _slot(gains, order, size, start, lead, row, a, b, d, x)
            j = -1 if column.random else _slot(gains, order, size, start, lead, column, b, a, -d, x)
            part = chance * p[x] / ((1 if i >= 0 else size) * (1 if j >= 0 else size))
            for r in range(size):
                one = order[a, x, r]
                if i >= 0 and one != i:
                    continue
                for c in range(size):
                    other = order[b, x, c]
                    if j >= 0 and other != j:
                        continue
                    rest, left = a ^ (1 << one), b ^ (1 << other)
                    ahead = d + gains[one, x] - gains[other, x]
                    if ahead > lead[left, rest]:
                        won += part
                    elif ahead >= -lead[rest, left]:
                        place = start[rest, left] + ahead - base_after
                        if after[place] == 0.0:
                            found[count, 0], found[count, 1], found[count, 2] = rest, left, ahead
                            count += 1
                        after[place] += part
    return won, count
