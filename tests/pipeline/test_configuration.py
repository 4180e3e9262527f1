"""A bad configuration is an error of one line, with the entry and the allowed values."""

import json

import pytest

from dicebase.pipeline import configuration
from dicebase.pipeline.checks.second_build import COMMITTED, named
from dicebase.pipeline.costs import all_jobs, read_costs
from dicebase.pipeline.plan import make_plan
from dicebase.vocabulary import ConfigurationError
from support import commands


def error_of(tmp_path, text):
    """The message for a configuration of this text."""
    path = tmp_path / "config.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigurationError) as caught:
        make_plan(configuration.read([path]))
    assert "\n" not in str(caught.value)
    return str(caught.value)


MINE = "definitions: {ten_thousand: {rules: {mine: {}}}}\ntables: {ten_thousand_turn: "
ENTRIES = [
    # a misspelt key
    ("tabels: {}", "'tabels'", "did you mean 'tables'"),
    ("tables: {pig_turn: [{}]}\nresult: x", "'result'", "did you mean 'results'"),
    ("tables: {pig_turn: [{}]}\n5: x", "'5'", "known: definitions, results, tables"),
    ("results: there", "'tables' is a required property"),
    # a wrong type
    ("tables: [pig_turn]", "tables: ['pig_turn']", "for each table's name a list"),
    ("tables:", "tables: None"),
    ("tables: {pig_turn: {sides: 6}}", "tables.pig_turn: {'sides': 6}", "give a list"),
    ("tables: {pig_turn: [sides]}", "tables.pig_turn[0]: 'sides'", "give parameters"),
    ("tables: {pig_turn: [{sides: 1.5}]}", "tables.pig_turn[0].sides: 1.5", "give a value, a list"),
    ("tables: {pig_turn: [{}, {sides: true}]}", "tables.pig_turn[1].sides: True", "a whole number from 2 to"),
    ("tables: {pig_turn: [{sides: }]}", "tables.pig_turn[0].sides: None", "give a value, a list"),
    (
        "tables: {pig_turn: [{sides: [6, [8]]}]}",
        "tables.pig_turn[0].sides[1]: [8]",
        "give a whole number, a text, or yes or no",
    ),
    ("tables: {pig_turn: [{sides: six}]}", "tables.pig_turn[0].sides: 'six'", "a whole number from 2 to"),
    ("tables: {pig_turn: [{sides: [4, six]}]}", "tables.pig_turn[0].sides: 'six'", "a whole number from 2 to"),
    ("tables: {pig_turn: [{sides: 6.0}]}", "tables.pig_turn[0].sides: 6.0", "a whole number from 2 to"),
    ("tables: {pig_turn: [{slice_by: dice}]}", "tables.pig_turn[0].slice_by: 'dice'", "give a list"),
    ("tables: {pig_turn: [{no: 6}]}", "tables.pig_turn[0]: False", "give a name as text"),
    ("tables: {10000: [{}]}", "tables: 10000", "give a name as text"),
    ("results: 5\ntables: {pig_turn: [{}]}", "results: 5", "give the folder"),
    ("results: ''\ntables: {pig_turn: [{}]}", "results: ''", "give the folder"),
    ("definitions: 5\ntables: {pig_turn: [{}]}", "definitions: 5", "give for each game"),
    # out of range
    ("tables: {pig_turn: [{sides: 1}]}", "tables.pig_turn[0].sides: 1 is not allowed", "from 2 to"),
    ("tables: {pig_turn: [{dice: [1, 2, 3]}]}", "tables.pig_turn[0].dice: 3 is not allowed", "from 1 to 2"),
    ("tables: {pig_turn: [{sides: {from: 1, to: 6}}]}", "tables.pig_turn[0].sides: 1 is", "from 2 to"),
    ("tables: {pig_turn: [{sides: {from: 2, to: 1000000000000000}}]}", "tables.pig_turn[0].sides: 1000000000000000 is"),
    (
        MINE + "[{rules: mine, moves: x}]}",
        "tables.ten_thousand_turn[0].moves: 'x' is not allowed",
        "one of stop_roll, m5",
    ),
    # ranges
    ("tables: {pig_turn: [{sides: {from: 2}}]}", "tables.pig_turn[0].sides: 'to' is a required", "{from: 2, to: 10"),
    ("tables: {pig_turn: [{sides: {from: 2, too: 3}}]}", "tables.pig_turn[0].sides: {'from': 2, 'too': 3}", "a range"),
    ("tables: {pig_turn: [{sides: {from: 6, to: 4}}]}", "tables.pig_turn[0].sides: the range from 6 to 4 is empty"),
    ("tables: {pig_turn: [{sides: {from: 2, to: 4, step: 0}}]}", "tables.pig_turn[0].sides.step: 0", "minimum of 1"),
    # unknown names
    ("tables: {pig_tern: [{}]}", "there is no table 'pig_tern'", "did you mean 'pig_turn'"),
    ("tables: {pig: [{}]}", "there is no table 'pig'", "did you mean pig_duel, pig_duel_cards"),
    ("tables: {chess: [{}]}", "there is no table 'chess'", "known: bear_off_duel, ", "DICEBASE_GAMES"),
    ("tables: {pig_turn: [{side: 6}]}", "tables.pig_turn[0]: 'side'", "did you mean 'sides'"),
    ("tables: {pig_turn: [{colour: 6}]}", "tables.pig_turn[0]: 'colour'", "known: dice, sides"),
    ("tables: {pig_turn: [{slice_by: [side]}]}", "tables.pig_turn[0].slice_by: 'side'", "allowed: sides, dice"),
    # nothing asked for
    ("tables: {}", "tables: names no variant", "at least one table"),
    ("tables: {pig_turn: [{}], forbidden_multiple_turn: []}", "tables.forbidden_multiple_turn: []", "at least one"),
    ("tables: {pig_turn: [{sides: []}]}", "tables.pig_turn[0].sides: []", "at least one"),
    # repeated entries
    ("tables: {pig_turn: [{sides: [6, 6]}]}", "tables.pig_turn[0].sides: [6, 6]", "different values"),
    ("tables: {pig_turn: [{slice_by: [dice, dice]}]}", "tables.pig_turn[0].slice_by: ['dice', 'dice']"),
    ("tables:\n  pig_turn: [{sides: 4}]\n  pig_turn: [{sides: 6}]", "line 3: 'pig_turn' is given twice"),
    ("tables: {pig_turn: [{sides: 4, sides: 6}]}", "line 1: 'sides' is given twice"),
    # names that are not defined
    ("definitions: {ten_thousand: {rules: {pocket: {}}}}\ntables: {ten_thousand_turn: [{rules: poket}]}", "'pocket'"),
    ("tables: {ten_thousand_turn: [{rules: mine}]}", "tables.ten_thousand_turn[0].rules: 'mine' is not defined"),
    ("tables: {ten_thousand_turn: [{}]}", "tables.ten_thousand_turn[0].rules", "under 'definitions'"),
]


SCORING = [
    ("{}", "", "needs 'dice' and 'combinations'"),
    ("5", "", "needs 'dice' and 'combinations'"),
    ("{dice: 5, combination: {'1': 100}}", "", "needs 'dice' and 'combinations'"),
    ("{dice: 5, combinations: {'1': 100}, keeps: any}", ": 'keeps' is not a rule", "did you mean 'keep'?"),
    ("{dice: 7, combinations: {'1': 100}}", ".dice: 7", "a whole number from 1 to 6"),
    ("{dice: true, combinations: {'1': 100}}", ".dice: True", "a whole number from 1 to 6"),
    ("{dice: 5, combinations: {}}", ".combinations", "scores nothing"),
    ("{dice: 5, combinations: ['1']}", ".combinations", "scores nothing"),
    ("{dice: 5, combinations: {1: 100}}", ".combinations: 1 is", "quoted, sorted digits from 1 to 6"),
    ("{dice: 5, combinations: {'51': 100}}", ".combinations: '51'", "sorted digits"),
    ("{dice: 5, combinations: {'17': 100}}", ".combinations: '17'", "digits from 1 to 6"),
    ("{dice: 5, combinations: {'': 100}}", ".combinations: ''", "digits from 1 to 6"),
    ("{dice: 2, combinations: {'111': 100}}", ".combinations: '111'", "more than the 2 dice"),
    ("{dice: 5, combinations: {'1': 0}}", ".combinations.1: 0", "a whole number from 1 to 100000"),
    ("{dice: 5, combinations: {'1': 1.5}}", ".combinations.1: 1.5", "a whole number from 1 to 100000"),
    (f"{{dice: 5, combinations: {{'1': {2**31 - 1}}}}}", ".combinations.1: 2147483647", "from 1 to 100000"),
]
DEFINED = "definitions: {ten_thousand: {rules: {mine: %s}}}\ntables: {ten_thousand_turn: [{rules: mine}]}"
SCORING = [(DEFINED % card, f"definitions.ten_thousand.rules.mine{place}", allowed) for card, place, allowed in SCORING]
NAMED = "definitions: {ten_thousand: {rules: {%s: {}}}}\ntables: {pig_turn: [{}]}"
NAMES = [
    (NAMED % x, "definitions.ten_thousand.rules: ", "small letters") for x in ("Mine", "5", "my-own", "_mine", "'a/b'")
]


NOT_YAML = [b"tables: [", b"tables: {pig_turn: [{}]}\n---\ntables: {}", b"\xff\xfe\x00"]


@pytest.mark.parametrize(
    ("content", "words"), [(b"", "is empty"), (b"- 5", "is not a mapping"), *((text, "not YAML") for text in NOT_YAML)]
)
def test_a_file_without_a_configuration_is_named(tmp_path, content, words):
    path = tmp_path / "some.yaml"
    path.write_bytes(content)
    for wrong, said in ((path, words), (tmp_path, "cannot be read"), (tmp_path / "nowhere.yaml", "cannot be read")):
        with pytest.raises(ConfigurationError) as error:
            configuration.read([wrong])
        assert str(wrong) in str(error.value) and said in str(error.value) and "\n" not in str(error.value)


def test_later_files_replace_entries_of_earlier_ones(tmp_path):
    one, two = tmp_path / "one.yaml", tmp_path / "two.yaml"
    one.write_text("results: a\ntables: {pig_turn: [{sides: 4}], forbidden_multiple_turn: [{}]}")
    two.write_text("tables: {pig_turn: [{sides: 8}]}")
    assert configuration.read([one, two]) == {
        "results": "a",
        "tables": {"pig_turn": [{"sides": 8}], "forbidden_multiple_turn": [{}]},
    }


@pytest.fixture(scope="module")
def plans():
    """The plans of the default and of the full configuration."""
    folder = commands.ROOT / "config"
    default, full = (configuration.read([folder / name]) for name in ("config.yaml", "full.yaml"))
    assert default["definitions"] == full["definitions"]
    return make_plan(default), make_plan(full)


def test_the_full_configuration_contains_the_slices_of_the_default_one(plans):
    """In one results folder both builds share these slices, so no variant is stored under two names."""
    default, full = plans
    assert default.slices.keys() < full.slices.keys()
    stored = [(json.loads(default.slices[p].key), json.loads(full.slices[p].key)) for p in default.slices]
    assert [one["variants"] for one, _ in stored] == [other["variants"] for _, other in stored]
    starts = {one["table"] for one, other in stored if one != other}
    assert starts == {"ten_thousand_duel"}


def test_every_table_of_the_full_grid_was_measured(plans):
    assert [name for name, cost in read_costs().of(plans[1], all_jobs(plans[1])).items() if cost is None] == []


def test_the_committed_values_are_those_of_the_default_configuration(plans):
    planned = {(p.table.name, named(v, p.store)) for p in plans[0].slices.values() for v in p.variants}
    committed = json.loads(COMMITTED.read_text(encoding="utf-8"))
    assert {(table, variant) for table in committed for variant in committed[table]} <= planned, "make values"


BOMB = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]\n" for i in range(1, 12)
)
HANGS = [
    (BOMB + "tables: {pig_turn: [{sides: *a11}]}", "has 2345679012362 entries after aliases are expanded"),
    ("a: &a [*a]\ntables: *a", "line 1: an alias of a value inside it"),
    ("a: &a {b: *a}\ntables: {}", "line 1: an alias of a value inside it"),
    (f"tables: {'[' * 5000}{']' * 5000}", "is nested too deeply"),
    (f"tables: {{pig_turn: [{{sides: {'9' * 5000}}}]}}", "(5002 characters): write whole numbers with up to 1000"),
    ("tables: {pig_turn: [{sides: 010}]}", "line 1: '010': write whole numbers"),
    ("tables: {pig_turn: [{sides: 1:30}]}", "line 1: '1:30': write whole numbers"),
    ("tables: {pig_turn: [{sides: 0x10}]}", "line 1: '0x10': write whole numbers"),
    ("x" * 600_000, "has more than 500000 characters"),
    ("tables: {pig_duel: [{sides: {from: 2, to: 120}, target: {from: 1, to: 100000}}]}", "11,900,000 variants"),
    (f"tables: {{pig_turn: [{{sides: {{from: -{'9' * 99}, to: 5}}}}]}}", "pig_turn[0].sides: -9999"),
    (f"tables: {{pig_turn: [{{sides: {{from: 2, to: {'9' * 99}}}}}]}}", "pig_turn[0].sides: 9999"),
]


FACES = [
    (f"{{dice: 20, faces: {dict.fromkeys([2**i for i in range(30)], 1)}}}", "can have 10737418221 sums"),
    (f"{{dice: 1, faces: {{? '{'9' * 500}' : 1}}}}", "is not a whole number of at most 10 digits"),
    (f"{{dice: 2, faces: {{1: 1{'0' * 400}}}}}", "is not a whole number above 0"),
]
LOADED = "definitions: {ten_times_eighteen: {distribution: {mine: %s}}}\n"
LOADED += "tables: {ten_times_eighteen_rank: [{distribution: mine}]}"
LARGE = [
    ("pig_duel_turns: [{target: 401}]", "target: 401 has 401 totals; at most 400 are solved"),
    ("pig_duel_scores: [{target: 251}]", "target: 251 has 251 totals; at most 250 are solved"),
    ("ten_times_eighteen_score: [{slots: 21}]", "slots: 21 slots have 2.1e+06 sets of free slots"),
    ("ten_times_eighteen_versus_matchups: [{slots: 13}]", "slots: 13 slots would take 0.895 GB; at most 0.5 GB"),
    ("ten_times_eighteen_versus: [{slots: 1000}]", "slots: 1000 slots would take more than 1e300 GB"),
    ("pig_race: [{target: 5000}]", "target: 5000 has 5000 totals"),
    ("pig_reach: [{turns: 1000}]", "turns: 1000; "),
    ("pig_reach: [{turns: 1000, store: starts}]", "turns: 1000; "),
]
STORED = "store: starts is for matches of turns"
LARGE += [(f"{name}: [{{store: starts}}]", STORED) for name in ("pig_turn", "hog_duel", "pig_duel_turns")]
LARGE += [("ten_times_eighteen_score: [{store: starts}]", STORED)]
LARGE += [("pig_duel: [{target: 10, slice_by: []}, {target: 12, slice_by: [], store: starts}]",
           "tables.pig_duel[1].store: slice 'all' is stored by rows as well")]  # fmt: skip
WRONG = [*ENTRIES, *SCORING, *NAMES, *HANGS, *((LOADED % dice, words) for dice, words in FACES)]
WRONG += [(f"tables: {{{entry}}}", entry.partition(":")[0], words) for entry, words in LARGE]


@pytest.mark.parametrize(("text", "words"), [(text, words) for text, *words in WRONG], ids=range(len(WRONG)))
def test_an_error_names_the_entry_and_the_allowed_values(tmp_path, text, words):
    message = error_of(tmp_path, text)
    assert all(word in message for word in words), message
