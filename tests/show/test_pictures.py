"""The pictures and pages of the report, over a catalogue with some of their tables."""

import struct

import numpy as np
import pytest

from dicebase.show.pictures.gallery import PICTURES, Picture
from dicebase.show.report import solved
from dicebase.show.report import values as values_page
from dicebase.tables.templates import render
from dicebase.vocabulary import DicebaseError
from support import grids

CONFIG = "tables: {pig_duel: [{target: 100}], hog_simultaneous: [{target: 10, max_dice: 4}]}"
GRID = grids.of("pictures", CONFIG)


@pytest.fixture(scope="module")
def pictures():
    """The module that draws; Matplotlib takes a second to load."""
    from dicebase.show.pictures import draw

    return draw


def test_solved_tables_are_drawn_and_old_pictures_are_removed(db, tmp_path, pictures):
    (tmp_path / "pictures").mkdir()
    (tmp_path / "pictures" / "old.png").write_text("of another catalogue")
    drawn = pictures.draw_all(db, tmp_path / "pictures")
    assert [picture.name for picture in drawn] == ["winning", "regret_of_holding"]
    names = {f"{picture.name}.{end}" for picture in drawn for end in ("png", "txt")}
    assert {path.name for path in (tmp_path / "pictures").iterdir()} == names
    for picture in drawn:
        content = (tmp_path / "pictures" / f"{picture.name}.png").read_bytes()
        width, height = struct.unpack(">II", content[16:24])
        assert content[:8] == b"\x89PNG\r\n\x1a\n" and width > 400 and height > 300
        assert picture.query in (tmp_path / "pictures" / f"{picture.name}.txt").read_text()


def test_the_page_of_games_has_the_pictures_of_a_game(db):
    shown = {table["table"]: [picture.name for picture in table["pictures"]] for table in solved(db)}
    assert shown == {"hog_simultaneous": [], "pig_duel": ["winning", "regret_of_holding"]}


def test_pictures_are_reproducible(db, tmp_path, pictures):
    for folder in ("one", "two"):
        pictures.draw_all(db, tmp_path / folder)
    assert (tmp_path / "one/winning.png").read_bytes() == (tmp_path / "two/winning.png").read_bytes()


def test_every_picture_has_its_caption_and_query():
    from dicebase.show.pictures import kinds

    assert len({picture.name for picture in PICTURES}) == len(PICTURES) >= 8
    for picture in PICTURES:
        assert picture.needs and picture.caption.endswith(".") and hasattr(kinds, picture.kind)
        assert picture.query.startswith(("SELECT", "WITH")) and ".. code-block:: sql" in picture.caption_text


def figure(kind, rows, **options):
    from matplotlib.figure import Figure

    from dicebase.show.pictures import kinds

    drawn = Figure()
    getattr(kinds, kind)(drawn, {name: np.array(column) for name, column in rows.items()}, **options)
    return drawn


XY = {"x": ("x", "points"), "y": ("y", "points of the other")}


def test_a_heat_map_leaves_missing_values_white():
    rows = {"x": [0, 50, 0, 50], "y": [0, 0, 50, 50], "v": [1.0, 2.0, np.nan, 4.0]}
    drawn = figure("heat_map", rows, **XY, colour=("v", "value"), nothing="nobody")
    image = drawn.axes[0].images[0]
    np.testing.assert_array_equal(np.ma.filled(image.get_array(), np.nan), [[1, 2], [np.nan, 4]])
    assert image.get_extent() == [-25, 75, -25, 75]
    assert drawn.axes[0].get_xlabel() == "points" and "white: nobody" in drawn.get_supxlabel()


def test_lines_are_in_the_order_of_the_query():
    rows = {"x": [2.0, 1.0, 1.0], "y": [5.0, 3.0, 9.0], "name": ["b", "b", "a"]}
    axis = figure("curves", rows, **XY, line="name").axes[0]
    assert [line.get_label() for line in axis.lines] == ["b", "a"]
    assert axis.lines[0].get_xydata().tolist() == [[1, 3], [2, 5]]
    assert len({(line.get_color(), line.get_linestyle()) for line in axis.lines}) == 2
    axis = figure("curves", rows, **XY, line="name", level=4.0).axes[0]
    assert list(axis.lines[2].get_ydata()) == [4, 4]


def test_mixes_fill_up_to_one():
    rows = {"x": [1, 1, 2], "dice": [2, 3, 3], "probability": [0.25, 0.75, 1.0]}
    axis = figure("mixes", rows, x=("x", "points"), choice=("dice", "dice")).axes[0]
    tops = {}
    for bar in axis.patches:
        place = round(bar.get_x() + bar.get_width() / 2)
        tops[place] = max(tops.get(place, 0), bar.get_y() + bar.get_height())
    assert tops == {1: 1.0, 2: 1.0}


def test_a_map_of_mixes_fills_every_cell_from_the_least_choice_down():
    rows = {"x": [1, 1, 2], "y": [3, 3, 3], "dice": [5, 2, 4], "probability": [0.75, 0.25, 1.0]}
    axis = figure("mix_map", rows, **XY, choice=("dice", "dice"), away="G").axes[0]
    found = sorted((bar.get_x() + 0.46, bar.get_y() + bar.get_height(), bar.get_y()) for bar in axis.patches)
    expected = [(1, 2.54, 3.23), (1, 3.23, 3.46), (2, 2.54, 3.46)]
    np.testing.assert_allclose(found, expected, rtol=1e-12)
    assert [label.get_text() for label in axis.get_xticklabels()] == ["G-1", "G-2"]
    assert axis.xaxis_inverted() and {text.get_text() for text in axis.texts} == {"2", "4", "5"}


def test_every_choice_has_its_colour():
    rows = {"x": [0, 1], "y": [0, 0], "dice": [1, 3]}
    image = figure("choices", rows, **XY, colour=("dice", "dice")).axes[0].images[0]
    assert image.norm.boundaries.tolist() == [0.5, 1.5, 2.5, 3.5]


def test_a_query_that_fails_leaves_the_pictures_as_they_were(db, tmp_path, monkeypatch, pictures):
    wrong = Picture("wrong", "", "", ({"table": "pig_duel"},), "SELECT nothing FROM pig_duel", "curves", {})
    (tmp_path / "pictures").mkdir()
    monkeypatch.setattr(pictures, "PICTURES", [wrong])
    with pytest.raises(DicebaseError, match="nothing"):
        pictures.draw_all(db, tmp_path / "pictures")
    assert [path.name for path in tmp_path.iterdir()] == ["pictures"]


def test_pages_escape_text_and_list_every_variant(db):
    text = values_page(db)
    assert all(row["name"] in text for row in db.tables()) and "0.530593" in text
    text = render("report.html", title="<a>", tables=[("b & c", ["<x>"], [("<script>",), (None,), (3,)])])
    assert "<script>" not in text and "&lt;script&gt;" in text and "b &amp; c" in text and "<td></td>" in text
