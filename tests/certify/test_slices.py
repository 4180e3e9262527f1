"""The certifier: sound tables hold, and each of its proofs refuses every kind of deliberate fault."""

import json
import shutil
from collections import Counter
from fractions import Fraction

import pyarrow.parquet as pq
import pytest
from certify.test_every_table import accepts, faults

from dicebase.certify import rationals
from dicebase.certify.slices import certify_slice
from dicebase.solvers import reference
from dicebase.tables.layout import ACTIONS, TABLES
from dicebase.tables.names import find_table
from support import grids
from support.faults import change, choice, damaged, forced, key_of, plus, put, refused, rewrite, up, worse
from support.forgeries import slices

POCKET = {"dice": 2, "combinations": {"1": 100, "5": 50, "11": 300}}
PURSE = {"dice": 3, "combinations": {"1": 100, "5": 50, "222": 200}}
SERIES = {"dice": 2, "combinations": {"1": 100, "5": 50, "aa": 300}, "least_bank": 100, "lost_in_row": [0, 100]}
SLICES = {
    "pig_turn": [{"sides": 4}, {"sides": 6}, {"sides": 4, "dice": 2}],
    "forbidden_multiple_turn": [{"multiple": 7}, {"multiple": 10}],
    "ten_thousand_turn": [{"rules": "pocket", "moves": "stop_roll"}, {"rules": "purse", "moves": "all"}],
    "ten_thousand_long_run": [{"rules": "series"}, {"rules": "forced"}],
}
TURNS = [name for name in SLICES if name.endswith("_turn")]
FORCED = SERIES | {"hot_dice": "forced"}
DEFINITIONS = {"rules": {"pocket": POCKET, "purse": PURSE, "series": SERIES, "forced": FORCED}}


def solve(name, folder, variants=None):
    """A slice of some variants of a table, solved into a folder."""
    table = find_table(name)
    full = [table.variant(v, DEFINITIONS, name) for v in variants or SLICES[name]]
    return grids.solved(table, full, folder, DEFINITIONS)


@pytest.fixture(scope="session")
def sound(tmp_path_factory):
    return {name: solve(name, tmp_path_factory.mktemp(name) / "all") for name in SLICES}


# Slices of each layout of actions, and of each table with claims about totals beyond its rows.
folder = damaged(["pig_turn", "ten_thousand_turn"])
far_totals = damaged(["pig_turn", "ten_thousand_turn", "ten_thousand_long_run"])


@pytest.fixture(params=["solved again", "by residuals"])
def proof(request, monkeypatch):
    """The certifier solves only small variants again in rationals; each of the two proofs must refuse faults alone."""
    if request.param == "by residuals":
        monkeypatch.setattr(rationals, "EXACT_WORK", 0)
    return request.param


# --- sound tables ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", TURNS)
def test_sound_tables_hold_and_no_number_is_wrong_by_more_than_the_bound(sound, name, proof):
    folder, table = sound[name], find_table(name)
    certificates = certify_slice(folder, None, None)
    for path, counted in ((folder.rows, "states"), (folder.actions, "actions")):
        assert sum(getattr(c, counted) for c in certificates) == pq.read_metadata(path).num_rows
    for c in certificates:
        assert c.exact is not None and c.residual < 1e-12 and c.error_bound < 1e-9
        assert ("rationals" in c.error_bound_proof) == (proof == "solved again")
        solution = reference.solve(table.build(c.parameters, DEFINITIONS, c.continuation))
        assert abs(c.value - solution.start) <= c.error_bound
        columns = [column.name for column in solution.game.columns]
        for row in variant_rows(folder.rows, c.parameters):
            assert abs(row["value"] - solution.value[tuple(row[n] for n in columns)]) <= c.error_bound
        for row in variant_rows(folder.actions, c.parameters):
            state = tuple(row[n] for n in columns)
            assert abs(row["q_value"] - solution.q(state, row["action"])) <= c.error_bound
            regret = solution.value[state] - solution.q(state, row["action"])
            assert abs(row["regret"] - regret) <= c.error_bound and (row["optimal"] == (regret == 0))


def test_a_sound_table_of_the_long_run_holds(sound):
    for c in certify_slice(sound["ten_thousand_long_run"], None, None):
        assert c.value == float(Fraction(c.exact))


def variant_rows(path, parameters):
    return [row for row in pq.read_table(path).to_pylist() if all(row[k] == v for k, v in parameters.items())]


def footer_of(folder):
    stored = pq.ParquetFile(folder.rows).metadata.metadata
    return {k.decode().removeprefix("dicebase."): v.decode() for k, v in stored.items()}


def test_a_rewritten_file_is_certified(folder):
    for name in (TABLES, ACTIONS):
        rewrite(folder.within(name))
    assert certify_slice(folder, None, None)


# --- planted faults --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [TABLES, ACTIONS])
def test_residuals_alone_refuse_every_fault_in_a_file(folder, monkeypatch, name):
    """test_every_table plants the same faults in variants that are solved again."""
    monkeypatch.setattr(rationals, "EXACT_WORK", 0)
    path, accepted = folder.within(name), []
    whole, stored = path.read_bytes(), pq.ParquetFile(path).read()
    for fault, edit in faults(stored, 1e-9):
        slices.rewrite(path, edit)
        accepted += [fault] * accepts(folder)
        path.write_bytes(whole)
    assert accepted == []


@pytest.mark.parametrize(
    ("name", "column", "where"),
    [(TABLES, "value", choice), (TABLES, "value", forced), (ACTIONS, "q_value", worse), (ACTIONS, "regret", worse)],
)
def test_an_exact_value_off_by_one_unit_in_the_last_place_is_refused(far_totals, name, column, where):
    rewrite(far_totals.within(name), change(column, up, where))
    refused(far_totals)


def test_a_state_missing_from_both_files_is_refused(folder, proof):
    gone = pq.read_table(folder.rows).to_pylist()[5]
    key = key_of(gone)
    for name in (TABLES, ACTIONS):
        rewrite(folder.within(name), lambda rows: [r for r in rows if any(r[k] != v for k, v in key.items())])
    assert "play reaches this state" in refused(folder)


def test_a_state_no_play_reaches_is_refused_even_with_its_actions(folder, proof):
    for name in (TABLES, ACTIONS):
        rewrite(folder.within(name), lambda rows: [rows[0] | {"turn_total": -1}, *rows])
    refused(folder)


def test_a_policy_changed_in_every_column_is_refused(folder, proof):
    """Declare a worse action the best one, consistently in action, probability, optimal and regret."""
    rows = pq.read_table(folder.actions).to_pylist()
    worst = next(row for i, row in enumerate(rows) if worse(rows, i))
    key = key_of(worst)

    def same(row):
        return all(row[k] == v for k, v in key.items())

    def pass_off(row):
        chosen = row["action"] == worst["action"]
        return {**row, "probability": float(chosen), "optimal": chosen or row["optimal"], "regret": 0.0}

    named = {"action": worst["action"], "margin": 0.0}
    rewrite(folder.rows, lambda rows: [{**r, **named} if same(r) else r for r in rows])
    rewrite(folder.actions, lambda rows: [pass_off(r) if same(r) else r for r in rows])
    refused(folder)


# --- the footer and the files ----------------------------------------------------------------------------------------


def with_variants(folder, edit):
    """Edit the claims about the variants in the footers of both files."""

    def footer(kept):
        variants = json.loads(kept["dicebase.variants"])
        return kept | {"dicebase.variants": json.dumps(edit(variants))}

    for path in {folder.rows, folder.actions} & set(grids.there(folder)):
        rewrite(path, footer=footer)


NO_RATIONALS, NO_ORIGIN = ("", "13.2", "1/0", "one half", "1/2/3"), "its footer does not say where the file came from"


def first_exact(new):
    return lambda variants: [{**variants[0], "exact": new(variants[0]["exact"])}, *variants[1:]]


def claiming(edit):
    """Edit the first variant's claim about totals beyond its rows."""

    def other(variants):
        claim = json.loads(variants[0]["continuation"])
        return [{**variants[0], "continuation": json.dumps(edit(claim))}, *variants[1:]]

    return other


def worth(edit):
    """Edit the list of claimed values of far totals: [total mod period, mode, rational] for each class."""
    return claiming(lambda claim: {**claim, "worth": edit(claim["worth"])})


FROM, NO_CLAIM, NO_VALUE = "far totals are claimed from", "is not a claim about", "no value is claimed beyond the last"
CLAIMS = {
    "numerator": (first_exact(lambda text: f"{int(text.split('/')[0]) + 1}/{text.split('/')[1]}"), ""),
    # The numerator is wrong by a well-known prime, to which a check modulo this prime would be blind.
    "by 2^61 - 1": (
        first_exact(lambda text: f"{int(text.split('/')[0]) * 10**60 + 2**61 - 1}/{text.split('/')[1]}{'0' * 60}"),
        "",
    ),
    "belongs to another variant": (lambda variants: [{**v, "exact": variants[0]["exact"]} for v in variants], ""),
    "missing": (lambda variants: variants[:-1], ""),
    "twice": (lambda variants: [*variants, variants[0]], ""),
    "none": (lambda variants: [], ""),
    **{f"exact {text!r}": (first_exact(lambda _, text=text: text), "") for text in NO_RATIONALS},
    **{
        f"{name} is a list": (lambda variants, name=name: [variants[0] | {name: [1]}, *variants[1:]], NO_ORIGIN)
        for name in ("parameters", "exact", "continuation", "note", "seconds")
    },
    "cut-off too small": (claiming(lambda c: {**c, "cutoff": c["cutoff"] // 2}), FROM),
    "cut-off a unit too small": (claiming(lambda c: {**c, "cutoff": c["cutoff"] - 1}), FROM),
    "cut-off too large": (claiming(lambda c: {**c, "cutoff": 2 * c["cutoff"]}), FROM),
    "cut-off below 0": (claiming(lambda c: {**c, "cutoff": -c["cutoff"]}), FROM),
    "no cut-off": (claiming(lambda c: {"worth": c["worth"]}), NO_CLAIM),
    "worth of the last class": (
        worth(lambda w: [*w[:-1], [*w[-1][:2], "1/3"]]),
        "the value beyond the last total in mode",
    ),
    "slope of the last class": (worth(lambda w: [*w[:-1], [*w[-1][:3], "1/2"]]), "the rules give"),
    "a class left out": (worth(lambda w: w[:-1]), NO_VALUE),
    "a class too many": (worth(lambda w: [*w, [0, 99, "0/1"]]), "but no turn gets there"),
    "no class": (worth(lambda w: []), NO_VALUE),
    "no rational": (worth(lambda w: [*w[:-1], [*w[-1][:2], "1/0"]]), "'1/0' is not of the form numerator/denominator"),
    "nothing": (lambda variants: [{**v, "continuation": None} for v in variants], "no values are claimed beyond"),
    "other text": (lambda variants: [{**v, "continuation": "20"} for v in variants], NO_CLAIM),
}


@pytest.mark.parametrize("claim", CLAIMS)
def test_a_wrong_claim_in_the_footer_is_refused(far_totals, proof, claim):
    edit, why = CLAIMS[claim]
    with_variants(far_totals, edit)
    assert why in refused(far_totals)


def test_the_least_error_of_a_nonzero_class_is_refused(sound, tmp_path):
    folder = grids.copied(sound["forbidden_multiple_turn"], tmp_path / "slice")

    def changed(classes):
        i = next(i for i, (_, _, number) in enumerate(classes) if not number.startswith("0/"))
        phase, mode, number = classes[i]
        numerator, denominator = map(int, number.split("/"))
        less = f"{numerator * 10**40 - 1}/{denominator * 10**40}"
        return [*classes[:i], [phase, mode, less], *classes[i + 1 :]]

    with_variants(folder, worth(changed))
    assert "the value beyond the last total" in refused(folder)


def test_a_claim_about_far_totals_of_a_match_is_refused(tmp_path):
    folder = solve("pig_race", tmp_path / "all", [{"target": 10}])
    claim = json.dumps({"cutoff": 20, "worth": [[0, 0, "0/1"]]})
    with_variants(folder, lambda variants: [{**v, "continuation": claim} for v in variants])
    assert "no values beyond its stored rows" in refused(folder)


@pytest.fixture
def doubles(folder):
    """The slice as if it had been solved in doubles: no value is exact, and no tie is proved."""

    def undecided(rows):
        tied = Counter(tuple(key_of(row).values()) for row in rows if row["optimal"])
        several = [tied[tuple(key_of(row).values())] > 1 for row in rows]
        return [row | {"undecided": row["optimal"] and more} for row, more in zip(rows, several, strict=True)]

    with_variants(folder, lambda variants: [{**v, "exact": None} for v in variants])
    rewrite(folder.actions, undecided)
    return folder


def test_in_doubles_a_small_error_is_accepted_and_within_the_bound(doubles):
    before = [c.error_bound for c in certify_slice(doubles, None, None)]
    assert max(before) < 1e-10
    rewrite(doubles.rows, change("value", plus(1e-10), choice))
    after = [c.error_bound for c in certify_slice(doubles, None, None)]
    # The changed value is wrong by 1e-10, and no other value by more.
    assert 1e-10 <= after[0] < 1e-10 + 2 * max(before) and after[1:] == before[1:]


def test_in_doubles_a_large_error_is_refused(doubles):
    rewrite(doubles.rows, change("value", plus(1e-3), choice))
    refused(doubles)


def test_a_regret_below_zero_is_refused_even_where_ties_are_undecided(doubles):
    rewrite(doubles.actions, change("regret", put(-1e-300), lambda rows, i: rows[i]["undecided"]))
    assert "regret of" in refused(doubles)


@pytest.mark.parametrize("called", [True, False])
def test_in_doubles_exactly_the_ties_are_undecided(doubles, called):
    where = lambda rows, i: rows[i]["optimal"] and rows[i]["undecided"] != called  # noqa: E731
    rewrite(doubles.actions, change("undecided", put(called), where))
    assert f"undecided = {called}, which contradicts the optimal actions" in refused(doubles)


def test_states_and_actions_of_two_solves_are_refused(sound, folder, tmp_path):
    name = json.loads(footer_of(folder)["key"])["table"]
    one = solve(name, tmp_path / "one", SLICES[name][:1])
    for file in (TABLES, ACTIONS):
        mixed = grids.copied(folder, tmp_path / f"mixed {file}")
        shutil.copy(one.within(file), mixed.within(file))
        assert "do not come from the same solve" in refused(mixed)


@pytest.mark.parametrize("of", ["key", "variants"])
@pytest.mark.parametrize("said", ["null", "[null]", "{}", '"text"'])
def test_a_footer_of_another_shape_is_refused_in_one_line(folder, of, said):
    rewrite(folder.rows, footer=lambda kept: kept | {f"dicebase.{of}": said})
    assert NO_ORIGIN in refused(folder)


@pytest.mark.parametrize("name", [TABLES, ACTIONS])
@pytest.mark.parametrize("damage", ["missing", "empty", "cut", "no footer", "other"])
def test_a_file_that_cannot_be_read_is_refused(folder, name, damage):
    path = folder.within(name)
    whole = path.read_bytes()
    path.unlink()
    left = {"empty": b"", "cut": whole[: len(whole) // 2], "no footer": whole[:-8], "other": b"?" * 99}
    if damage != "missing":
        path.write_bytes(left[damage])
    assert name in refused(folder)


@pytest.mark.parametrize("name", [TABLES, ACTIONS])
def test_a_damaged_page_is_refused(folder, name):
    path = folder.within(name)
    whole = bytearray(path.read_bytes())
    # The pages come first; the footer with the schema and the provenance is at the end and stays whole.
    group = pq.ParquetFile(path).metadata.row_group(0)
    for column in range(group.num_columns):
        if group.column(column).path_in_schema in ("value", "q_value"):
            start = group.column(column).data_page_offset
            for i in range(start + 30, start + group.column(column).total_compressed_size - 4):
                whole[i] ^= 0xFF
    path.write_bytes(whole)
    refused(folder)


def test_column_metadata_that_is_not_text_is_refused(folder):
    file = pq.ParquetFile(folder.rows)
    rows, stored = file.read(), file.metadata.metadata
    name = rows.column_names[0]
    schema = rows.schema.set(0, rows.schema.field(name).with_metadata({"unit": b"\xff"}))
    with pq.ParquetWriter(folder.rows, schema) as writer:
        writer.write_table(rows.cast(schema))
        writer.add_key_value_metadata({k: v for k, v in stored.items() if k.startswith(b"dicebase.")})
    assert f"column {name}: type" in refused(folder)
