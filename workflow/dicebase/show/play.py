"""A game against a table in the shell: what each decision gave up, and what was luck."""

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from dicebase.catalog.answer import cost
from dicebase.catalog.lookup import Catalog
from dicebase.catalog.question import read_variant
from dicebase.catalog.solved_tables import SolvedVariant
from dicebase.show.picture import picture
from dicebase.show.text import lookup_text
from dicebase.tables.follow.rolls import DICE, ROLL
from dicebase.vocabulary import Board, ConfigurationError, Controller, Game, MissingTableError, State, some, words

HELP = "the number or the word of an action; h: what each costs; q: quit"


def play(catalog: Catalog, name: str, given: Mapping[str, Any], seed: int | None) -> None:
    """Play a solved variant, alone or turn about with its own policy. Raises MissingTableError where it is not solved,
    ConfigurationError where nobody decides, or both at once."""
    table = catalog.solved(name)
    if not (variant := table.find(chosen := read_variant(table, given))):
        raise MissingTableError(table.not_solved(chosen))
    game, unit = variant.game, variant.unit
    if not isinstance(game, Game) or game.controller(next(iter(game.outcomes(game.start()))).state) is Controller.BOTH:
        raise ConfigurationError(f"{name}: is only asked; what one decides alone or turn about is played")
    print(f"{table.table.title}\n{f'{name}  {words(chosen)}'.rstrip()}: {HELP}.")
    match, paid = _Match(catalog, variant, game, random.Random(seed)), None
    try:
        paid = match.run()
        ends = {1: "You win.", 0: "You lose."} if unit == "probability" else {}
        print(f"\n{ends.get(paid, f'The end: {float(paid):g} {unit}.')}")
    except (EOFError, KeyboardInterrupt):
        print("\nYou leave.")
    right, lost = match.made - len(match.lost), sum(match.lost.values())
    print(
        f"{right} of {match.made} decisions were the best; given up in all: {cost(lost, unit) if lost else 'nothing'}."
    )
    for decision, regret in match.lost.items():
        print(f"   {decision} costs {cost(regret, unit)}")
    if paid is not None:
        luck = game.sense * (float(paid) - variant.row["value"]) + lost
        print(f"Luck: {cost(abs(luck), unit)} {'for' if luck >= 0 else 'against'} you.")


@dataclass
class _Match:
    """One game, and what its decisions cost."""

    catalog: Catalog
    variant: SolvedVariant
    game: Game
    dice: random.Random
    made: int = 0
    lost: dict[str, float] = field(default_factory=dict)

    @property
    def is_board(self) -> bool:
        return isinstance(self.game.rules, Board)

    def run(self) -> Any:
        """Play to the end; returns what is paid to the player."""
        game, paid, role = self.game, 0, 1
        after, action, rest = game.start(), "", ""
        while True:
            outcomes = list(game.outcomes(after))
            (outcome,) = self.dice.choices(outcomes, [o.weight for o in outcomes])
            paid += role * outcome.reward
            if (state := outcome.state) is None:
                return paid
            position = self._position(state)
            if action == "roll" and not self.is_board and position.get("turn_total") == 0:
                print(f"   {'Your roll' if role > 0 else 'A roll of the opponent'} loses the turn.")
            role *= outcome.sign
            # Of `keep 15, roll 3` the second part is decided with the first.
            action, rest = next((a for a in game.actions(state) if rest and rest.startswith(a)), ""), ""
            if not action and (action := self._decide(position, role > 0)) not in game.actions(state):
                action, _, rest = action.partition(", ")
            after = game.afterstate(state, action)

    def _position(self, state: State) -> dict[str, int | str]:
        """A state as a lookup asks for it; where dice are kept the roll is in the place of the dice in the hand."""
        position = dict(zip((c.name for c in self.game.columns), state, strict=False))
        rolled = {} if self.game.listed(state) else {ROLL: state[-1]}
        return {n: x for n, x in position.items() if n != DICE or not rolled} | rolled

    def _decide(self, position: Mapping[str, Any], mine: bool) -> str:
        answer = self.catalog.lookup(self.variant.table.name, **self.variant.parameters, **position)
        actions = {a["action"]: a for a in answer["actions"]}
        if len(actions) == 1 and not self.is_board:
            return next(iter(actions))
        if not mine:
            (action,) = self.dice.choices(list(actions), [a["probability"] for a in actions.values()])
            # What else there is he calls by other names, or sees from the other side.
            record = {c.name for c in getattr(self.game, "record_columns", ())}
            seen = [n for n in position if (n.startswith(ROLL) if self.is_board else n not in record)]
            inside = words({n: position[n] for n in seen})
            print(f"   The opponent{', ' * bool(inside)}{inside}: {action} {answer.get('action_unit', '')}".rstrip())
            return action
        if len(actions) == 1:
            self._show(answer)
            print(f"   {answer['advice']}")
            return next(iter(actions))
        action = self._asked(answer, list(actions))
        self.made += 1
        if actions[action]["optimal"]:
            print("   Right.")
        else:
            place = words(position) or "the start"
            self.lost[f"{self.made}. {action} at {place}"] = actions[action]["regret"]
            print(f"   It costs {cost(actions[action]['regret'], answer['unit'])}. {answer['advice']}")
        return action

    def _show(self, answer: Mapping[str, Any]) -> None:
        print(f"\n{words(answer['state']) or 'Your choice'}")
        for line in picture(self.game.rules, answer["state"]):
            print(f"   {line}")

    def _asked(self, answer: Mapping[str, Any], actions: list[str]) -> str:
        """The action that the player names; in an order that says nothing of which is best."""
        counts = all(a.isdecimal() for a in actions)
        actions.sort(key=int if counts else str)
        shown = some([int(a) for a in actions]) if counts else "  ".join(f"{i}: {a}" for i, a in enumerate(actions, 1))
        named = {a: a for a in actions} | ({} if counts else {str(i): a for i, a in enumerate(actions, 1)})
        self._show(answer)
        print(f"   {shown} {answer.get('action_unit', '')}".rstrip())
        while True:
            word = input("> ").strip()
            if word == "q":
                raise EOFError
            if word in ("h", "?"):
                print(lookup_text(answer, why=True).partition("\n")[2])
                continue
            if word in named:
                return named[word]
            if word and len(found := [a for a in actions if a.startswith(word)]) == 1:
                return found[0]
            print(f"   {HELP}")
