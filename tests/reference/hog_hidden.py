"""Reference solution of hog with hidden throws (Tijms and van der Wal, section 5, variant 4).

Players see their own throws only. The paper leaves the game open; here it lasts `horizon` throws at most. Both throw
at the same time. The player who needs fewer throws to reach the target wins; after equally many throws the larger total
wins. Equal totals tie, and so does a game in which nobody reaches the target. Choices after the end change nothing, so
each plan can be played to its own end and only the two ends (number of throws, total) are compared.

The solver grows two lists of deterministic plans: the matrix game between the lists gives mixtures, and the best
answers to the mixtures join the lists until no answer gains. A mixture then guarantees its exact payoff against a best
answer, independently of rounding on the way.
"""

from fractions import Fraction

from .hog import gains
from .hog_simultaneous import matrix_game

NEVER = None  # the end of a plan that does not reach the target


def ends_of(plan, start, target, horizon, sides=6, on_one="nothing"):
    """(ends, reached) of a plan {(throws made, score): {d: probability}}.

    ends is {(throws, total) or NEVER: probability}; reached is {(throws made, score): probability of being there}.
    """
    reached, ends = {(0, start): Fraction(1)}, {}
    for made in range(horizon):
        for score in range(target):
            here = reached.get((made, score), 0)
            if not here:
                continue
            for d, chance in plan[made, score].items():
                for gain, p in enumerate(gains(d, sides)):
                    total = score + gain if gain or on_one == "nothing" else 0
                    book = ends if total >= target else reached
                    if p and chance:
                        book[made + 1, total] = book.get((made + 1, total), 0) + here * chance * p
    ends[NEVER] = 1 - sum(ends.values())
    return ends, reached


def beats(mine, theirs):
    """1, 0 or -1 if the first of two ends wins, ties or loses."""
    if NEVER in (mine, theirs):
        return (mine is not NEVER) - (theirs is not NEVER)
    mine, theirs = (-mine[0], mine[1]), (-theirs[0], theirs[1])
    return (mine > theirs) - (mine < theirs)


def payoff(ends, others):
    """Expected payoff of a distribution of ends against that of the other player."""
    return sum(p * r * beats(mine, theirs) for mine, p in ends.items() for theirs, r in others.items())


def best_answer(others, start, target, dice, horizon, sides=6, on_one="nothing"):
    """(payoff, plan, Q) of a best deterministic plan against the others' ends; the fewest dice on ties.

    Q[throws made, score][d] is the expected payoff from there against the same distribution of the other player's ends.
    """
    known = {}

    def worth(end):
        if end not in known:
            known[end] = sum(r * beats(end, theirs) for theirs, r in others.items())
        return known[end]

    V = {(horizon, score): worth(NEVER) for score in range(target)}
    plan, Q = {}, {}
    for made in range(horizon - 1, -1, -1):
        for score in range(target):
            Q[made, score] = {}
            for d in range(1, dice + 1):
                after = 0
                for gain, p in enumerate(gains(d, sides)):
                    if p:
                        total = score + gain if gain or on_one == "nothing" else 0
                        after += p * (worth((made + 1, total)) if total >= target else V[made + 1, total])
                Q[made, score][d] = after
            V[made, score] = max(Q[made, score].values())
            plan[made, score] = {next(d for d, q in Q[made, score].items() if q == V[made, score]): Fraction(1)}
    return V[0, start], plan, Q


def rounded(weights, unit=2**64):
    """Probabilities {key: p} in multiples of 1 / unit, without zeros."""
    result = {key: Fraction(p * unit // 1, unit) for key, p in weights.items()}
    result[max(result, key=result.get)] += 1 - sum(result.values())
    return {key: p for key, p in sorted(result.items()) if p}


def mixture(plans, weights, start, target, horizon, sides=6, on_one="nothing"):
    """The behaviour plan with the same ends as a random choice of one of the plans at the start, up to rounding.

    Places that are never reached are left out.
    """
    flow = {}
    for k, weight in weights.items():
        _, reached = ends_of(plans[k], start, target, horizon, sides, on_one)
        for place, here in reached.items():
            if place[0] < horizon:
                for d, chance in plans[k][place].items():
                    dice = flow.setdefault(place, {})
                    dice[d] = dice.get(d, 0) + weight * here * chance
    return {place: rounded({d: f / sum(dice.values()) for d, f in dice.items()}) for place, dice in flow.items()}


def hidden(target, dice, horizon, sides=6, on_one="nothing", starts=(0, 0), width=Fraction(1, 10**13), bits=80):
    """(low, high, plan, other plan): the first player's behaviour plan guarantees low, the other player's plan high.

    Payoffs are P(win) - P(lose) of the first player; best answers give the exact low and high of the plans returned.
    """
    rules = {"target": target, "horizon": horizon, "sides": sides, "on_one": on_one}
    first = [best_answer({NEVER: Fraction(1)}, start, target, dice, horizon, sides, on_one)[1] for start in starts]
    plans = [[plan] for plan in first]
    ends = [[ends_of(plan, start, **rules)[0]] for plan, start in zip(first, starts, strict=True)]
    M = [[payoff(ends[0][0], ends[1][0])]]
    while True:
        _, *solved = matrix_game([[Fraction(m * 2**bits // 1, 2**bits) for m in row] for row in M])
        weights = [rounded(dict(enumerate(x))) for x in solved]
        mixed = [_mixed(ends[player], weights[player]) for player in (0, 1)]
        answers = [best_answer(mixed[1 - k], starts[k], target, dice, horizon, sides, on_one)[:2] for k in (0, 1)]
        if answers[0][0] + answers[1][0] <= width:
            break
        for player in (0, 1):
            plans[player].append(answers[player][1])
            ends[player].append(ends_of(answers[player][1], starts[player], **rules)[0])
        M = [[payoff(mine, theirs) if max(i, j) + 1 == len(plans[0]) else M[i][j] for j, theirs in enumerate(ends[1])]
             for i, mine in enumerate(ends[0])]  # fmt: skip
    result = [mixture(plans[k], weights[k], starts[k], **rules) for k in (0, 1)]
    found = [ends_of(result[k], starts[k], **rules)[0] for k in (0, 1)]
    high, below = (best_answer(found[1 - k], starts[k], target, dice, horizon, sides, on_one)[0] for k in (0, 1))
    return -below, high, *result


def _mixed(ends, weights):
    total = {}
    for k, weight in weights.items():
        for key, p in ends[k].items():
            total[key] = total.get(key, 0) + weight * p
    return total
