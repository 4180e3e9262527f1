"""A card of policies/cards.py as one printed page: A4, black on white, with letters large enough for a phone."""

from collections.abc import Sequence
from html import escape
from io import StringIO
from pathlib import Path
from textwrap import wrap

import matplotlib
from matplotlib.figure import Figure
from matplotlib.patches import Circle, FancyBboxPatch

from dicebase.vocabulary import ConfigurationError, Json, words

WIDE, HIGH, EDGE, GAP = 210.0, 297.0, 14.0, 8.0  # mm
PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<meta name="viewport" content="width=device-width"><style>svg {{max-width: 100%; height: auto}}</style></head>
<body>{svg}</body></html>
"""
LONG = 24  # rows of a table
KINDS = (".pdf", ".html", ".svg", ".png")
ENDS = "Also stop as soon as your points reach the target."
PIPS = {1: (4,), 2: (2, 6), 3: (2, 4, 6), 4: (0, 2, 6, 8), 5: (0, 2, 4, 6, 8), 6: (0, 2, 3, 5, 6, 8)}


def check_name(path: Path, kinds: Sequence[str] = KINDS) -> None:
    """Raise ConfigurationError unless a card can be written to a file of this name."""
    if path.suffix.lower() not in kinds:
        raise ConfigurationError(f"{path}: give a name that ends in {', '.join(kinds[:-1])} or {kinds[-1]}")
    if not path.parent.is_dir():
        raise ConfigurationError(f"{path}: the folder {path.parent} does not exist")


def draw(card: Json, path: Path) -> None:
    """Write a card made by policies.cards.make_card."""
    page = _Page()
    names = [n for n, p in card["parameters"].items() if n in card["rules"]]
    page.text(": ".join([card["game"], *(card["labels"][n] for n in names)]), 24, bold=True)
    rest = {n: x for n, x in card["parameters"].items() if n not in names}
    page.text("; ".join([line for n in names for line in card["rules"][n]] + [words(rest)]), 10)
    (_of_throws if "throw" in card else _of_turns)(page, card)
    page.heading("What this card costs")
    for line in given_up(card):
        page.text(line, 13)
    save(page.figure, path, f"{card['game']}: a card")


def save(figure: Figure, path: Path, title: str) -> None:
    """Write a figure without its date, so that equal figures give equal files. HTML holds it as text and lines."""
    if path.suffix.lower() == ".html":
        svg = StringIO()
        with matplotlib.rc_context({"svg.hashsalt": "dicebase", "svg.fonttype": "none"}):
            figure.savefig(svg, format="svg", metadata={"Title": title, "Date": None})
        drawn = svg.getvalue()
        text = PAGE.format(title=escape(title), svg=drawn[drawn.index("<svg") :])
        path.write_text(text, encoding="utf-8")
        return
    of = {".pdf": {"CreationDate": None}, ".svg": {"Date": None}, ".png": {"Software": None}}[path.suffix.lower()]
    with matplotlib.rc_context({"svg.hashsalt": "dicebase"}):
        figure.savefig(path, metadata={"Title": title} | of, dpi=150)


def given_up(card: Json) -> list[str]:
    """Return the results of the card and of optimal play, in sentences."""
    turn, duel = card["turn"], card["duel"]
    if match := card.get("match"):
        cost, worst = (f"{100 * match[name]:.2f}" for name in ("cost", "worst_case"))
        best = f"against the opponent who knows the card and plays best against it, {worst} more."
        return [f"Of 100 matches to {duel['target']:,} against optimal play it loses {cost} more than it wins; {best}"]
    lost = turn["best"] - turn["card"]
    what = "throw" if "throw" in card else "turn"
    less = f"{lost:.2f} less than" if lost >= 0.005 else "as many as"
    lines = [f"{turn['card']:.2f} points per {what} on average, {less} optimal play ({turn['best']:.2f})."]
    if "why" in duel:
        return [*lines, f"No duel is evaluated: {duel['why']}."]
    fewer = max(0.0, 50 - 100 * duel["average"])
    return [
        *lines,
        f"In a duel to {duel['target']:,} against optimal play it wins {100 * duel['average']:.2f} % of all matches, "
        f"{fewer:.2f} percentage points less than half, and {100 * duel['first']:.2f} % when it moves first, where "
        f"optimal play wins {100 * duel['best']:.2f} %.",
    ]


def _of_throws(page: "_Page", card: Json) -> None:
    page.heading("What to do")
    dice = card["throw"]
    page.text(f"Throw {dice} {'die' if dice == 1 else 'dice'}.", 30, bold=True)


def _of_turns(page: "_Page", card: Json) -> None:
    if match := card["match"]:
        page.heading("What to do")
        page.text(match["card"], 24, bold=True)
        page.text(ENDS, 13)
        return
    stop, keeps = card["stop"], bool(card["keep"]) or len(card["stop_at"]) > 1
    page.heading(f"When to {stop}")
    at_end = "" if "why" in card["duel"] else ENDS
    if not keeps:
        (at,) = (row["from"] for row in card["stop_at"])
        page.text("Never." if at is None else f"{stop.capitalize()} from {at:,} on.", 30, bold=True)
        page.text(at_end, 13)
        return
    hands = [str(row["hand"]) for row in card["stop_at"]]
    ends = card["duel"]["target"]
    from_on = ["never" if (at := row["from"]) is None or at >= ends else f"{at:,}" for row in card["stop_at"]]
    page.table(["dice left to roll", *hands], [[f"{stop} from", *from_on]])
    opening = f" The first bank needs at least {card['opening']:,} points." if card["opening"] else ""
    page.text(
        f"Keep dice as shown below. If the points of this turn have then reached the number above, {stop}, and count "
        f"all that scores in this roll; otherwise roll the remaining dice. {at_end}{opening}",
        13,
    )
    page.heading("Which dice to keep")
    if not card["keep"]:
        page.text("All that score.", 20, bold=True)
        return
    page.text("All that score, with these exceptions, by the scoring dice and the number of dice rolled:", 13)
    rolled = sorted({hand for row in card["keep"] for hand in row["of"]}, key=lambda hand: -hand or -9)
    shown = [
        [row["scores"], *("all" if (k := row["of"].get(h, "")) == row["scores"] else " ".join(k) for h in rolled)]
        for row in card["keep"]
    ]
    page.table(["scoring dice", *(str(hand or "first") for hand in rolled)], shown, dice=True)


class _Page:
    """A page in mm, filled from the top."""

    def __init__(self) -> None:
        self.figure = Figure(figsize=(WIDE / 25.4, HIGH / 25.4), facecolor="white")
        self.axis = self.figure.add_axes((0, 0, 1, 1))
        self.axis.set(xlim=(0, WIDE), ylim=(HIGH, 0))
        self.axis.axis("off")
        self.at = EDGE

    def heading(self, text: str) -> None:
        self.at += 3
        self.axis.plot([EDGE, WIDE - EDGE], [self.at, self.at], color="black", linewidth=1)
        self.at += 2
        self.text(text, 17, bold=True)

    def text(self, text: str, size: float, bold: bool = False) -> None:
        """Add a paragraph of page width; a letter is about half as wide as it is high."""
        for line in wrap(text, int((WIDE - 2 * EDGE) / (size * 0.3528 * (0.6 if bold else 0.56)))):
            self._letters(EDGE, self.at + size * 0.3528, line, size, "left", bold)
            self.at += size * 0.3528 * 1.35
        self.at += 1.5

    def table(self, head: Sequence[str], rows: Sequence[Sequence[str]], dice: bool = False) -> None:
        """Add a table with a wide first column, whose entries are dice if `dice`. Long tables are split in two."""
        parts = 1 if len(rows) <= LONG else 2
        many, span = -(-len(rows) // parts), (WIDE - 2 * EDGE + GAP) / parts - GAP
        high, first = min(11.0, (HIGH - 48 - self.at) / (many + 1)), span * 0.34
        wide, size = (span - first) / (len(head) - 1), min(15.0, high * 1.5)
        for place, row in enumerate([head, *rows[:many], *([head] if parts > 1 else []), *rows[many:]]):
            (part, number), top = divmod(place, many + 1), self.at + place % (many + 1) * high
            left, middle = EDGE + part * (span + GAP), top + high / 2
            for column, entry in enumerate(row):
                x = left if column == 0 else left + first + (column - 0.5) * wide
                if dice and number and column == 0:
                    for place, face in enumerate(entry):
                        self._die(x + place * high * 0.9, middle, int(face), high * 0.8)
                else:
                    side, strong = ("left" if column == 0 else "center"), number > 0 and entry != "all"
                    self._letters(x, middle + size * 0.12, entry, size, side, strong)
            self.axis.plot([left, left + span], [top + high, top + high], color="black", linewidth=0.4)
        self.at += (many + 1) * high + 2.5

    def _letters(self, x: float, base: float, text: str, size: float, side: str, bold: bool) -> None:
        weight = "bold" if bold else "normal"
        self.axis.text(x, base, text, fontsize=size, ha=side, va="baseline", weight=weight, parse_math=False)

    def _die(self, x: float, middle: float, face: int, size: float) -> None:
        box = {"boxstyle": f"round,pad=0,rounding_size={size / 5}", "fill": False, "linewidth": 1}
        self.axis.add_patch(FancyBboxPatch((x, middle - size / 2), size, size, **box))
        for pip in PIPS[face]:
            place = x + size * (0.25 + 0.25 * (pip % 3)), middle + size * (-0.25 + 0.25 * (pip // 3))
            self.axis.add_patch(Circle(place, size * 0.09, color="black", linewidth=0))
