"""The Royal Game of Ur by layers: values against the table of all positions, and refusals."""

import json
import shutil
from dataclasses import replace

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import dicebase.games as games
from dicebase.catalog.lookup import Catalog
from dicebase.certify.certificate import stored_key
from dicebase.certify.slices import certify_slice
from dicebase.games import royal_ur
from dicebase.games.compiled import royal_ur_kernels
from dicebase.games.royal_ur import Rules
from dicebase.pipeline.plan import make_plan
from dicebase.tables.layout import SliceFiles
from dicebase.tables.names import find_table, layers_of
from dicebase.tables.parquet import read_slice
from dicebase.vocabulary import ConfigurationError, DicebaseError
from support import grids
from support.faults import change, rewrite

TINY = {"pieces": 2, "before": 1, "middle": 2, "after": 1, "dice": 2}
BLITZ = {"path": "masters", "rosettes": "open", "captures": "again"}
MASTERS = {"pieces": 2, "before": 1, "middle": 3, "after": 2, "dice": 2, **BLITZ}
CONFIG = {"tables": {"royal_ur_layers": [TINY], "royal_ur_duel": [TINY | {"pieces": 1}]}}


def test_the_number_of_positions_equals_the_published_counts():
    # Olieslagers counts the positions of seven pieces in which nobody has won. Lamont's count for Blitz includes lost
    # positions, one for each placement of one player's pieces while all pieces of the other are home.
    finkel = Rules(objective="duel", pieces=7)
    assert sum(map(finkel.size, finkel.layers)) == 137_870_097
    blitz = layers_of(Rules(objective="duel", pieces=5, **BLITZ))
    assert sum(map(blitz.rules.size, blitz.rules.layers)) == 41_243_781
    of = blitz.squares
    lost = [of.up_to[left - x] for x, o in zip(of.x, of.o, strict=True) for left in range(max(x, 1), 6) if not o]
    assert 41_243_781 + sum(lost) == 41_254_034


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    return grids.build_shared(tmp_path_factory.mktemp("layers") / "results", json.dumps(CONFIG))


def test_derived_decisions_equal_the_table_of_all_positions(built, tmp_path):
    whole = grids.build_shared(tmp_path / "whole", json.dumps({"tables": {"royal_ur_duel": [TINY]}}))
    with Catalog(built) as layers, Catalog(whole) as rows:
        states = rows.sql("SELECT board, to_enter, opponent_to_enter, roll FROM royal_ur_duel").fetchall()
        for state in states:
            position = TINY | dict(zip(("board", "to_enter", "opponent_to_enter", "roll"), state, strict=True))
            ours, theirs = (catalog.lookup("royal_ur_duel", **position) for catalog in (layers, rows))
            values = [{a["action"]: a["value"] for a in answer["actions"]} for answer in (ours, theirs)]
            assert values[0] == pytest.approx(values[1], abs=1e-13) and ours["state"] == theirs["state"]
        frame = rows.sql("SELECT * FROM royal_ur_duel").arrow().read_all()
        many = layers.lookup_many("royal_ur_duel", frame.drop_columns(["value", "action", "margin"]))
        assert many["value"].to_numpy() == pytest.approx(frame["value"].to_numpy(), abs=1e-13)
        for wrong in ("x..ox.", "ox....", "x"):
            with pytest.raises(DicebaseError, match=f"board={wrong}.*no play leads there"):
                layers.lookup("royal_ur_duel", **TINY, board=wrong, to_enter=2, opponent_to_enter=1, roll=1)


def test_a_table_of_layers_answers_under_the_boards_name(built, tmp_path):
    alone = shutil.copytree(built, tmp_path / "alone")
    listed = alone / "mapped/tables.json"
    listed.write_text(json.dumps({"royal_ur_layers": json.loads(listed.read_text())["royal_ur_layers"]}))
    with Catalog(alone) as layers, Catalog(built) as both:
        example = layers.describe("royal_ur_duel")["example"]
        answer = layers.lookup("royal_ur_duel", **example)
        assert example.items() >= TINY.items() and answer == both.lookup("royal_ur_duel", **example)
        (row,) = layers.lookup_many("royal_ur_duel", pa.Table.from_pylist([example])).to_pylist()
        assert (row["value"], row["status"]) == (answer["value"], "answered")
        with pytest.raises(ConfigurationError, match="royal_ur_layers: layer: 'nonsense' is not one of 1-1, 2-1"):
            layers.lookup("royal_ur_layers", **TINY, layer="nonsense", number=0)


def test_layers_without_numbering_are_refused(tmp_path, monkeypatch):
    shutil.copy(royal_ur.__file__, tmp_path / "my_ur.py")
    monkeypatch.setattr(games, "__path__", [*games.__path__, str(tmp_path)])
    layers = replace(find_table("royal_ur_layers"), game="my_ur")
    with pytest.raises(ConfigurationError, match=r"royal_ur_layers: needs .*compiled/my_ur\.py, which does not exist"):
        layers.build(layers.variant(TINY | {"layer": "1-1"}, {}, "here"), {})


def test_compiled_moves_of_masters_path_are_certified(tmp_path):
    """The certifier compares the moves of every position of a small layer with the rules."""
    grids.build_shared(tmp_path / "masters", json.dumps({"tables": {"royal_ur_layers": [MASTERS]}}))
    (*_, last) = sorted((tmp_path / "masters/certificates/royal_ur_layers").iterdir())
    assert pq.read_table(last)["error_bound"].to_pylist()[0] < 1e-12


def test_a_row_by_number(built):
    with Catalog(built) as catalog:
        found = catalog.sql("SELECT * FROM royal_ur_layers WHERE layer = '2-1' AND number = 5").fetchall()[0]
        answer = catalog.lookup("royal_ur_layers", **TINY, layer="2-1", number=5)
        assert answer["value"] == found[-4]
        with pytest.raises(DicebaseError, match="layer 2-1 has no position with this number"):
            catalog.lookup("royal_ur_layers", **TINY, layer="2-1", number=100_000)


def test_a_layer_brings_the_layers_that_it_depends_on():
    plan = make_plan({"tables": {"royal_ur_layers": [TINY | {"layer": "2-1"}]}})
    assert [piece.variants[0]["layer"] for piece in plan.slices.values()] == ["1-1", "2-1"]
    (_, piece) = plan.slices.values()
    assert [name.split("layer=")[1] for name in piece.needs.values()] == ["1-1"]
    assert piece.needed("tables")[0].endswith("layer=1-1.parquet")
    with pytest.raises(ConfigurationError, match="layer: '2-3' is not one of 1-1, 2-1, 2-2 or all"):
        make_plan({"tables": {"royal_ur_layers": [TINY | {"layer": "2-3"}]}})
    with pytest.raises(ConfigurationError, match="each of its variants is a job of its own"):
        make_plan({"tables": {"royal_ur_layers": [TINY | {"slice_by": ["pieces"]}]}})


# --- planted faults --------------------------------------------------------------------------------------------------


@pytest.fixture
def copied(built, tmp_path):
    """(files of the last layer, files of the layer before it), to be damaged."""
    shutil.copytree(built, tmp_path / "results")
    found = sorted((tmp_path / "results/tables/royal_ur_layers").glob("*.parquet"))
    return [SliceFiles(tmp_path / "results", "royal_ur_layers", path.stem) for path in (found[-1], found[-2])]


def refusal(files):
    with pytest.raises(DicebaseError) as error:
        certify_slice(files, None, None)
    return str(error.value)


def test_a_layer_needs_the_certificate_of_the_layer_ahead(copied):
    files, before = copied
    before.certificate.unlink()
    assert "missing" in refusal(files)


def test_a_layer_refuses_the_certificate_of_another_layer(copied):
    files, before = copied
    first = SliceFiles(before.results, before.table, before.name.replace("2-1", "1-1"))
    shutil.copy(first.rows, before.rows)
    shutil.copy(first.certificate, before.certificate)
    assert "belongs to another slice" in refusal(files)


def test_a_layer_refuses_values_changed_after_certification(copied):
    files, before = copied
    rewrite(before.rows, change("value", lambda x: x + 1e-15, lambda rows, i: i == 20))
    assert "its values are not those that were certified" in refusal(files)


def test_wrong_compiled_moves_are_found(copied, monkeypatch):
    real = royal_ur_kernels.fill_moves

    def fill_moves(*given):
        count, to = real(*given), given[-1]
        if len(to):
            to[7], to[8] = to[8], to[7]
        return count

    monkeypatch.setattr(royal_ur_kernels, "fill_moves", fill_moves)
    assert "are not those of the rules" in refusal(copied[0])


def test_the_bound_includes_the_bounds_of_the_layers_ahead(built):
    files = SliceFiles(built, "royal_ur_layers", sorted((built / "tables/royal_ur_layers").iterdir())[-1].stem)
    (certificate,) = pq.read_table(files.certificate).to_pylist()
    assert "2-1 within" in certificate["error_bound_proof"] and certificate["error_bound"] < 1e-13
    assert read_slice(files)["key"]["needs"] and json.loads(stored_key(files.certificate))
