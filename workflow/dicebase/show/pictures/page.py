"""One printed page of headings, paragraphs and tables: HTML that a phone can show, or a drawing of A4.

Characters of FACES in a text are drawn as dice.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from dicebase.tables.templates import TEMPLATES
from dicebase.vocabulary import ConfigurationError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FACES = "⚀⚁⚂⚃⚄⚅"
KINDS = (".pdf", ".html", ".svg", ".png")
WIDE, HIGH, EDGE, GAP = 210.0, 297.0, 14.0, 3.0  # mm
POINT = 25.4 / 72  # mm
SIZES = {"h1": 22.0, "h2": 16.0, "strong": 18.0, "p": 12.0, "small": 9.0, "table": 14.0}
BOLD = ("h1", "h2", "strong")
SHRINK = 0.96  # all letters become smaller in such steps until the page is large enough
DIE = re.compile(f"([{FACES}])")
DIE_SIZE = 1.25  # of a letter
LIGHT = "all"  # an entry of a table that stands back
SHORT = 10  # a column of longer entries is set flush left
PIPS = {1: (4,), 2: (2, 6), 3: (2, 4, 6), 4: (0, 2, 6, 8), 5: (0, 2, 4, 6, 8), 6: (0, 2, 3, 5, 6, 8)}

Grid = tuple[Sequence[Sequence[str]], Mapping[tuple[int, int], str]]
"""Rows of a table, the head first, and {(row, column): colour}."""


def check_name(path: Path, kinds: Sequence[str] = KINDS) -> None:
    """Raise ConfigurationError unless a file of this name can be written."""
    if path.suffix.lower() not in kinds:
        raise ConfigurationError(f"{path}: give a name that ends in {', '.join(kinds[:-1])} or {kinds[-1]}")
    if not path.parent.is_dir():
        raise ConfigurationError(f"{path}: the folder {path.parent} does not exist")


def with_dice(text: str) -> str:
    """Return a text whose digits from 1 to 6 are drawn as dice."""
    return text.translate({ord(str(face)): FACES[face - 1] for face in PIPS})


def save(figure: "Figure", path: Path, title: str) -> None:
    """Write a figure without its date, so that equal figures give equal files."""
    import matplotlib

    of = {".pdf": {"CreationDate": None}, ".svg": {"Date": None}, ".png": {"Software": None}}[path.suffix.lower()]
    with matplotlib.rc_context({"svg.hashsalt": "dicebase"}):
        figure.savefig(path, metadata={"Title": title} | of, dpi=150)


class Page:
    """A page. `parts` are pairs of a key of SIZES and a text, or of `table` and a Grid."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.parts: list[tuple[str, str | Grid]] = [("h1", title)]

    def add(self, kind: str, *texts: str) -> None:
        """Add paragraphs; empty ones are left out."""
        self.parts += [(kind, text) for text in texts if text]

    def table(self, rows: Sequence[Sequence[str]], fills: Mapping[tuple[int, int], str] | None = None) -> None:
        """Add a table of texts; the first row is its head."""
        self.parts.append(("table", (rows, fills or {})))

    def write(self, path: Path) -> None:
        """Write the page to a file of a kind in KINDS, by the ending of its name."""
        if path.suffix.lower() == ".html":
            page = (TEMPLATES / "page.html").read_text(encoding="utf-8")
            body = "\n".join(_html(*part) for part in self.parts)
            said = {"TITLE": escape(self.title), "DICE": "".join(map(_symbol, PIPS)), "BODY": body}
            path.write_text(re.sub("TITLE|DICE|BODY", lambda word: said[word[0]], page), encoding="utf-8")
            return
        scale = 1.0
        while (sheet := _Sheet(self.parts, scale)).at > HIGH - EDGE:
            scale *= SHRINK
        save(sheet.figure, path, self.title)


def _middle(rows: Sequence[Sequence[str]]) -> list[bool]:
    """Whether the entries of each column are centred."""
    return [place > 0 and max(map(len, column)) <= SHORT for place, column in enumerate(zip(*rows, strict=True))]


def _strong(text: str, middle: bool) -> bool:
    return middle and text != LIGHT


def _places(face: int) -> Iterator[tuple[float, float]]:
    """The middles of the pips of a die of size 12."""
    return ((3 + 3 * (pip % 3), 3 + 3 * (pip // 3)) for pip in PIPS[face])


def _symbol(face: int) -> str:
    pips = "".join(f'<circle cx="{x}" cy="{y}" r="1.15"/>' for x, y in _places(face))
    edge = '<rect x=".5" y=".5" width="11" height="11" rx="2" fill="#fff" stroke="#000"/>'
    return f'<symbol id="die{face}" viewBox="0 0 12 12">{edge}{pips}</symbol>'


def _html(kind: str, part: str | Grid) -> str:
    if isinstance(part, str):
        tag = kind if kind in ("h1", "h2") else "p"
        return f'<{tag} class="{kind}">{_text(part)}</{tag}>'
    rows, fills = part
    middle = _middle(rows)

    def cell(row: int, column: int, text: str) -> str:
        tag, colour = "td" if row else "th", fills.get((row, column))
        style = ' class="middle"' * middle[column] + (f' style="background: {colour}"' if colour else "")
        strong = "b" if row and _strong(text, middle[column]) else "span"
        return f"<{tag}{style}><{strong}>{_text(text)}</{strong}></{tag}>"

    lines = ["".join(cell(i, j, text) for j, text in enumerate(row)) for i, row in enumerate(rows)]
    return "\n".join(['<div class="wide"><table>', *(f"<tr>{line}</tr>" for line in lines), "</table></div>"])


def _text(text: str) -> str:
    def draw(dice: re.Match) -> str:
        faces = [FACES.index(face) + 1 for face in dice[0]]
        drawn = (f'<svg class="die" role="img" aria-label="{n}"><use href="#die{n}"/></svg>' for n in faces)
        return f'<span class="dice">{"".join(drawn)}</span>'

    return re.sub(f"[{FACES}]+", draw, escape(text))


class _Sheet:
    """A drawing in mm, filled from the top; `at` is where it ends."""

    def __init__(self, parts: Sequence[tuple[str, str | Grid]], scale: float) -> None:
        from matplotlib.figure import Figure

        self.scale, self.at = scale, EDGE
        self.figure = Figure(figsize=(WIDE / 25.4, HIGH / 25.4), facecolor="white")
        self.axis = self.figure.add_axes((0, 0, 1, 1))
        self.axis.set(xlim=(0, WIDE), ylim=(HIGH, 0))
        self.axis.axis("off")
        for kind, part in parts:
            if kind == "h2":
                self.at += GAP * scale
                self._line(EDGE, WIDE - EDGE, 1.0)
                self.at += GAP * scale / 2
            self._table(*part) if kind == "table" else self._paragraph(part, SIZES[kind] * scale, kind in BOLD)

    def _paragraph(self, text: str, size: float, bold: bool) -> None:
        lines = [""]
        for word in text.split():
            longer = f"{lines[-1]} {word}".lstrip()
            lines[-1:] = [longer] if _width(longer, size, bold) <= WIDE - 2 * EDGE else [lines[-1], word]
        for line in lines:
            self.at += 1.4 * size * POINT
            self._letters(EDGE, self.at - 0.4 * size * POINT, line, size, bold)
        self.at += 0.4 * size * POINT

    def _table(self, rows: Sequence[Sequence[str]], fills: Mapping[tuple[int, int], str]) -> None:
        from matplotlib.patches import Rectangle

        middle, size = _middle(rows), SIZES["table"] * self.scale
        widths = [max(_width(text, size, True) for text in column) + GAP for column in zip(*rows, strict=True)]
        if (factor := (WIDE - 2 * EDGE) / sum(widths)) < 1:
            size, widths = size * factor, [wide * factor for wide in widths]
        else:
            widths = [wide + (WIDE - 2 * EDGE - sum(widths)) / len(widths) for wide in widths]
        high = 1.75 * size * POINT
        for i, row in enumerate(rows):
            left = EDGE
            for j, text in enumerate(row):
                if colour := fills.get((i, j)):
                    self.axis.add_patch(Rectangle((left, self.at), widths[j], high, color=colour, linewidth=0))
                bold = i > 0 and _strong(text, middle[j])
                x = left + middle[j] * (widths[j] - _width(text, size, bold)) / 2
                self._letters(x, self.at + 0.67 * high, text, size, bold)
                left += widths[j]
            self.at += high
            self._line(EDGE, WIDE - EDGE, 0.4)
        self.at += 0.4 * size * POINT

    def _line(self, left: float, right: float, wide: float) -> None:
        self.axis.plot([left, right], [self.at, self.at], color="black", linewidth=wide)

    def _letters(self, x: float, base: float, text: str, size: float, bold: bool) -> None:
        for piece in filter(None, DIE.split(text)):
            if piece in FACES:
                self._die(x, base, FACES.index(piece) + 1, size * POINT)
            else:
                weight = "bold" if bold else "normal"
                self.axis.text(x, base, piece, fontsize=size, va="baseline", weight=weight, parse_math=False)
            x += _width(piece, size, bold)

    def _die(self, x: float, base: float, face: int, size: float) -> None:
        from matplotlib.patches import Circle, FancyBboxPatch

        size, top = size * DIE_SIZE, base - size * (0.5 + DIE_SIZE) / 2 - size * 0.1
        box = {"boxstyle": f"round,pad=0,rounding_size={size / 6}", "fill": False, "linewidth": size / 5}
        self.axis.add_patch(FancyBboxPatch((x + 0.04 * size, top), size * 0.92, size * 0.92, **box))
        for right, down in _places(face):
            place = x + 0.04 * size + 0.92 * size * right / 12, top + 0.92 * size * down / 12
            self.axis.add_patch(Circle(place, size * 0.09, color="black", linewidth=0))


def _width(text: str, size: float, bold: bool) -> float:
    """The width of a line in mm."""
    dice = sum(letter in FACES for letter in text)
    text = DIE.sub("", text)
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    font = FontProperties(size=size, weight="bold" if bold else "normal")
    return (text_to_path.get_text_width_height_descent(text, font, ismath=False)[0] + dice * DIE_SIZE * size) * POINT
