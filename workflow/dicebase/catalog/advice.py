"""What to do, in words."""

from collections.abc import Mapping
from typing import Any

from dicebase.vocabulary.words import number


def advice(answer: Mapping[str, Any]) -> str:
    """What to do, in words, and by how much; empty where nothing is decided."""
    actions, unit = answer["actions"], answer["unit"]
    if not actions:
        return ""
    named = [_named(a["action"], answer.get("action_unit", "")) for a in actions]
    best = [name for name, a in zip(named, actions, strict=True) if a["optimal"]]
    if len(actions) == 1:
        return f"The only choice: {best[0]}."
    if any(a.get("undecided") for a in actions):
        return f"{' and '.join(best)} cannot be told apart within the error bound."
    if any(0 < a["probability"] < 1 for a in actions):
        mix = ", ".join(f"{name} {_percent(a['probability'])}" for name, a in zip(best, actions, strict=False))
        if len(best) == len(actions):
            return f"Mix: {mix}."
        return f"Mix: {mix}; {named[len(best)]} would lose {number(actions[len(best)]['regret'])} {unit}."
    if len(best) > 1:
        return f"A tie: {' and '.join(best)} are equally good."
    comma = ";" if "," in best[0] else ","
    if not (regret := actions[1]["regret"]):  # and yet it is not optimal: it would tempt the opponent
        return f"Best: {best[0]}; {named[1]} would be as good, if the opponent's choice stayed the same."
    return f"Best: {best[0]}{comma} {number(regret)} {unit} better than {named[1]}."


def _named(action: str, counted: str) -> str:
    """An action in a sentence."""
    return action if not counted else "1 die" if (action, counted) == ("1", "dice") else f"{action} {counted}"


def _percent(probability: float) -> str:
    return f"{100 * probability:.1f} %" if probability >= 0.001 else f"{100 * probability:.1g} %"
