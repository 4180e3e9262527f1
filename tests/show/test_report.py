"""Pages show the text of authors as text: no markup of HTML or Markdown in it has an effect."""

from html.parser import HTMLParser

import markdown
import pytest
from markdown_it import MarkdownIt

from dicebase.catalog.lookup import Catalog
from dicebase.show.http.openapi import describe, page
from dicebase.show.report import write_pages
from dicebase.tables.layout import PAGES
from dicebase.tables.templates import render
from support import commands, grids
from support.own_games import known

HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "&lt;b&gt; & &copy;",
    "a | b",
    "`code` and ``more",
]
HOSTILE += ["*bold* _soft_ __hard__ ~~gone~~ snake_case_2", "[a link](javascript:alert(1)) ![a picture](x.png)"]
HOSTILE += ["[a]: javascript:alert(1)", "two\nlines\n\n# and a heading", "\\* a \\| b \\"]
HOSTILE += [f"{mark} words" for mark in ("#", "1.", "-", "+", "---", ">", "```", "~~~")]
ROW = {"states": 1, "actions": 1, "parameters": {}, "value": 1.0, "error_bound": 0.0}
RENDERERS = {
    "mkdocs": lambda text: markdown.markdown(text, extensions=["tables", "fenced_code"]),
    "CommonMark": MarkdownIt("commonmark").enable(["table", "strikethrough"]).render,
}


class Shown(HTMLParser):
    """The tags of a page, and the text that a reader sees."""

    def __init__(self, html):
        super().__init__(convert_charrefs=True)
        self.tags, self.text = [], ""
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, *attributes))

    def handle_data(self, data):
        self.text += data


def shown_pages(text):
    """Show a page of games whose title, citation and unit are this text, as both renderers do."""
    row = ROW | {"unit": text}
    table = {"game_title": text, "citation": text, "drawn": [], "pictures": [], "table": "a_b", "value_is": text}
    tables = [table | {"variants": [row], "shown": row}]
    source = render("games.md", tables=tables, compared=[], words=str, bound=str)
    return {name: Shown(renderer(source)) for name, renderer in RENDERERS.items()}


@pytest.mark.parametrize("text", HOSTILE)
def test_markdown_is_shown_as_text(text):
    for name, plain in shown_pages("nothing").items():
        shown = shown_pages(text)[name]
        assert shown.tags == plain.tags, name
        assert " ".join(shown.text.split()) == " ".join(plain.text.replace("nothing", " ".join(text.split())).split())


def test_a_drawing_cannot_leave_its_block():
    drawn = ["```", "<script>alert(1)</script>", "", "~~~"]
    row = ROW | {"unit": ""}
    names = ("game_title", "citation", "table", "value_is")
    table = dict.fromkeys(names, "") | {"drawn": drawn, "example": {}, "pictures": []}
    tables = [table | {"variants": [row], "shown": row}]
    source = render("games.md", tables=tables, compared=[], words=str, bound=str)
    for name, renderer in RENDERERS.items():
        html = renderer(source)
        assert html.count("<pre>") == 1 and "<script" not in html, name
        assert "\n".join(drawn) in Shown(html).text, name


def test_no_page_contains_markup_of_a_rules_file(tmp_path):
    ladder = (commands.ROOT / "tests/games/new_game/games/ladder.py").read_text(encoding="utf-8")
    for written in ("Ladder: climb", "One climb.", "points of one rung", "Ladder", "A game made up"):
        ladder = ladder.replace(written, f"<script>alert(1)</script> {written}")
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "marked_ladder.py").write_text(ladder, encoding="utf-8")
    with known(tmp_path / "games"):
        results = grids.build(tmp_path / "results", "tables: {marked_ladder_turn: [{}]}")
        write_pages(results)
        with Catalog(results) as catalog:
            pages = {"service": page(describe(catalog), explorer=False)}
    pages |= {path.name: path.read_text(encoding="utf-8") for path in (results / PAGES).iterdir()}
    marked = {name for name, text in pages.items() if "&lt;script&gt;" in text}
    assert marked == {"service", "dictionary.md", "games.md"}
    assert not [name for name, text in pages.items() if "<script" in text]
