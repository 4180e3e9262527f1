"""Draw CPU seconds against size, with a panel per problem."""

from pathlib import Path

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
from catalogue import OURS, PEERS, TITLES, UNITS
from page import solved

# Okabe and Ito's colours can be distinguished with any colour vision; solvers also differ in their markers.
COLOURS = ("#000000", "#999999", "#E69F00", "#56B4E9", "#009E73", "#F0E442", "#0072B2", "#D55E00", "#CC79A7", "#7A4E2D",
           "#4B0092")  # fmt: skip
MARKERS = "osD^vPX<>*h"


def draw(found: dict, file: Path) -> None:
    """Draw the CPU seconds of model plus solution. Axes are logarithmic except those for numbers of slots and cards."""
    problems = [problem for problem, rows in found["rows"].items() if rows]
    figure, axes = plt.subplots(3, 2, figsize=(10, 12), layout="constrained", squeeze=False)
    for axis in axes.flat[len(problems) :]:
        axis.set_axis_off()
    lines = {}
    for problem, axis in zip(problems, axes.flat, strict=False):
        for peer, colour, marker in zip(PEERS, COLOURS, MARKERS, strict=True):
            rows = solved(found["rows"][problem].get(peer.name, []))
            if rows:
                seconds = [max(row["build_cpu"] + row["solve_cpu"], 1e-5) for row in rows]
                (lines[peer.name],) = axis.plot(
                    [row["size"] for row in rows],
                    seconds,
                    color=colour,
                    marker=marker,
                    markersize=6,
                    markeredgecolor="#444444",
                    markeredgewidth=0.5,
                    linewidth=2.5 if peer is OURS else 1.3,
                    zorder=3 if peer is OURS else 2,
                )
        axis.set_yscale("log")
        if problem not in ("ten_times_eighteen", "cards_up"):
            axis.set_xscale("log")
            axis.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
        axis.set_title(TITLES[problem])
        axis.set_xlabel(UNITS[problem][0])
        axis.set_ylabel("CPU seconds, model and solution")
        axis.grid(color="#dddddd", linewidth=0.6)
        axis.set_axisbelow(True)
    order = [peer.name for peer in PEERS if peer.name in lines]
    figure.legend([lines[name] for name in order], order, loc="outside lower center", ncols=5, frameon=False)
    file.parent.mkdir(exist_ok=True)
    figure.savefig(file, dpi=110)
    plt.close(figure)
