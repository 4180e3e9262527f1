"""Values of a board's rules by value iteration, which asks for actions, afterstates and outcomes one by one."""

from functools import cache
from itertools import count

from dicebase.vocabulary import After


@cache
def fallen(rules, afterstate):
    """{(state, reward, sign): probability} of an afterstate; chance after chance is followed to its end."""
    outcomes = [(*o, *(0, 1)[len(o) - 2 :]) for o in map(tuple, rules.outcomes(afterstate))]
    total, found = sum(o[0] for o in outcomes), {}
    for weight, state, reward, sign in outcomes:
        ahead = fallen(rules, state.afterstate) if type(state) is After else {(state, 0, 1): 1.0}
        for (there, more, turned), chance in ahead.items():
            key = there, float(reward) + sign * float(more), sign * turned
            found[key] = found.get(key, 0.0) + weight / total * chance
    return found


def mean(ahead, share, found):
    return sum(chance * (reward + share * sign * found[there]) for (there, reward, sign), chance in ahead.items())


def action_values(rules, state, found):
    """The values of a state's actions in rising order, by the values of all states."""
    ahead = (fallen(rules, rules.afterstate(state, action)) for action in rules.actions(state))
    return sorted(mean(falls, float(rules.discount), found) for falls in ahead)


def values(rules, sense):
    """(value at the start, {state: value to its mover})."""
    start, moves = fallen(rules, rules.start()), {}
    waiting = [state for state, *_ in start]
    while waiting:
        state = waiting.pop()
        if state is not None and state not in moves:
            moves[state] = [fallen(rules, rules.afterstate(state, action)) for action in rules.actions(state)]
            waiting += [there for ahead in moves[state] for there, *_ in ahead]
    found, share = dict.fromkeys(moves, 0.0) | {None: 0.0}, float(rules.discount)

    for _ in count():
        change = 0.0
        for state, ways in reversed(moves.items()):  # states found late are mostly late in play
            value = sense * max(sense * mean(ahead, share, found) for ahead in ways)
            change, found[state] = max(change, abs(value - found[state])), value
        if change < 1e-14:
            return mean(start, 1.0, found), found
