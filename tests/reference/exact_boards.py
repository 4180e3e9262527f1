"""Exact values of small boards: value iteration guesses a policy for each player, a linear system in rationals gives
the policies' earnings, and one exact step of the rules shows that no player can do better."""

from fractions import Fraction

from reference.matches import linear_solve

SWEEPS, SWITCHES = 3_000, 200


def solved(plays, sense, stop=Fraction(0), near=0):
    """Return ({state: exact value to its mover}, {state: actions whose value is within `near` of it}).

    plays : {state: [outcomes of an action, ...]}, where an outcome is (weight, next state or None, reward, sign).
    sense : 1 if movers maximise, -1 if they minimise.
    stop : the probability that play ends after every action. It is small and not 0 if best play need not end.
    """
    chances = {
        s: [
            [((1 - stop) * Fraction(w, sum(o[0] for o in outcomes)), t, r, sign) for w, t, r, sign in outcomes]
            for outcomes in some
        ]
        for s, some in plays.items()
    }
    rounded = {s: [[(float(p), t, float(r), g) for p, t, r, g in x] for x in some] for s, some in chances.items()}
    values = dict.fromkeys(plays, 0.0)
    for _ in range(SWEEPS):
        before = dict(values)
        for s, some in rounded.items():
            values[s] = sense * max(sense * mean(outcomes, values) for outcomes in some)
        if values == before:
            break
    policy = {s: best(some, values, sense) for s, some in rounded.items()}
    for _ in range(SWITCHES):
        exact = earned({s: chances[s][k] for s, k in policy.items()})
        if exact is None:
            return solved(plays, sense, Fraction(1, 2**80), Fraction(1, 2**40))
        better = {s: k for s, some in chances.items()
                  if sense * (mean(some[k := best(some, exact, sense)], exact) - exact[s]) > 0}  # fmt: skip
        if not better:
            return exact, {
                s: [k for k, outcomes in enumerate(some) if abs(mean(outcomes, exact) - exact[s]) <= near]
                for s, some in chances.items()
            }
        policy |= dict([min(better.items())])
    raise ValueError("policies are still getting better")


def mean(outcomes, values):
    return sum(p * (r if t is None else r + sign * values[t]) for p, t, r, sign in outcomes)


def best(some, values, sense):
    return max(range(len(some)), key=lambda k: sense * mean(some[k], values))


def earned(moves):
    """The earnings of a policy; None if their linear system does not have exactly one solution."""
    A = {s: dict.fromkeys(moves, Fraction(0)) | {s: Fraction(1)} for s in moves}
    for s, outcomes in moves.items():
        for p, t, _, sign in outcomes:
            if t is not None:
                A[s][t] -= p * sign
    b = [sum(p * r for p, _, r, _ in outcomes) for outcomes in moves.values()]
    try:
        return dict(zip(moves, linear_solve([[*row.values()] for row in A.values()], b), strict=True))
    except ZeroDivisionError:
        return None


def loop(plays, allowed):
    """The states in which play can stay for ever by allowed actions."""
    inside = {*plays}
    while True:
        stays = {s for s in inside if any(all(t in inside for _, t, *_ in plays[s][k]) for k in allowed[s])}
        if stays == inside:
            return inside
        inside = stays
