"""A battle of Risk: armies attack a territory, throw after throw.

The attacker throws one to three dice, at most one for each army that may attack; the one army that must stay behind
does not count here. The defender throws two dice, or one with a single army. The highest dice are compared, and if both
threw at least two dice, so are the second highest. Each time the lower die loses an army; equal dice count against the
attacker. The battle ends when one side has no armies left. Play begins with any numbers of armies up to the maximum,
all pairs equally likely.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from dicebase.vocabulary import Board, Column, Objective, Outcome, Pieces, multisets, parameter


@dataclass(frozen=True)
class Rules(Board):
    """The attacker's side of a battle of Risk."""

    attackers: int = parameter(30, "largest number of armies that may attack", low=1, high=100)
    defenders: int = parameter(30, "largest number of armies that defend", low=1, high=100)
    victory: int = parameter(10, "value of a victory in armies", low=1, high=1000, only=("gain",))

    title = "Risk"
    citation = "J. A. Osborne (2003), Markov chains for the RISK board game revisited, Mathematics Magazine 76(2)"
    objectives = {
        "win": Objective("chance to win a battle that is fought to the end", "probability"),
        "left": Objective("expected number of attacking armies left, fought to the end", "points"),
        "gain": Objective("expected gain: the value of a victory minus armies lost; the attacker may stop", "points"),
    }
    columns = (
        Column("attacking", int, "armies that may attack, without the army that stays behind"),
        Column("defending", int, "armies that defend"),
    )
    drawing = (Pieces("attacking"), Pieces("defending"))

    def start(self) -> tuple[()]:
        return ()

    def actions(self, state: tuple[int, int]) -> list[str]:
        dice = ["attack with 3 dice", "attack with 2 dice", "attack with 1 die"][-min(state[0], 3) :]
        return [*dice, "stop"] if self.objective == "gain" else dice

    def afterstate(self, state: tuple[int, int], action: str) -> tuple[int, int, int]:
        """Return (attacking armies, defending armies, attacker's dice); 0 dice mean to stop."""
        return (*state, 0 if action == "stop" else int(action.split()[2]))

    def outcomes(self, afterstate: tuple) -> Iterator[Outcome]:
        if not afterstate:
            for attacking in range(1, self.attackers + 1):
                for defending in range(1, self.defenders + 1):
                    yield Outcome(1, (attacking, defending))
            return
        attacking, defending, dice = afterstate
        if not dice:
            yield Outcome(1, None)
            return
        for (lost, beaten), weight in _losses(dice, min(defending, 2)).items():
            left, against = attacking - lost, defending - beaten
            paid = -lost if self.objective == "gain" else 0
            if left and against:
                yield Outcome(weight, (left, against), paid)
            else:
                won = {"win": 1, "left": left, "gain": self.victory}[self.objective]
                yield Outcome(weight, None, paid if against else paid + won)

    def picture(self, state: tuple[int, int]) -> str:
        return f"attacking  {'x' * state[0]}\ndefending  {'o' * state[1]}"

    def why_missing(self, state: tuple[int, int]) -> str:
        return "the battle is over" if 0 in state else super().why_missing(state)


@cache
def _losses(attack: int, defence: int) -> Counter[tuple[int, int]]:
    """Return {(armies the attacker loses, armies the defender loses): weight} for these numbers of dice."""
    found: Counter[tuple[int, int]] = Counter()
    for mine, many in multisets(6, attack):
        for theirs, ways in multisets(6, defence):
            pairs = list(zip(mine[::-1], theirs[::-1], strict=False))
            beaten = sum(a > d for a, d in pairs)
            found[len(pairs) - beaten, beaten] += many * ways
    return found
