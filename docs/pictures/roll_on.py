"""Where to roll on: the heat maps of the README, from the published tables.

python docs/pictures/roll_on.py results docs/pictures/roll_on.png
"""

import sys

import matplotlib
import numpy as np
from matplotlib import pyplot

import dicebase

matplotlib.use("Agg")

# The least turn total at which the published policy banks, by both players' points at the start of the turn; where it
# never does, it plays to win in this turn.
QUERY = """
    SELECT me, opponent, min(turn_total) FILTER (action <> 'roll') AS bank_at
    FROM {table} WHERE {where} GROUP BY me, opponent ORDER BY me, opponent
"""

# Title, table, target, unit of points, rows.
PANELS = [
    ("Pig to 100", "pig_duel", 100, 1, "sides = 6 AND dice = 1"),
    ("Ten Thousand, 3 dice left", "ten_thousand_duel", 10_000, 50, "rules = 'crocce_mordecki' AND dice = 3"),
    ("Ten Thousand, 2 dice left", "ten_thousand_duel", 10_000, 50, "rules = 'crocce_mordecki' AND dice = 2"),
]


LABEL = "least turn total at which to bank"


def main(results: str, path: str) -> None:
    """Draw the three maps side by side."""
    figure, axes = pyplot.subplots(1, 3, figsize=(12, 5), constrained_layout=True)
    with dicebase.open(results) as catalog:
        for axis, (title, table, target, unit, where) in zip(axes, PANELS, strict=True):
            query = QUERY.format(table=table, where=f"target = {target} AND {where}")
            draw(axis, title, catalog.sql(query).fetchall(), target, unit)
            figure.colorbar(axis.images[0], ax=axis, orientation="horizontal", extend="max", label=LABEL)
    figure.suptitle("Where to roll on (white: until the match is won)")
    figure.savefig(path, dpi=110)


def draw(axis: pyplot.Axes, title: str, rows: list[tuple], target: int, unit: int) -> None:
    """One heat map; white: never bank, roll until the match is won."""
    grid = np.full((target // unit, target // unit), np.nan)
    for me, opponent, bank_at in rows:
        grid[opponent // unit, me // unit] = np.nan if bank_at is None else bank_at
    known = grid[~np.isnan(grid)]
    axis.imshow(
        grid,
        origin="lower",
        extent=(0, target, 0, target),
        cmap="cividis",
        vmin=known.min(),
        vmax=np.percentile(known, 98),
        interpolation="nearest",
    )
    axis.set(title=title, xlabel="mover's points", ylabel="opponent's points")


if __name__ == "__main__":
    main(*sys.argv[1:])
