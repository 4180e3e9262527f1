"""Values of small games by plain value iteration, from rules that no other code has called before.

python plain_values.py < [[table, parameters, order], ...] > [[value at the start, {state: value}, order], ...]

DICEBASE_GAMES names the folder of the rules. Each table is solved in a process of its own that has imported only the
vocabulary. The states of a board are asked in random order; if a caller passes the order that was found, they are
asked in reverse order. Afterstates are not merged: every state asks for the outcomes of its own actions.
"""

import importlib
import json
import os
import random
import sys

from dicebase.vocabulary import Board, Scorecard, Sheet, Throw, multisets

SWEEPS, CLOSE, MOST_TOTAL, TARGET = 20_000, 1e-14, 300, 12


def rules_of(table, parameters):
    """(the rules, the match)."""
    game, match = table.rsplit("_", 1)
    rules = importlib.import_module(f"dicebase.games.{game}").Rules
    return rules(**parameters, **({"objective": match} if issubclass(rules, Board) else {})), match


def ordered(things, back):
    return list(things)[::-1] if back else list(things)


def step(rules, state, back):
    """The outcomes of each action of a state."""
    actions = ordered(rules.actions(state), back)
    return [[(*o, 0, 1)[:4] for o in map(tuple, rules.outcomes(rules.afterstate(state, action)))] for action in actions]


def board(rules, objective, order):
    """Ask for the outcomes of each action of every state; then repeat one step of value iteration."""
    steps = {tuple(state): step(rules, tuple(state), True) for state in reversed(order)}
    begin = [(*o, 0, 1)[:4] for o in map(tuple, rules.outcomes(rules.start()))]
    ahead = [o[1] for o in begin if o[1] is not None]
    while ahead:
        state = ahead.pop(random.randrange(len(ahead)))
        if state not in steps:
            steps[state] = step(rules, state, False)
            ahead += [o[1] for outcomes in steps[state] for o in outcomes if o[1] is not None]
    sense = max if rules.objectives[objective].sense > 0 else min
    values = dict.fromkeys(steps, 0.0)

    def mean(outcomes):
        total = sum(weight for weight, *_ in outcomes)
        return sum(w / total * (float(r) + sign * values.get(s, 0.0)) for w, s, r, sign in outcomes)

    for _ in range(SWEEPS):
        change = 0.0
        for state in reversed(steps):
            value = sense(map(mean, steps[state]))
            change, values[state] = max(change, abs(value - values[state])), value
        if change < CLOSE:
            break
    return mean(begin), {json.dumps(state): value for state, value in values.items()}, [*steps]


def turn(rules, _, order):
    """The most points of a turn, computed downwards from a total at which every player stops."""
    worth = {}
    for total in reversed(range(MOST_TOTAL)):
        for mode in ordered(rules.modes, order):
            found = 0.0
            rolls = rules.rolls(total, mode)
            for roll in rolls:
                found += roll.weight * max(
                    (max((total + o.gain) * (o.mode is None or o.mode not in rules.must_roll),
                         worth.get((total + o.gain, o.mode), total + o.gain)) for o in roll.options), default=0.0
                )  # fmt: skip
            worth[total, mode] = found / sum(roll.weight for roll in rolls)
    return worth[0, rules.modes[0]], {}, [1]


def throw(rules, _, order):
    """The fewest expected throws to the target."""
    gains = {choice: rules.gains(choice) for choice in ordered(rules.choices, order)}
    left = dict.fromkeys(range(TARGET, TARGET + 1000), 0.0)
    for score in reversed(range(TARGET)):
        ways = []
        for falls in gains.values():
            total = sum(falls.values())
            some = sum(weight / total * left[score + gain] for gain, weight in falls.items() if gain)
            ways.append((1 + some) / (1 - falls.get(0, 0) / total))
        left[score] = min(ways)
    return left[0], {}, [1]


def scorecard(rules, _, order):
    """The most points of all slots, from sets of few free slots to larger ones."""
    gain = {
        (slot, roll): rules.gain(slot, roll)
        for slot in ordered(range(1, rules.slots + 1), order)
        for roll in ordered(rules.weights, order)
    }
    worth = {frozenset(): 0.0}
    total = sum(rules.weights.values())

    def value(free):
        if free not in worth:
            found = [
                w * max(gain[slot, roll] + value(free - {slot}) for slot in free) for roll, w in rules.weights.items()
            ]
            worth[free] = sum(found) / total
        return worth[free]

    return value(frozenset(range(1, rules.slots + 1))), {}, [1]


def sheet(rules, _, order):
    """The most points of a sheet without bonuses, by recursion over rolls, keeps and boxes."""
    entries = {d: rules.entries(d) for d in ordered((d for d, _ in multisets(rules.sides, rules.dice)), order)}
    known = {}

    def rolled(open_boxes, kept, left):
        """The value before the other dice fall."""
        if not open_boxes:
            return 0.0
        if (place := (open_boxes, kept, left)) not in known:
            rest = list(multisets(rules.sides, rules.dice - len(kept)))
            ways = sum(orders for _, orders in rest)
            known[place] = sum(n / ways * best(open_boxes, tuple(sorted(kept + d)), left) for d, n in rest)
        return known[place]

    def best(open_boxes, dice, left):
        fills = [e.points + rolled(open_boxes - {e.box}, (), rules.rolls) for e in entries[dice] if e.box in open_boxes]
        keeps = {tuple(d for i, d in enumerate(dice) if bits >> i & 1) for bits in range(1 << len(dice))}
        return max([*fills, *(rolled(open_boxes, kept, left - 1) for kept in keeps)] if left > 1 else fills)

    return rolled(frozenset(range(len(rules.boxes))), (), rules.rolls), {}, [1]


def solved(case):
    table, parameters, order = case
    try:
        rules, match = rules_of(table, parameters)
        kinds = {Board: board, Throw: throw, Scorecard: scorecard, Sheet: sheet}
        return next((solve for kind, solve in kinds.items() if isinstance(rules, kind)), turn)(rules, match, order)
    except Exception as error:
        return f"{type(error).__name__}: {error}", {}, []


def solved_in_a_fork(case):
    """`solved` in a process of its own. A pool of processes would fork from a thread, which can wait for ever."""
    reader, writer = os.pipe()
    if not os.fork():
        with os.fdopen(writer, "w") as file:
            json.dump(solved(case), file)
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as file:
        found = json.load(file)
    os.wait()
    return found


if __name__ == "__main__":
    print(json.dumps([solved_in_a_fork(case) for case in json.load(sys.stdin)]))
