"""The answer to a lookup of one position, as data and in words."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from dicebase.families.family import Odds
from dicebase.tables.names import Variant
from dicebase.vocabulary import Json, Ranked, number

VERSION = 1
"""The version of schemas/answer.schema.json."""

Position = Mapping[str, int | str]
"""A position: {state column: value}."""


class Action(NamedTuple):
    """One legal action; `value` is its q-value."""

    action: str
    value: float
    regret: float
    probability: float
    optimal: bool
    undecided: bool
    odds: Odds | None = None

    def as_dict(self) -> dict[str, str | float | bool]:
        """Return the action as schemas/answer.schema.json describes it."""
        action, value, regret, probability, optimal, undecided, odds = self
        said = {"action": action, "value": value, "regret": regret, "probability": probability, "optimal": optimal}
        said |= {"undecided": True} if undecided else {}
        return said | {"lost": odds.lost, "gain": odds.gain} if odds else said


def named(action: str, counted: str) -> str:
    """Return an action as a phrase, such as `2 dice`; `counted` is the unit of numbered actions."""
    return "1 die" if (action, counted) == ("1", "dice") else f"{action} {counted}".rstrip()


def _order(action: Action) -> tuple[bool, float, float, str]:
    text, _, regret, probability, optimal, *_ = action
    return not optimal, -probability, regret, text


def best_first(actions: Iterable[Action]) -> tuple[Action, ...]:
    """Sort actions as the macros `<table>_at` do."""
    return tuple(sorted(actions, key=_order))


def is_mix(actions: Sequence[Action]) -> bool:
    """Return whether the mover randomises; `actions` are sorted, best first."""
    return bool(actions) and 0 < actions[0].probability < 1


def margin_of(actions: Sequence[Action]) -> float | None:
    """Return the regret of the second-best action; None for a single action or a mix."""
    return sorted(a.regret for a in actions)[1] if len(actions) > 1 and not is_mix(actions) else None


class Ranking(NamedTuple):
    """The mover's value of a position, and its actions, best first; no actions if there is nothing to decide."""

    value: float
    actions: tuple[Action, ...] = ()
    values: Mapping[str, float] = {}  # the other columns of a row without decisions
    beyond: str = ""  # in words, the theorem that answers a position past the stored rows


def ranking_of(names: Sequence[str], ranked: Ranked) -> Ranking:
    """Combine the names of actions with their ranked numbers."""
    columns = ranked.q_values, ranked.regrets, ranked.probabilities, ranked.optimal, ranked.undecided
    return Ranking(ranked.value, best_first(map(Action, names, *columns)))


class Answer(NamedTuple):
    """The answer to a lookup: a position, its ranked actions and the unit of their values."""

    table: str
    parameters: Variant
    state: Position
    unit: str
    value: float
    actions: tuple[Action, ...] = ()
    values: Mapping[str, float] = {}  # the other columns of a row without decisions
    action_unit: str = ""  # what numbered actions count, such as dice
    beyond: str = ""  # in words, the theorem that answers a position past the stored rows
    position: str = ""  # the state as one text

    @property
    def advice(self) -> str:
        """Say in a sentence what to do and how much better it is; empty if there is nothing to decide."""
        actions, unit = self.actions, self.unit
        if not actions:
            return ""
        names = [named(a.action, self.action_unit) for a in actions]
        best = [name for name, a in zip(names, actions, strict=True) if a.optimal]
        if len(actions) == 1:
            return f"The only choice: {best[0]}."
        if any(a.undecided for a in actions):
            return f"{' and '.join(best)} cannot be told apart within the error bound."
        if is_mix(actions):
            mix = ", ".join(f"{name} {_percent(a.probability)}" for name, a in zip(best, actions, strict=False))
            if len(best) == len(actions):
                return f"Mix: {mix}."
            return f"Mix: {mix}; {names[len(best)]} would lose {cost(actions[len(best)].regret, unit)}."
        if len(best) > 1:
            return f"A tie: {' and '.join(best)} are equally good."
        if not (regret := actions[1].regret):  # equally good only until the opponent responds
            return f"Best: {best[0]}; {names[1]} would be as good, if the opponent's choice stayed the same."
        comma = ";" if "," in best[0] else ","
        return f"Best: {best[0]}{comma} {cost(regret, unit)} better than {names[1]}."

    def as_dict(self) -> Json:
        """Return the answer as schemas/answer.schema.json describes it."""
        return {
            "version": VERSION,
            "table": self.table,
            "parameters": dict(self.parameters),
            "state": dict(self.state),
            "position": self.position,
            "value": self.value,
            "unit": self.unit,
            **({"values": dict(self.values)} if self.values else {}),
            **({"action_unit": self.action_unit} if self.action_unit else {}),
            **({"beyond": True, "note": self.beyond} if self.beyond else {}),
            "actions": [a.as_dict() for a in self.actions],
            "advice": self.advice,
        }


def cost(regret: float, unit: str) -> str:
    """Return a regret in words; probabilities become percentage points."""
    return f"{number(100 * regret)} percentage points" if unit == "probability" else f"{number(regret)} {unit}"


def _percent(probability: float) -> str:
    return f"{100 * probability:.1f} %" if probability >= 0.001 else f"{100 * probability:.1g} %"
