"""Draw the pictures of a results folder."""

import sys
from pathlib import Path

import matplotlib
import numpy as np
from matplotlib.figure import Figure

from dicebase.catalog.lookup import Catalog
from dicebase.show.pictures import kinds
from dicebase.show.pictures.gallery import PICTURES, Picture, variants_in
from dicebase.tables.layout import replacing_folder
from dicebase.vocabulary import ROWS, words

matplotlib.use("Agg")
STYLE = {"font.size": 10, "axes.titlesize": 10, "figure.constrained_layout.use": True, "savefig.dpi": 120}


def draw_all(catalog: Catalog, folder: Path) -> list[Picture]:
    """Draw every picture whose variants are solved into a folder, replacing it atomically; returns the pictures."""
    with replacing_folder(folder) as temporary:
        temporary.mkdir(parents=True)
        return [picture for picture in PICTURES if draw(catalog, picture, temporary)]


def draw(catalog: Catalog, picture: Picture, folder: Path) -> bool:
    """Draw a picture and write its caption beside it. Returns False if a variant is missing, or, with a message, if
    only the starts of its turns are stored."""
    solved = variants_in(catalog)
    if not picture.is_shown(solved):
        for row in (r for r in solved for needed in picture.needs if needed.items() - r.items() == {("store", ROWS)}):
            what = f"needs all rows of {words(row)}"
            print(f"picture {picture.name}: {what}; give 'store: {ROWS}' to draw it", file=sys.stderr)
        return False
    rows = {name: _column(values) for name, values in catalog.sql(picture.query).fetchnumpy().items()}
    with matplotlib.rc_context(STYLE):
        figure = Figure()
        getattr(kinds, picture.kind)(figure, rows, **picture.options)
        figure.suptitle(picture.title, fontsize=12)
        figure.savefig(folder / f"{picture.name}.png", metadata={"Software": None, "Title": picture.title})
    (folder / f"{picture.name}.txt").write_text(f"{picture.caption}\n\n{picture.query}\n", encoding="utf-8")
    return True


def _column(values: np.ndarray) -> np.ndarray:
    """Return numbers as doubles, with NaN for NULL, and other values unchanged."""
    return np.ma.filled(values.astype(float), np.nan) if np.issubdtype(values.dtype, np.number) else values
