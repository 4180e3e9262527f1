"""Answers as text for people; the only module besides cli.py that formats or prints."""

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dicebase.estimate import Estimate


def lookup_text(answer: Mapping[str, Any]) -> str:
    """A lookup as a small table, best action first; `=` marks the optimal ones."""
    lines = [
        f"{answer['table']}  {words(answer['parameters'])}",
        f"{words(answer['state'])}: {number(answer['value'])} {answer['unit']}",
    ]
    lines += [f"{name}: {number(value)}" for name, value in answer.get("values", {}).items()]
    if not answer["actions"]:
        return "\n".join(lines)
    mixed = any(0 < a["probability"] < 1 for a in answer["actions"])
    header = ["", "action", "value", "regret", *(["probability"] if mixed else [])]
    rows = [
        [
            "=" if a["optimal"] else "",
            a["action"],
            number(a["value"]),
            number(a["regret"]),
            *([f"{a['probability']:.4f}"] if mixed else []),
        ]
        for a in answer["actions"]
    ]
    return "\n".join([*lines, "", *aligned([header, *rows]), "", answer["advice"]])


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


def evaluation_text(answer: Mapping[str, Any], count: int = 3) -> str:
    """What a policy earns, and the habits that cost it most."""
    chances = [[name, number(answer[name])] for name in ("first", "second", "average", "exploitability")]
    lines = [
        f"{answer['table']}  {words(answer['parameters'])}",
        f"{answer['policy']} against {answer['against']}: probability to win, first, second and on average",
        "",
        *(f"   {line}" for line in aligned([["", "probability"], *chances])),
    ]
    if not answer["habits"]:
        return "\n".join([*lines, "", "No decision that is met gives anything up."])
    habits = answer["habits"][:count]
    spans = [name.removesuffix("_from") for name in habits[0] if name.endswith("_from")]
    rows = [["action", *spans, "cost", "frequency", "loss"]]
    for habit in habits:
        ends = [(habit[f"{name}_from"], habit[f"{name}_to"]) for name in spans]
        ranges = [str(low) if low == high else f"{low}-{high}" for low, high in ends]
        rows.append([habit["action"], *ranges, *(number(habit[name]) for name in rows[0][-3:])])
    return "\n".join([*lines, "", "The habits that cost most:", *(f"   {line}" for line in aligned(rows))])


def estimate_text(e: "Estimate") -> str:
    """One line: how many jobs, how long, the memory of the largest, the size of the tables."""
    said = [f"{_count(e.jobs, 'job')}: about {duration(e.seconds)} with {_count(e.at_once, 'job')} at a time"]
    said.append(f"{duration(e.work)} of work")
    if e.largest:
        said.append(f"{e.memory:.0f} MB in the largest job ({e.largest})")
    if e.megabytes:
        said.append(f"{e.megabytes:.0f} MB of tables")
    if e.unknown:
        said.append(f"not counted, as never measured: {', '.join(e.unknown)}")
    return "; ".join(said)


def duration(seconds: float) -> str:
    """A duration as people say it: 40 s, 12 min, 3.5 h."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 100 * 60 else f"{seconds / 3600:.1f} h"


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"


def tables_text(variants: Iterable[Mapping[str, Any]]) -> str:
    """One line a variant."""
    rows = [["table", "parameters", "states", "value", "unit", "error bound"]]
    rows += [
        [
            v["name"],
            words(v["parameters"]),
            str(v["states"]),
            number(v["value"]),
            v["unit"],
            bound(v["error_bound"]),
        ]
        for v in variants
    ]
    return "\n".join(aligned(rows))


def rows_text(names: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """The result of a query."""
    return "\n".join(aligned([list(names), *([_cell(x) for x in row] for row in rows)]))


def as_json(content: Any) -> str:
    """For machines."""
    return json.dumps(_plain(content))


def words(values: Mapping[str, Any]) -> str:
    """`a=1 b=2`, as one types it."""
    return " ".join(f"{k}={v}" for k, v in values.items())


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Columns under each other; numbers to the right."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    numeric = [all(_is_number(row[i]) for row in rows[1:]) and len(rows) > 1 for i in range(len(widths))]
    return [
        "  ".join(
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(row, widths, numeric, strict=True)
        ).rstrip()
        for row in rows
    ]


def _cell(value: Any) -> str:
    if value is None:
        return ""
    return number(value) if isinstance(value, float) else str(value)


def _plain(value: Any) -> Any:
    """What JSON can say: a number stays a number, what is no finite number is null, dates are text."""
    if isinstance(value, Mapping):
        return {str(k): _plain(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(v) for v in value]
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float | Decimal):
        return float(value) if math.isfinite(value) else None
    return str(value)


def number(value: float) -> str:
    """A number with as many digits as a reader needs."""
    if value and abs(value) < 1e-4:
        return f"{value:.2e}"
    return f"{value:.6f}" if value and abs(value) < 10 else f"{value:.4f}"


def bound(value: float) -> str:
    """An error bound: its size is what counts."""
    return f"{value:.1e}"


def _is_number(text: str) -> bool:
    try:
        float(text or "0")
    except ValueError:
        return False
    return True
