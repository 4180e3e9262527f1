"""A battle of Risk: some armies attack a territory that others defend, throw after throw.

The attacker throws one to three dice, but no more than the armies with which he may attack; one more army stays behind
and does not count here. The defender throws two dice, or one if there is one army. The highest die of each is compared,
and where both have thrown two dice or more the second highest as well; each time the lower one loses an army, and of
equal dice the attacker. The battle is over when a side has no armies left. Play begins with any numbers of armies up to
the largest, all pairs as likely.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from dicebase.vocabulary import Board, Column, Objective, Outcome, multisets, parameter


@dataclass(frozen=True)
class Rules(Board):
    """The attacker's side of a battle of Risk."""

    attackers: int = parameter(30, "largest number of armies that may attack", low=1, high=100)
    defenders: int = parameter(30, "largest number of armies that defend", low=1, high=100)
    victory: int = parameter(10, "how many armies a victory is worth", low=1, high=1000, only=("gain",))

    title = "Risk"
    citation = "J. A. Osborne (2003), Markov chains for the RISK board game revisited, Mathematics Magazine 76(2)"
    objectives = {
        "win": Objective("chance to win a battle that is fought to the end", "probability"),
        "left": Objective("expected number of attacking armies left, fought to the end", "points"),
        "gain": Objective("expected worth of the battle: of a victory, less the armies lost; one may stop", "points"),
    }
    columns = (
        Column("attacking", int, "armies that may attack, without the one that stays behind"),
        Column("defending", int, "armies that defend"),
    )

    def start(self) -> tuple[()]:
        return ()

    def actions(self, state: tuple[int, int]) -> list[str]:
        dice = ["attack with 3 dice", "attack with 2 dice", "attack with 1 die"][-min(state[0], 3) :]
        return [*dice, "stop"] if self.objective == "gain" else dice

    def afterstate(self, state: tuple[int, int], action: str) -> tuple[int, int, int]:
        """(attacking, defending, dice of the attacker, 0 to stop)."""
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
    """{(armies that the attacker loses, that the defender loses): weight} of a throw of so many dice each."""
    found: Counter[tuple[int, int]] = Counter()
    for mine, many in multisets(6, attack):
        for theirs, ways in multisets(6, defence):
            pairs = list(zip(mine[::-1], theirs[::-1], strict=False))
            beaten = sum(a > d for a, d in pairs)
            found[len(pairs) - beaten, beaten] += many * ways
    return found
