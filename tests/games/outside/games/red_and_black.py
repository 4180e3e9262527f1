"""Red and Black: bet on red until you have what you need or nothing."""

from dataclasses import dataclass

from dicebase.vocabulary import Board, Column, Objective, Outcome, State, parameter


@dataclass(frozen=True)
class Rules(Board):
    """You never bet more than you have, or more than you need."""

    goal: int = parameter(8, "coins to reach", low=2, high=1000)
    red: int = parameter(18, "pockets of the wheel that win", low=1, high=1000)
    black: int = parameter(20, "pockets that lose", low=1, high=1000)

    title = "Red and Black"
    citation = "Dubins and Savage (1965), How to Gamble If You Must"
    objectives = {"goal": Objective("chance to reach the goal", "probability")}
    columns = (Column("coins", int, "coins that you have"),)

    def start(self) -> State:
        return (self.goal // 2, 0)

    def actions(self, state: State) -> tuple[str, ...]:
        return tuple(str(bet) for bet in range(1, min(state[0], self.goal - state[0]) + 1))

    def afterstate(self, state: State, action: str) -> State:
        return (state[0], int(action))

    def outcomes(self, afterstate: State) -> list[Outcome]:
        coins, bet = afterstate
        if not bet:
            return [Outcome(1, (coins,))]
        lost = Outcome(self.black, (coins - bet,) if coins > bet else None)
        won = Outcome(self.red, None, 1) if coins + bet == self.goal else Outcome(self.red, (coins + bet,))
        return [won, lost]
