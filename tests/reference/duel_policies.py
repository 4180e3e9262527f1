"""Two policies in a duel by value iteration in floats, state by state, with no attempt at speed.

`turn` is a `reference.matches.Turn`. A policy is a pair of functions of (me, opponent, turn total, mode): whether to
roll on, and a score by which it keeps dice; equal scores are decided by the most points, then by the most dice to roll.
`BEST` as the first player's policy means the best response.
"""

from functools import cache
from itertools import product

from reference.hog import gains
from reference.matches import BUST, OUT, WIPE, positions

BEST = None
CLOSE = 1e-15


def matchup(turn, target, one, other):
    """(P(`one` wins) if it begins, P(`one` wins) if `other` begins)."""
    pairs = list(product(range(0, target, turn.unit), repeat=2))
    # P(player `one` wins) by (player to move, mover's total, opponent's total).
    P = {(who, *pair): 0.0 for who in (0, 1) for pair in pairs}

    def turn_of(who, me, opponent):
        policy = (one, other)[who]
        win, lost = 1.0 - who, P[1 - who, opponent, me]
        known = {}

        def worth(t, mode):
            return win if t >= target - me else known[t, mode]

        for t, mode in positions(turn, target - me):
            total = 0
            for weight, outcome in turn.rolls[mode]:
                if outcome == BUST:
                    total += weight * lost
                elif outcome == WIPE:
                    total += weight * P[1 - who, opponent, 0]
                elif outcome == OUT:
                    total += weight * (1 - win)
                elif policy is BEST:
                    total += weight * max(worth(t + gain, then) for gain, then in outcome)
                else:
                    total += weight * worth(*kept(policy, me, opponent, t, outcome, target))
            rolled = total / sum(weight for weight, _ in turn.rolls[mode])
            if t == 0:
                known[t, mode] = rolled
                continue
            stopped = P[1 - who, opponent, me + t]
            on = rolled > stopped if policy is BEST else policy[0](me, opponent, t, mode)
            known[t, mode] = rolled if on else stopped
        return known[0, turn.start]

    change = 1.0
    while change > CLOSE:
        change = 0.0
        for me, opponent in sorted(pairs, key=lambda pair: -sum(pair)):
            both, moved = ((0, me, opponent), (1, opponent, me)), 1.0
            while moved > CLOSE:  # busts lead from each of the two positions to the other
                before = [P[place] for place in both]
                P |= {place: turn_of(*place) for place in both}
                moved = max(abs(P[place] - chance) for place, chance in zip(both, before, strict=True))
                change = max(change, moved)
    return P[0, 0, 0], P[1, 0, 0]


@cache
def kept(policy, me, opponent, t, outcome, target):
    """The position that a policy chooses among those to which a roll leads."""
    reached = [(t + gain, mode) for gain, mode in outcome]
    if any(total >= target - me for total, _ in reached):
        return max(reached)
    best = max(policy[1](me, opponent, *position) for position in reached)
    return max(p for p in reached if policy[1](me, opponent, *p) >= best - 1e-12)


def throws(target, dice, one, other, sides=6, on_one="nothing"):
    """As `matchup`, for single throws; a policy gives the number of dice by (me, opponent)."""
    pairs = list(product(range(target), repeat=2))
    P = {(who, *pair): 0.0 for who in (0, 1) for pair in pairs}
    q = {d: [(gain, float(p)) for gain, p in enumerate(gains(d, sides)) if p] for d in range(1, dice + 1)}

    def worth(who, me, opponent, d):
        total = 0.0
        for gain, p in q[d]:
            if me + gain >= target:
                total += p * (1.0 - who)
            else:
                total += p * P[1 - who, opponent, 0 if gain == 0 and on_one == "all" else me + gain]
        return total

    change = 1.0
    while change > CLOSE:
        change = 0.0
        for who, me, opponent in sorted(P, key=lambda key: -key[1] - key[2]):
            policy = (one, other)[who]
            tried = q if policy is BEST else [policy(me, opponent)]
            new = max(worth(who, me, opponent, d) for d in tried)
            change = max(change, abs(new - P[who, me, opponent]))
            P[who, me, opponent] = new
    return P[0, 0, 0], P[1, 0, 0]
