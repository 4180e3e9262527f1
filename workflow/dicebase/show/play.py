"""Play a game against a table in the shell, and show the cost of each decision and the share of luck."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from dicebase.catalog.ask.answer import cost, named
from dicebase.catalog.lookup import Catalog
from dicebase.catalog.review.walk import Walk
from dicebase.families import family_of
from dicebase.show.text import lookup_text
from dicebase.tables.follow.rolls import ROLL
from dicebase.vocabulary import Json, some, words

HELP = "type an action's number or name; h: cost of each action; q: quit"


def play(catalog: Catalog, name: str, given: Mapping[str, object], seed: int | None) -> None:
    """Play a solved variant, alone or against the table's policy; raises the same errors as Walk."""
    walk = Walk(catalog.solved_tables, name, given)
    unit, chosen = walk.variant.unit, walk.variant.parameters
    print(f"{walk.table.table.title}\n{f'{name}  {words(chosen)}'.rstrip()}: {HELP}.")
    match, paid = _Match(walk, random.Random(seed)), None
    try:
        paid = match.run()
        ends = {1: "You win.", 0: "You lose."} if unit == "probability" else {}
        print(f"\n{ends.get(paid, f'The end: {float(paid):g} {unit}.')}")
    except (EOFError, KeyboardInterrupt):
        print("\nYou quit.")
    right, lost = match.made - len(match.lost), sum(match.lost.values())
    print(f"{right} of {match.made} decisions were optimal; total loss: {cost(lost, unit) if lost else 'nothing'}.")
    for decision, regret in match.lost.items():
        print(f"   {decision} costs {cost(regret, unit)}")
    if paid is not None:
        luck = walk.game.sense * (float(paid) - walk.variant.row["value"]) + lost
        print(f"Luck: {cost(abs(luck), unit)} {'for' if luck >= 0 else 'against'} you.")


def numbered(actions: Sequence[str]) -> tuple[str, dict[str, str]]:
    """Return the actions as one line of text, and {what a player may type: action}. The order reveals nothing about
    their values. Actions that are not numbers get one."""
    if all(action.isdecimal() for action in actions):
        return some(sorted(map(int, actions))), {action: action for action in actions}
    listed = [*enumerate(sorted(actions), 1)]
    meant = {name: action for i, action in listed for name in (action, str(i))}
    return "  ".join(f"{i}: {action}" for i, action in listed), meant


@dataclass
class _Match:
    """One game and the cost of its decisions."""

    walk: Walk
    dice: random.Random
    made: int = 0
    lost: dict[str, float] = field(default_factory=dict)

    def run(self) -> int | Fraction | None:
        """Play to the end and return the player's payoff."""
        walk, action = self.walk, ""
        while walk.after is not None:
            role, outcomes = walk.role, list(walk.game.outcomes(walk.after))
            labels = walk.game.rules.chance.labels(walk.after) if walk.is_board else ()
            ((i, outcome),) = self.dice.choices([*enumerate(outcomes)], [o.weight for o in outcomes])
            if labels:
                print(f"   {'You roll' if role > 0 else 'The opponent rolls'} {labels[i]}.")
            walk.fall(outcome)
            lost = walk.state and "roll" in action and not walk.is_board and walk.game.listed(walk.state)
            if lost and walk.position.get("turn_total") == 0:
                print(f"   {'Your roll' if role > 0 else 'A roll of the opponent'} loses the turn.")
            while walk.state is not None:
                walk.act(action := self._decide(walk.answer(), walk.role > 0))
        return walk.paid

    def _decide(self, answer: Json, mine: bool) -> str:
        walk, position, actions = self.walk, self.walk.position, {a["action"]: a for a in answer["actions"]}
        if len(actions) == 1 and not walk.is_board:
            return next(iter(actions))
        if not mine:
            (action,) = self.dice.choices(list(actions), [a["probability"] for a in actions.values()])
            # Leave out totals, because the other player's view of the position names them differently.
            record = {c.name for c in walk.game.record_columns}
            seen = [n for n in position if (n.startswith(ROLL) if walk.is_board else n not in record)]
            inside = words({n: position[n] for n in seen})
            print(f"   The opponent{', ' * bool(inside)}{inside}: {named(action, answer.get('action_unit', ''))}")
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
            said = named(action, answer.get("action_unit", ""))
            self.lost[f"{self.made}. {said} at {place}"] = actions[action]["regret"]
            print(f"   It costs {cost(actions[action]['regret'], answer['unit'])}. {answer['advice']}")
        return action

    def _show(self, answer: Json) -> None:
        print(f"\n{words(answer['state']) or 'Your choice'}")
        for line in family_of(rules := self.walk.game.rules).picture(rules, answer["state"]):
            print(f"   {line}")

    def _asked(self, answer: Json, actions: list[str]) -> str:
        """Ask for an action; the order of the list reveals nothing about their values."""
        shown, meant = numbered(actions)
        self._show(answer)
        print(f"   {named(shown, answer.get('action_unit', ''))}")
        while True:
            word = input("> ").strip()
            if word == "q":
                raise EOFError
            if word in ("h", "?"):
                print(lookup_text(answer, why=True).partition("\n")[2])
                continue
            if word in meant:
                return meant[word]
            if word and len(found := [a for a in actions if a.startswith(word)]) == 1:
                return found[0]
            print(f"   {HELP}")
