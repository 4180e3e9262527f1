"""Hog with hidden throws (Tijms and van der Wal, section 5, variant 4): ends of a plan, and the best answer to ends.

Players see their own throws only. The paper leaves the game open; here it lasts `horizon` throws at most. Both throw
at the same time. The player who needs fewer throws to reach the target wins; after equally many throws the larger total
wins. Equal totals tie, and so does a game in which nobody reaches the target. Choices after the end change nothing, so
each plan can be played to its own end and only the two ends (number of throws, total) are compared.

q[d - 1] lists the probabilities of the gains 0, 1, ... of throw d.
"""

NEVER = None  # the end of a plan that does not reach the target


def ends_of(q, plan, target, horizon):
    """(ends, reached) of a plan {(throws made, score): {d: probability}}.

    ends is {(throws, total) or NEVER: probability}; reached is {(throws made, score): probability of being there}.
    """
    reached, ends = {(0, 0): 1}, {}
    for made in range(horizon):
        for score in range(target):
            here = reached.get((made, score), 0)
            for d, chance in plan[made, score].items() if here else ():
                for gain, p in enumerate(q[d - 1]):
                    book = ends if score + gain >= target else reached
                    if p and chance:
                        book[made + 1, score + gain] = book.get((made + 1, score + gain), 0) + here * chance * p
    ends[NEVER] = 1 - sum(ends.values())
    return ends, reached


def beats(mine, theirs):
    """1, 0 or -1 if the first of two ends wins, ties or loses."""
    if NEVER in (mine, theirs):
        return (mine is not NEVER) - (theirs is not NEVER)
    mine, theirs = (-mine[0], mine[1]), (-theirs[0], theirs[1])
    return (mine > theirs) - (mine < theirs)


def best_answer(q, others, target, horizon):
    """(payoff, Q) of a best plan against the others' ends; Q[throws made, score][d] is the payoff to expect there."""
    ends = [NEVER, *((made, total) for made in range(1, horizon + 1) for total in range(target, target + len(q[-1])))]
    worth = {end: sum(r * beats(end, theirs) for theirs, r in others.items()) for end in ends}
    V, Q = {(horizon, score): worth[NEVER] for score in range(target)}, {}
    for made in range(horizon - 1, -1, -1):
        after = {n: worth[made + 1, n] if n >= target else V[made + 1, n] for n in range(target + len(q[-1]))}
        for score in range(target):
            falls = ([p * after[score + gain] for gain, p in enumerate(of) if p] for of in q)
            Q[made, score] = {d: sum(fall) for d, fall in enumerate(falls, start=1)}
            V[made, score] = max(Q[made, score].values())
    return V[0, 0], Q
