"""Write twenty altered copies of a certificate, none of which holds: python3 proof/alter.py FILE FOLDER."""

import sys
from collections.abc import Callable
from pathlib import Path

from check import Outcome, State, read


def expected(scale: int, unit: int, states: list[State], action: list[Outcome]) -> float:
    """Return the value of an action in the middle of the bounds ahead."""
    middle = [(state.lower + state.upper) / 2 for state in states]
    ahead = (o.weight * (o.reward * scale / unit + o.sign * middle[o.next] * (o.next >= 0)) for o in action)
    return sum(ahead) / sum(o.weight for o in action)


class Certificate:
    """A certificate to alter. `s` is a state with a decision that matters, and `best` its best action."""

    def __init__(self, path: Path) -> None:
        self.lines = path.read_text(encoding="utf-8").splitlines()
        self.scale, self.unit, self.states = read(str(path))
        self.bits, self.first = self.scale.bit_length() - 1, "dicebase-certificate 1"
        self.shift = self.scale >> 30  # one in 10**9 of a unit
        worths = [[expected(self.scale, self.unit, self.states, a) for a in state.actions] for state in self.states]
        self.s = max(range(len(worths)), key=lambda s: max(worths[s]) - min(worths[s]))
        best = max if self.states[self.s].player == 0 else min
        self.state = self.states[self.s]
        self.number = worths[self.s].index(best(worths[self.s]))
        self.best = self.state.actions[self.number]

    def change(self, s: int = -1, **fields: int) -> None:
        """Change fields of a state; by default of the start of play."""
        self.states[s] = self.states[s]._replace(**fields)

    def change_outcome(self, **fields: int) -> None:
        """Change fields of the first outcome of the best action."""
        self.best[0] = self.best[0]._replace(**fields)

    def text(self) -> str:
        lines = [self.first, f"scale {self.bits}", f"unit {self.unit}"]
        for state in self.states:
            lines.append(f"state {state.player} {state.layer} {state.lower} {state.upper}")
            for action in state.actions:
                lines += ["action", *(" ".join(map(str, outcome)) for outcome in action)]
        return "\n".join(lines) + "\n"


def all_states(c: Certificate, changed: Callable[[State], State]) -> None:
    c.states[:] = map(changed, c.states)


def turned(c: Certificate) -> None:
    """Reverse the order of the layers."""
    all_states(c, lambda state: state._replace(layer=len(c.states) - state.layer))


def add_free_points(c: Certificate) -> None:
    """Add an action that ends play with 1000 points, or costs as many less if the player wants less."""
    c.state.actions.append([Outcome(1, 1, (1000 - 2000 * c.state.player) * c.unit, -1)])


ALTERATIONS: dict[str, Callable[[Certificate], object]] = {
    "lower_bound_of_start_raised": lambda c: c.change(lower=c.states[-1].lower + c.shift),
    "upper_bound_of_start_lowered": lambda c: c.change(upper=c.states[-1].upper - c.shift),
    "bounds_raised": lambda c: c.change(c.s, lower=c.state.lower + c.shift, upper=c.state.upper + c.shift),
    "bounds_lowered": lambda c: c.change(c.s, lower=c.state.lower - c.shift, upper=c.state.upper - c.shift),
    "scale_halved": lambda c: setattr(c, "bits", c.bits - 1),
    "rewards_halved": lambda c: setattr(c, "unit", 2 * c.unit),
    "no_unit": lambda c: setattr(c, "unit", 0),
    "other_version": lambda c: setattr(c, "first", "dicebase-certificate 2"),
    "players_exchanged": lambda c: all_states(c, lambda state: state._replace(player=1 - state.player)),
    "no_such_player": lambda c: c.change(player=2),
    "layer_below_zero": lambda c: c.change(layer=-1),
    "layer_below_its_successors": lambda c: all_states(
        c, lambda state: state._replace(layer=len(c.states) - state.layer)
    ),
    "one_layer": lambda c: all_states(c, lambda state: state._replace(layer=0)),
    "best_action_removed": lambda c: c.state.actions.pop(c.number),
    "better_action_added": lambda c: c.state.actions.append(
        [Outcome(1, 1, (1000 - 2000 * c.state.player) * c.unit, -1)]
    ),
    "action_without_outcomes": lambda c: c.state.actions.append([]),
    "reward_raised": lambda c: c.change_outcome(reward=c.best[0].reward + c.unit),
    "weight_zero": lambda c: c.change_outcome(weight=0),
    "play_leads_nowhere": lambda c: c.change_outcome(next=len(c.states)),
    "states_removed": lambda c: c.states.__delitem__(slice(len(c.states) // 2, None)),
}


def main(path: Path, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, alter in ALTERATIONS.items():
        certificate = Certificate(path)
        alter(certificate)
        (folder / f"{name}.cert").write_text(certificate.text(), encoding="utf-8")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
