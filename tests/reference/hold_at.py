"""What a policy earns alone, in a turn and in a race, by following its turns roll by roll.

Turns and policies are those of `reference.duel_policies`; without an opponent, a policy is asked about opponent 0.
"""

from math import inf

from reference.duel_policies import kept
from reference.matches import BUST


def ends(turn, policy, me=0, target=inf):
    """{points banked, or BUST: probability} of a turn that begins with `me` points."""
    found, here = {}, {(0, turn.start): 1.0}
    while here:
        position = min(here)
        chance = here.pop(position)
        t, mode = position
        if t >= target - me or (t and not policy[0](me, 0, t, mode)):
            found[t] = found.get(t, 0) + chance
            continue
        weights = sum(weight for weight, _ in turn.rolls[mode])
        for weight, outcome in turn.rolls[mode]:
            share = chance * weight / weights
            if outcome == BUST:
                found[BUST] = found.get(BUST, 0) + share
            else:
                after = kept(policy, me, 0, t, outcome, target)
                here[after] = here.get(after, 0) + share
    return found


def points(turn, policy):
    """The expected points of one turn."""
    return sum(p * t for t, p in ends(turn, policy).items() if t != BUST)


def turns(turn, target, policy):
    """The expected number of turns to a target."""
    return moments(turn, target, policy)[0]


def moments(turn, target, policy):
    """(mean, variance) of the number of turns to a target."""
    mean, square = {}, {}
    for me in range(target - turn.unit, -1, -turn.unit):
        found = ends(turn, policy, me, target)
        busts = found.pop(BUST, 0)
        goes_on = [(p, me + t) for t, p in found.items() if me + t < target]
        mean[me] = (1 + sum(p * mean[to] for p, to in goes_on)) / (1 - busts)
        later = busts * mean[me] + sum(p * mean[to] for p, to in goes_on)
        square[me] = (1 + 2 * later + sum(p * square[to] for p, to in goes_on)) / (1 - busts)
    return mean[0], square[0] - mean[0] ** 2
