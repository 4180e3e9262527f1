"""Exact values of tiny boards on which play may go on for ever, from all pairs of policies.

Endless play pays `unending` to the mover of each position, beside rewards. It is defined only if no move of the loop
changes that payoff: reward + sign * unending = unending.
"""

from fractions import Fraction
from itertools import product
from math import inf

from reference.exact_boards import earned


def solved(plays, sense, unending):
    """Return {state: (least, most)}: what the mover can be sure of, and what the opponent can hold the mover to.
    An undefined payoff of endless play is the worst result for the player whose guarantee is computed. plays : as in
    exact_boards.solved."""
    two = any(sign < 0 for some in plays.values() for outcomes in some for *_, sign in outcomes)
    roles = (1, -1) if two else (1,)
    moves = {
        (s, role): [
            [_moved(o, sum(w for w, *_ in outcomes), role, Fraction(unending)) for o in outcomes] for outcomes in some
        ]
        for s, some in plays.items()
        for role in roles
    }
    mine, theirs = ([n for n in moves if n[1] * sense == player] for player in (1, -1))
    least, most = dict.fromkeys(moves, -inf), dict.fromkeys(moves, inf)
    ceilings = {}
    for ours in product(*(range(len(moves[n])) for n in mine)):
        floor = dict.fromkeys(moves, inf)
        for other in product(*(range(len(moves[n])) for n in theirs)):
            chosen = dict(zip([*mine, *theirs], [*ours, *other], strict=True))
            low, high = _payoffs({n: moves[n][k] for n, k in chosen.items()})
            ceiling = ceilings.setdefault(other, dict.fromkeys(moves, -inf))
            for n in moves:
                floor[n], ceiling[n] = min(floor[n], low[n]), max(ceiling[n], high[n])
        least = {n: max(least[n], floor[n]) for n in moves}
    for ceiling in ceilings.values():
        most = {n: min(most[n], ceiling[n]) for n in moves}
    return {s: (least[s, 1] + unending, most[s, 1] + unending) for s in plays}


def _moved(outcome, total, role, unending):
    """(probability, next node or None, reward of the first role above `unending`, 1)."""
    weight, t, reward, sign = outcome
    later = 0 if t is None else sign * unending
    return Fraction(weight, total), None if t is None else (t, role * sign), role * (reward + later - unending), 1


def _payoffs(chain):
    """The least and the most that a Markov chain may pay from each node; they differ where the payoff is undefined."""
    reach = {n: {n} for n in chain}
    while True:
        more = {
            n: found.union(*(reach[t] for m in found for _, t, *_ in chain[m] if t is not None))
            for n, found in reach.items()
        }
        if more == reach:
            break
        reach = more
    ends = {n for n in chain if any(t is None for m in reach[n] for _, t, *_ in chain[m])}
    closed = {n for n in chain if n not in ends and all(n in reach[m] for m in reach[n])}
    low, high, waits = {}, {}, set()
    for n in closed:
        if not any(r for m in reach[n] for _, _, r, _ in chain[m]):
            waits.add(n)
            continue
        # The sum of rewards until play returns to this node.
        again = earned({m: [(p, None if t == n else t, r, 1) for p, t, r, _ in chain[m]] for m in reach[n]})[n]
        low[n], high[n] = (inf if again > 0 else -inf), (-inf if again < 0 else inf)
    fine = {n for n in chain if not reach[n] & closed - waits}
    values = earned({n: [(1, None, 0, 1)] if n in waits else chain[n] for n in fine})
    for n in chain:
        met = reach[n] & closed - waits
        low[n] = values[n] if n in fine else min(low[m] for m in met)
        high[n] = values[n] if n in fine else max(high[m] for m in met)
    return low, high
