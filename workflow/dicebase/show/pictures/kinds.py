"""Kinds of pictures. Each function takes a Matplotlib figure, the rows of a query by column, and labels for the axes.

Colour maps are readable by the colour-blind and keep their order in grey; lines also differ by dashes.
"""

from collections.abc import Mapping, Sequence
from itertools import cycle

import numpy as np
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.colors import BoundaryNorm
from matplotlib.figure import Figure
from matplotlib.patches import Patch

Rows = Mapping[str, np.ndarray]
"""Columns of equal length, NaN for a missing number; a column of texts may split the rows into panels or lines."""

MAP, NUMBERS, DASHES = "cividis", "viridis", ("-", "--", "-.", ":")
# The colours of Okabe and Ito, without yellow, which is invisible on white paper.
LINES = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")


def heat_map(
    figure: Figure,
    rows: Rows,
    x: tuple[str, str],
    y: tuple[str, str],
    colour: tuple[str, str],
    panel: str = "",
    nothing: str = "",
    most: float = 100.0,
) -> None:
    """Draw a colour map of one number by two others, with a panel for each text of `panel`.

    x, y, colour : (column, label of the axis or colour bar with its unit).
    nothing : meaning of a missing value, drawn white.
    most : percentile at which the colour scale ends; the bar marks that values continue beyond it.
    """
    panels = _split(rows, panel)
    figure.set_size_inches(4.1 * len(panels) + 0.4, 4.9)
    for axis, (title, part) in zip(_row(figure, len(panels)), panels, strict=True):
        known = part[colour[0]][~np.isnan(part[colour[0]])]
        high = np.percentile(known, most)
        image = _map(axis, title, part, x, y, colour, cmap=MAP, vmin=known.min(), vmax=high)
        extend = "max" if known.max() > high else "neither"
        figure.colorbar(image, ax=axis, orientation="horizontal", extend=extend, label=colour[1])
    if nothing:
        figure.supxlabel(f"white: {nothing}", fontsize=9)


def choices(
    figure: Figure, rows: Rows, x: tuple[str, str], y: tuple[str, str], colour: tuple[str, str], panel: str = ""
) -> None:
    """Draw a map of integer choices, such as numbers of dice, with one colour per number."""
    panels = _split(rows, panel)
    figure.set_size_inches(4.3 * len(panels) + 0.4, 4.9)
    low, high = int(np.nanmin(rows[colour[0]])), int(np.nanmax(rows[colour[0]]))
    norm = BoundaryNorm(np.arange(low - 0.5, high + 1), 256)
    axes = _row(figure, len(panels))
    for axis, (title, part) in zip(axes, panels, strict=True):
        image = _map(axis, title, part, x, y, colour, cmap=NUMBERS, norm=norm)
    ticks = np.arange(low, high + 1)
    figure.colorbar(image, ax=axes, orientation="horizontal", ticks=ticks, label=colour[1], fraction=0.08)


def curves(
    figure: Figure,
    rows: Rows,
    x: tuple[str, str],
    y: tuple[str, str],
    line: str = "",
    steps: bool = False,
    points: bool = False,
    level: float | None = None,
) -> None:
    """Plot one number against another, with a line for each text of `line`; `level` adds a horizontal line."""
    figure.set_size_inches(7.8, 4.6)
    axis = figure.subplots()
    for (name, part), colour, dashes in zip(_split(rows, line), cycle(LINES), cycle(DASHES), strict=False):
        order = np.argsort(part[x[0]], kind="stable")
        style = {"drawstyle": "steps-post"} if steps else {}
        style |= {"marker": "o", "markersize": 4} if points else {}
        axis.plot(part[x[0]][order], part[y[0]][order], dashes, color=colour, label=name, linewidth=1.6, **style)
    if level is not None:
        axis.axhline(level, color="black", linewidth=0.8)
    axis.set(xlabel=x[1], ylabel=y[1])
    axis.locator_params("x", integer=bool((rows[x[0]] % 1 == 0).all()))
    axis.grid(alpha=0.3)
    if line:
        figure.legend(loc="outside right center", frameon=False)


def mixes(figure: Figure, rows: Rows, x: tuple[str, str], choice: tuple[str, str], panel: str = "") -> None:
    """Draw the probability of each choice as stacked bars at each x, with a panel for each text of `panel`.

    rows : the columns of x and of the choice, and `probability`.
    """
    panels = _split(rows, panel)
    figure.set_size_inches(7.6, 2.0 * len(panels) + 1.0)
    numbers = np.unique(rows[choice[0]])
    colours = colormaps[NUMBERS](np.linspace(0, 1, len(numbers)))
    axes = figure.subplots(len(panels), 1, sharex=True, squeeze=False)[:, 0]
    for axis, (title, part) in zip(axes, panels, strict=True):
        places = np.unique(part[x[0]])
        below = np.zeros(len(places))
        for number, colour in zip(numbers, colours, strict=True):
            here = part[choice[0]] == number
            share = np.zeros(len(places))
            share[np.searchsorted(places, part[x[0]][here])] = part["probability"][here]
            style = {"color": colour, "label": f"{number:g}", "edgecolor": "white", "linewidth": 0.3}
            axis.bar(places, share, bottom=below, width=1.0, **style)
            below += share
        axis.set(ylim=(0, 1), xlim=(places[0] - 0.5, places[-1] + 0.5), ylabel="probability")
        axis.set_title(title, fontsize=10, loc="left")
    axes[-1].set_xlabel(x[1])
    figure.legend(*axes[0].get_legend_handles_labels(), title=choice[1], loc="outside right upper", frameon=False)


def mix_map(
    figure: Figure, rows: Rows, x: tuple[str, str], y: tuple[str, str], choice: tuple[str, str], away: str = ""
) -> None:
    """Draw a table of mixes: a cell for each x and y, divided among the choices by probability.

    rows : the columns of x, y and the choice, and `probability`; in a cell the smallest choice is at the top.
    away : letter of the target that x and y count down from, for labels such as G-3; without it, plain numbers.
    """
    figure.set_size_inches(8.7, 7.6)
    axis = figure.subplots()
    numbers = np.unique(rows[choice[0]])
    colours = dict(zip(numbers, colormaps[NUMBERS](np.linspace(0, 1, len(numbers))), strict=True))
    below: dict[tuple[float, float], float] = {}
    for place in np.lexsort((rows[choice[0]], rows[x[0]], rows[y[0]])):
        column, row, number, share = (rows[name][place] for name in (x[0], y[0], choice[0], "probability"))
        bottom = row + 0.46 - 0.92 * below.get((column, row), 0.0)
        axis.bar(column, -0.92 * share, bottom=bottom, width=0.92, color=colours[number])
        below[column, row] = below.get((column, row), 0.0) + share
        if share >= 0.2:
            ink = "white" if colours[number] @ (0.299, 0.587, 0.114, 0.0) < 0.5 else "black"
            axis.text(column, bottom - 0.46 * share, f"{number:g}", color=ink, ha="center", va="center", fontsize=7)
    for side, name in ((axis.xaxis, x[0]), (axis.yaxis, y[0])):
        places = np.unique(rows[name])
        side.set_ticks(places, [f"{away}-{place:g}" if away else f"{place:g}" for place in places])
    axis.set(xlabel=x[1], ylabel=y[1], aspect="equal")
    axis.invert_xaxis()
    axis.margins(0.01)
    handles = [Patch(color=colours[number], label=f"{number:g}") for number in numbers]
    figure.legend(handles=handles, title=choice[1], loc="outside right upper", frameon=False)


def _row(figure: Figure, number: int) -> Sequence[Axes]:
    return figure.subplots(1, number, squeeze=False)[0]


def _split(rows: Rows, column: str) -> list[tuple[str, dict[str, np.ndarray]]]:
    """Return [(text, rows that have it)], in order of first appearance."""
    if not column:
        return [("", dict(rows))]
    names = list(dict.fromkeys(rows[column].tolist()))
    return [(str(name), {n: values[rows[column] == name] for n, values in rows.items()}) for name in names]


def _map(axis: Axes, title: str, rows: Rows, x: tuple[str, str], y: tuple[str, str], colour: tuple[str, str], **style):
    """Draw one number by (y, x) as an image, blank where the number is missing."""
    xs, ys = np.unique(rows[x[0]]), np.unique(rows[y[0]])
    grid = np.full((len(ys), len(xs)), np.nan)
    grid[np.searchsorted(ys, rows[y[0]]), np.searchsorted(xs, rows[x[0]])] = rows[colour[0]].astype(float)
    half_x, half_y = ((v[1] - v[0]) / 2 if len(v) > 1 else 0.5 for v in (xs, ys))
    edges = (xs[0] - half_x, xs[-1] + half_x, ys[0] - half_y, ys[-1] + half_y)
    axis.set(title=title, xlabel=x[1], ylabel=y[1])
    return axis.imshow(grid, origin="lower", extent=edges, aspect="auto", interpolation="nearest", **style)
