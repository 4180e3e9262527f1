"""The versions of environments: a variant whose certificate differs from its version is refused, by `make` too."""

import json

import pytest

from dicebase.environments import versions as module
from dicebase.environments.game import SolvedGame
from dicebase.environments.versions import VERSION, check_versions, digest_of, variant_of, versions, write_versions
from dicebase.pipeline import steps
from dicebase.tables.layout import slices_in
from dicebase.vocabulary import DicebaseError


@pytest.fixture
def committed(monkeypatch):
    """Replace the committed versions."""

    def committed(found):
        monkeypatch.setattr(module, "versions", lambda: found)

    return committed


@pytest.fixture
def written(results, tmp_path):
    write_versions(results, tmp_path / "versions.json")
    return json.loads((tmp_path / "versions.json").read_text(encoding="utf-8"))


def test_versions_written_here_hold_here_and_are_the_committed_ones(results, written, committed):
    assert {*written} == {"forbidden_multiple_turn-v1", "pig_turn-v1", "ten_thousand_turn-v1"}
    same = [
        (name, parameters) for name, of in written.items() for parameters in of.keys() & versions().get(name, {}).keys()
    ]
    assert same and all(written[name][p] == versions()[name][p] for name, p in same)
    committed(written)
    check_versions(results, slices_in(results))


def test_a_different_certificate_is_refused(results, written, committed):
    words = next(iter(written["pig_turn-v1"]))
    committed(written | {"pig_turn-v1": written["pig_turn-v1"] | {words: "0" * 16}})
    said = f"^pig_turn {words}: its certificate differs from that of pig_turn{VERSION}; if the game changed, give"
    with pytest.raises(DicebaseError, match=said):
        check_versions(results, slices_in(results))
    with pytest.raises(DicebaseError, match=said):  # the step of `make`
        steps.datapackage(results, slices_in(results))
    with pytest.raises(DicebaseError, match=said):
        SolvedGame("pig_turn", str(results), dict(p.split("=") for p in words.split()))


@pytest.mark.parametrize(
    "changed",
    [{"value": 8.141794893 + 1e-6}, {"states": 25}, {"actions": 50}, {"exact": "8/1"}, {"parameters": {"sides": 8}}],
)
def test_digests_tell_games_apart(changed):
    row = {"parameters": {"sides": 6}, "unit": "points", "continuation": None}
    row |= {"exact": None, "states": 26, "actions": 51, "value": 8.141794893}
    assert digest_of(row | changed) != digest_of(row) == digest_of(row | {"value": row["value"] + 1e-13, "seconds": 3})


def test_names_with_other_definitions_are_other_variants():
    row = {"parameters": {"pigs": "derepas"}, "definitions": "{}"}
    names = [variant_of(row | {"definitions": text}) for text in ("{}", '{"derepas": 1}', '{"derepas": 2}')]
    assert names[0] == "pigs=derepas" and len({*names}) == 3


def test_values_with_few_binary_digits_are_not_at_a_limit_of_rounding():
    row = dict.fromkeys(module.CERTIFIED)
    for value in (1 / 1024, 3 / 2048, 0.5, 8.25, 1 / 3, 0.0):
        assert len({digest_of(row | {"value": value + error}) for error in (-1e-13, 0.0, 1e-13)}) == 1
