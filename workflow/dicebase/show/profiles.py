"""Profiles of duels (policies/profile.py) as a table of text and as a picture, a row for each variant."""

from collections.abc import Sequence
from pathlib import Path

from dicebase.show.text import aligned
from dicebase.vocabulary import Json, words

KINDS = (".pdf", ".svg", ".png")


def as_text(profiles: Sequence[Json]) -> str:
    """Return profiles as a table, and the reasons why numbers are missing."""
    same, rows = _labelled(profiles)
    shown = [["", *rows[0][1]], *([label, *(text for text, _ in found.values())] for label, found in rows)]
    told = (
        (words(of["parameters"]) if name == "all" else name, why)
        for of in profiles
        for name, why in of["refused"].items()
    )
    why = dict.fromkeys(f"{name}: {why}" for name, why in told)
    return "\n".join([f"{profiles[0]['table']}  {same}".rstrip(), "", *aligned(shown), *([""] * bool(why)), *why])


def draw(profiles: Sequence[Json], path: Path) -> None:
    """Draw profiles: a panel of bars for each number, with a bar for each variant."""
    from matplotlib.figure import Figure

    from dicebase.show.pictures.page import save

    same, rows = _labelled(profiles)
    panels = [name for name in rows[0][1] if any(found[name][1] is not None for _, found in rows)]
    figure = Figure(figsize=(2 + 2 * len(panels), 1.3 + 0.32 * len(rows)), layout="constrained")
    figure.suptitle(f"{profiles[0]['table']} {same}".rstrip())
    labels = [label or "value" for label, _ in rows]
    for name, axis in zip(panels, figure.subplots(1, len(panels), sharey=True, squeeze=False)[0], strict=True):
        bars = axis.barh(labels, [found[name][1] or 0.0 for _, found in rows], color="#0072B2")
        axis.bar_label(bars, [found[name][0] for _, found in rows], padding=2, fontsize=8)
        axis.set_title(name, fontsize=9)
        axis.margins(x=0.3, y=0.02)
        axis.spines[["top", "right"]].set_visible(False)
    figure.axes[0].invert_yaxis()
    save(figure, path, f"{profiles[0]['table']}: profile")


def _labelled(profiles: Sequence[Json]) -> tuple[str, list[tuple[str, dict[str, tuple[str, float | None]]]]]:
    """Return (the parameters that all variants share, [(the other parameters, {name: (text, number)}) by variant]),
    without variants that have no profile."""
    profiles = [p for p in profiles if "first" in p]
    values = {n: {p["parameters"][n] for p in profiles} for n in profiles[0]["parameters"]}
    same = words({n: x for n, (x, *more) in values.items() if not more})
    return same, [
        (words({n: x for n, x in p["parameters"].items() if len(values[n]) > 1}), _numbers(p)) for p in profiles
    ]


def _numbers(p: Json) -> dict[str, tuple[str, float | None]]:
    """Return the numbers of a profile, as texts and numbers, by their names in words."""
    chances = {"first wins": p["first"], "with head start": p["with_head_start"], "close": p["close"]}
    chances |= {_beats(name): x for name, x in p["against"].items()}
    found = {name: (_percent(x), x) for name, x in chances.items()}
    start = p["head_start"]
    found["head start"] = ("-" if start is None else str(start), start)
    found |= {p["moves"]: (f"{p['length']:.2f}", p["length"]), "deviation": (f"{p['deviation']:.2f}", p["deviation"])}
    order = ["first wins", "head start", "with head start", *map(_beats, p["against"])]
    return {name: found[name] for name in (*order, p["moves"], "deviation", "close")}


def _beats(policy: str) -> str:
    return f"beats {policy.replace('_', ' ')}"


def _percent(chance: float | None) -> str:
    return "-" if chance is None else f"{100 * chance:.2f} %"
