"""Check certificates in whole numbers, without the package: python3 proof/check.py FILE...

This is the reference for the verified checker in Check.v, which accepts the same files; docs/why/proof.md describes the
format and says what an accepted certificate proves.
"""

import sys
from typing import NamedTuple


class Outcome(NamedTuple):
    weight: int
    sign: int  # -1 if the next value belongs to the other player
    reward: int  # over the certificate's unit
    next: int  # -1 at the end of play


class State(NamedTuple):
    player: int  # 0 maximises the value, 1 minimises it
    layer: int
    lower: int  # over the certificate's scale
    upper: int
    actions: list[list[Outcome]]


class MalformedError(Exception):
    """A file is not a certificate."""


def read(path: str) -> tuple[int, int, list[State]]:
    """Return (scale, unit, states)."""
    header, states = {}, []
    with open(path, encoding="utf-8") as file:
        if next(file, "") != "dicebase-certificate 1\n":
            raise MalformedError(f"{path}:1: is not a certificate")
        for number, line in enumerate(file, start=2):
            first, *words = line.removesuffix("\n").split(" ")
            try:
                if first == "state":
                    player, layer, lower, upper = map(int, words[:4])
                    states.append(State(player, layer, lower, upper, []))
                elif first == "action":
                    states[-1].actions.append([])
                elif first in ("scale", "unit"):
                    (header[first],) = map(int, words)
                elif first != "table":
                    states[-1].actions[-1].append(Outcome(int(first), *map(int, words)))
            except (ValueError, TypeError, IndexError) as error:
                raise MalformedError(f"{path}:{number}: {line.strip()!r:.80} is malformed") from error
    if not header.keys() >= {"scale", "unit"} or not 0 <= header["scale"] <= 10_000 or header["unit"] < 1 or not states:
        raise MalformedError(f"{path}: needs a scale, a positive unit and a state")
    for number, state in enumerate(states):
        outcomes = [outcome for action in state.actions for outcome in action]
        fits = state.player in (0, 1) and state.actions and all(state.actions)
        if not fits or any(o.weight < 1 or o.sign not in (1, -1) or o.next < -1 for o in outcomes):
            raise MalformedError(f"{path}: state {number} is malformed")
    return 1 << header["scale"], header["unit"], states


def why_refused(scale: int, unit: int, states: list[State]) -> str:
    """Return why a certificate does not hold; empty if it does.

    One step from the bounds must lead between them, and strictly so if play can stay in the state's layer. No step may
    lead to a higher layer.
    """
    for number, state in enumerate(states):
        ahead = [o.next for action in state.actions for o in action if o.next >= 0]
        if max(ahead, default=0) >= len(states):
            return f"play from state {number} leads to a state that is not there"
        highest = max((states[s].layer for s in ahead), default=-1)
        if state.layer < 0 or highest > state.layer:
            return f"play from state {number} leads to a higher layer"
        strict = highest == state.layer
        below, above = [], []
        for action in state.actions:
            low = high = 0
            for weight, sign, reward, to in action:
                down = up = reward * scale
                if to >= 0:
                    ends = states[to].lower, states[to].upper
                    down += unit * (ends[0] if sign > 0 else -ends[1])
                    up += unit * (ends[1] if sign > 0 else -ends[0])
                low, high = low + weight * down, high + weight * up
            total = unit * sum(o.weight for o in action)
            below.append(high + strict <= total * state.upper)
            above.append(total * state.lower + strict <= low)
        every, some = (below, above) if state.player == 0 else (above, below)
        if not (all(every) and any(some)):
            return f"one step from state {number} does not lead between its bounds"
    return ""


def main(paths: list[str]) -> int:
    """Check files; return 0 if all hold, 1 if one is refused, 2 if one is malformed."""
    code = 0
    for path in paths:
        try:
            scale, unit, states = read(path)
        except (MalformedError, OSError, UnicodeDecodeError) as error:
            print(f"error: {error}", file=sys.stderr)
            code = 2
            continue
        why, last = why_refused(scale, unit, states), states[-1]
        code = max(code, int(bool(why)))
        print(f"{path}: {why or f'valid; value of the game {last.lower / scale!r} to {last.upper / scale!r}'}")
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
