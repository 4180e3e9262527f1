"""The documentation as a site: every page is on it, it builds strictly, and its links lead somewhere."""

import importlib.util
import re
import shutil
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from support import commands

SPEC = importlib.util.spec_from_file_location("site_of_the_docs", commands.ROOT / "docs/site.py")
site = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(site)

MADE = {"audit/index.md": "# Every printed number\n", "pages/games.md": "# All games\n"}


TABLES = ("forbidden_multiple_turn", "pig_turn", "ten_thousand_turn")


@pytest.fixture(scope="module")
def built(tmp_path_factory, results):
    """The site over a small grid, with what the pipeline adds."""
    folder = tmp_path_factory.mktemp("site")
    shutil.copytree(results, folder / "results")
    for name, text in MADE.items():
        (folder / "results" / name).parent.mkdir(exist_ok=True)
        (folder / "results" / name).write_text(text)
    assert site.main(str(folder / "results"), str(folder / "site")) == 0
    return folder / "site"


class Page(HTMLParser):
    """The addresses that a page links to or shows, and its anchors."""

    def __init__(self, path: Path):
        super().__init__()
        self.links, self.anchors, self.words = [], set(), ""
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.links += [values[name] for name in ("href", "src") if values.get(name)]
        self.anchors |= {values[name] for name in ("id", "name") if values.get(name)}

    def handle_data(self, data):
        self.words += data


def test_every_page_of_the_documentation_is_on_the_site(built):
    files = [*commands.ROOT.glob("docs/*/*.md"), *commands.ROOT.glob("docs/notebooks/*.ipynb")]
    names = {path.stem for path in files} | {"index", "configuration", "every_printed_number", "games"}
    names |= {"tables", "python", "measured_solvers"}
    assert names | {"404", "search", *TABLES} == {path.stem for path in built.glob("*.html")}
    linked = set(Page(built / "index.html").links)
    unique = [name for section in site.pages(Path("none")).values() for name in section.values()]
    assert len(unique) == len({*unique})
    assert {f"{name}.html" for name in names} <= linked


def test_a_page_loads_nothing_from_elsewhere_and_has_a_glossary_and_a_menu_in_groups(built):
    for path in built.glob("*.html"):
        text = path.read_text(encoding="utf-8")
        assert re.search(r'href="/?glossary\.html"', text.partition("<footer")[2]), path.name
        loaded = re.findall(r"<(?:script|link|img)[^>]*(?:src|href)=\"([^\"]*)", text)
        assert loaded and [address for address in loaded if address.startswith(("http:", "https:", "//"))] == []
    menu = (built / "index.html").read_text(encoding="utf-8")
    assert menu.count('<li class="toctree-l1') == 1 + len(site.MENU) + len(["Reference"])


def test_every_link_leads_somewhere(built):
    pages = {path: Page(path) for path in built.glob("*.html")}
    for path, page in pages.items():
        for link in page.links:
            address = urlsplit(link)
            if address.scheme or path.name == "404.html":
                continue
            target = (path.parent / unquote(address.path)).resolve() if address.path else path
            assert target.exists(), f"{path.name}: {link}"
            if address.fragment and target in pages:
                assert unquote(address.fragment) in pages[target].anchors, f"{path.name}: {link}"


def test_every_table_has_a_page_and_the_reference_links_to_it(built):
    assert {f"{name}.html" for name in TABLES} <= set(Page(built / "tables.html").links)
    words = Page(built / "pig_turn.html").words
    for said in (
        "Pig: roll as often as you like",  # the rules
        "sides of each die, numbered from 1",  # a parameter
        "a whole number from 2 to 120",
        "dicebase lookup pig_turn sides=6 dice=1 turn_total=",  # an example and its answer
        "Best: ",
        "pig_turn_at(turn_total, sides := 6, dice := 1)",  # the macro
        "regret of the second-best action",  # a column
        "492303203/60466176",  # the exact value
        "solved again in rationals",  # the proof of the bound
        "M. Roters (1998)",  # the source
    ):
        assert said in words, said


def test_the_python_reference_shows_docstrings(built):
    page = Page(built / "python.html")
    assert {"dicebase.open", "dicebase.solve", "dicebase.catalog.lookup.Catalog.lookup"} <= page.anchors
    text = (built / "python.html").read_text(encoding="utf-8")
    assert re.search(r"<strong><code>results</code></strong>: the results folder", text)


def test_links_between_pages_are_links_on_the_site(built):
    for name in ("tutorial", "citing", "parquet", "first_move"):
        assert any(re.fullmatch(r"(certificates|policies|duels)\.html(#.*)?", link) for link in body(built, name)), name


def body(built: Path, name: str) -> list[str]:
    """The links of a page that are not on every page."""
    everywhere = set(Page(built / "search.html").links)
    return [link for link in Page(built / f"{name}.html").links if link not in everywhere]


def test_a_notebook_is_a_page_with_its_pictures(built):
    page = Page(built / "first_move.html")
    pictures = [link for link in page.links if link.startswith("pictures/first_move")]
    assert len(pictures) >= 2 and all((built / link).read_bytes().startswith(b"\x89PNG") for link in pictures)
    assert (
        "What we found" in page.words and "<style" not in (built / "first_move.html").read_text().partition("<body")[2]
    )


def test_a_page_that_is_not_listed_comes_last_in_its_folder(tmp_path, monkeypatch):
    folder = tmp_path / "docs/use"
    folder.mkdir(parents=True)
    for name in ("news", "sql"):
        (folder / f"{name}.md").write_text("# What is new\n\nNothing.\n")
    monkeypatch.setattr(site, "ROOT", tmp_path)
    monkeypatch.setattr(site, "DOCS", tmp_path / "docs")
    monkeypatch.setattr(site, "MORE", {})
    names = ["sql.md", "news.md"]
    assert list(site.pages(tmp_path)["Use it"].items()) == [(folder / name, name) for name in names]


def test_a_link_to_nowhere_fails(tmp_path, monkeypatch):
    page = tmp_path / "docs/lost.md"
    page.parent.mkdir()
    page.write_text("# Lost\n\n[there](#nowhere)\n")
    monkeypatch.setattr(site, "pages", lambda results: {"Lost": {page: "index.md"}})
    assert site.main(str(tmp_path), str(tmp_path / "site")) != 0
