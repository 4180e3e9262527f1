"""Every question gets an answer or one line that says what was wrong, soon and in little memory."""

import json
import os
import resource
import signal
from contextlib import contextmanager

import pytest
import yaml
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from dicebase.pipeline import configuration
from dicebase.pipeline.costs import all_jobs, estimate, read_costs
from dicebase.pipeline.plan import make_plan
from dicebase.vocabulary import ConfigurationError, DicebaseError, formula
from support.asgi import ask

pytestmark = pytest.mark.larger
SECONDS, BYTES = 5, 2**30  # limits of one question; the bytes are those beyond what the process uses before
EXAMPLES = 3000 if "DICEBASE_ALL" in os.environ else 200
"""Examples of each test, the same in every run."""

FUZZ = settings(
    max_examples=EXAMPLES, derandomize=True, database=None, deadline=None, suppress_health_check=list(HealthCheck)
)


@contextmanager
def bounded():
    """Interrupt a question that takes too long, and let one fail that takes too much memory."""

    def end(*_):
        raise TimeoutError(f"more than {SECONDS} seconds")

    with open("/proc/self/status") as status:
        (used,) = (int(line.split()[1]) for line in status if line.startswith("VmData:"))
    before, limits = signal.signal(signal.SIGALRM, end), resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (used * 1024 + BYTES, limits[1]))
    signal.alarm(SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
        resource.setrlimit(resource.RLIMIT_DATA, limits)


def one_line(error):
    assert str(error) and "\n" not in str(error)


NUMBERS = st.one_of(
    st.integers(-2, 30), st.sampled_from([100, 1000, 99_999, 100_000, 2**31 - 1, 2**31, 2**63, 10**30, 10**999])
)
WORDS = "pig_turn pig_duel ten_thousand_turn ten_times_eighteen_score mine 3d6 20d100 1..n 1,2 all league optimal"
WORDS = [*WORDS.split(), "hold_at_20", "slot * roll", "9**9**9", "nothing", "rows", "starts", "", "x" * 300, "\n", "\0"]
WORDS = st.sampled_from(WORDS)
SCALARS = st.one_of(NUMBERS, WORDS, st.none(), st.booleans(), st.floats(), st.dates(), st.text(max_size=5))
RANGES = st.fixed_dictionaries({"from": NUMBERS, "to": NUMBERS}, optional={"step": NUMBERS})
VALUES = st.one_of(SCALARS, RANGES, st.lists(SCALARS, max_size=4))
PARAMETERS = "sides dice target turns max_dice slots multiple throws horizon on_one moves rules distribution"
PARAMETERS = [*PARAMETERS.split(), "multipliers", "policies", "slice_by", "store", "nosuch"]
ENTRIES = st.dictionaries(st.sampled_from(PARAMETERS), VALUES, max_size=4)
GAMES = {"pig": "turn race reach duel duel_turns duel_matchups", "hog": "duel race hidden simultaneous"}
GAMES |= {"forbidden_multiple": "turn", "ten_thousand": "turn duel", "chess": "duel"}
GAMES |= {"ten_times_eighteen": "score rank exceed distribution versus versus_matchups"}
GAMES = [f"{game}_{match}" for game, matches in GAMES.items() for match in matches.split()]
FACES = st.dictionaries(st.one_of(NUMBERS, WORDS), st.one_of(NUMBERS, WORDS), max_size=40)
MEANINGS = st.one_of(
    VALUES,
    st.fixed_dictionaries({"dice": NUMBERS, "faces": FACES}),
    st.fixed_dictionaries({"dice": NUMBERS, "combinations": FACES}),
    st.fixed_dictionaries({"points": st.one_of(WORDS, NUMBERS)}),
)
DEFINED = st.dictionaries(
    st.sampled_from(["pig", "hog", "ten_thousand", "ten_times_eighteen", "chess"]),
    st.dictionaries(
        st.sampled_from(["rules", "distribution", "multipliers", "policies"]),
        st.dictionaries(st.sampled_from(["mine", "league", "Mine"]), MEANINGS, max_size=2),
        max_size=2,
    ),
    max_size=2,
)
TABLES = st.dictionaries(st.sampled_from(GAMES), st.lists(ENTRIES, min_size=1, max_size=2), max_size=2)
CONFIGURATIONS = st.fixed_dictionaries({"tables": TABLES}, optional={"definitions": DEFINED, "results": SCALARS})
ANYTHING = st.recursive(
    SCALARS, lambda x: st.lists(x, max_size=3) | st.dictionaries(SCALARS, x, max_size=3), max_leaves=9
)


def planned(folder, text):
    """Plan a configuration and estimate its cost, unless it is refused in one line."""
    path = folder / "fuzz.yaml"
    path.write_bytes(text)
    with bounded():
        try:
            plan = make_plan(configuration.read([path]))
            assert plan.slices and estimate(read_costs().of(plan, all_jobs(plan)), 2)
        except ConfigurationError as error:
            one_line(error)


@FUZZ
@given(st.one_of(CONFIGURATIONS, ANYTHING))
def test_any_configuration_is_planned_or_refused(tmp_path_factory, content):
    planned(tmp_path_factory.getbasetemp(), yaml.safe_dump(content, allow_unicode=True).encode("utf-8", "replace"))


YAML = st.sampled_from(
    [*"{}[],:&*!?|>-#%@`'\"\n\t 019a", ": ", "- ", "&a ", "*a", "<<: ", "tables", "---\n", "!!int ", "010"]
)


@FUZZ
@given(st.one_of(st.lists(YAML, max_size=40).map("".join).map(str.encode), st.binary(max_size=40)))
@example(b"tables: &a {pig_turn: *a}")
@example(b"\xff\xfe")
def test_any_text_is_planned_or_refused_as_yaml(tmp_path_factory, text):
    planned(tmp_path_factory.getbasetemp(), text)


TOKENS = [*"+-*/%()019,<.[]~", " if ", " else ", "'a'", "not ", "99999999999999999999"]
TOKENS += ["slot", "roll", "**", "//", "99", "min(", "abs(", "==", "lambda", "_power(", "True", ":=", "1e9"]


@FUZZ
@given(
    st.one_of(st.lists(st.sampled_from(TOKENS), max_size=30).map("".join), st.text(max_size=20)), st.integers(-99, 99)
)
@example("9" + "**9" * 20, 1)
@example("(9**64*9**64)**9" * 60, 1)
def test_any_formula_is_computed_or_refused(text, roll):
    with bounded():
        try:
            assert type(formula(text, ("slot", "roll"), "here")(2, roll)) is int
        except ConfigurationError as error:
            one_line(error)


NAMES = st.sampled_from(
    ["turn_total", "total", "roll", "sides", "dice", "multiple", "rules", "moves", "table", "nosuch", ""]
)
GIVEN = st.one_of(
    NUMBERS.map(str), WORDS, st.text(max_size=9), st.just("9" * 5000), st.sampled_from(["²", "١", "-0", "1_0", " 5"])
)
PLACES = st.sampled_from(
    ["pig_turn", "forbidden_multiple_turn", "ten_thousand_turn", "tables", "chess", "", "..", "%2e%2e", "a/b"]
)


@FUZZ
@given(
    st.sampled_from(["GET", "GET", "GET", "HEAD", "POST", "OPTIONS", "TRACE"]),
    PLACES,
    st.lists(st.tuples(NAMES, GIVEN), max_size=4),
    st.binary(max_size=20),
    st.dictionaries(
        st.sampled_from(["If-None-Match", "Accept", "Origin", "Range"]), st.sampled_from(["*", '"', ",,", "a" * 99])
    ),
)
def test_any_request_is_answered_or_refused(app, method, place, query, body, headers):
    with bounded():
        found = ask(app, f"/v1/{place}", method, body, params=query, **headers)
    assert found.status_code in (200, 304, 400, 404, 405, 422), found.text
    if found.status_code >= 400 and method != "HEAD" and "error" in found.text:
        one_line(found.json()["error"])


CELLS = st.one_of(SCALARS, st.text(max_size=4), st.lists(NUMBERS, max_size=2), st.dictionaries(NAMES, NUMBERS))


@FUZZ
@given(
    PLACES.filter(str.isidentifier),
    st.lists(st.dictionaries(NAMES | st.text(max_size=3), CELLS, max_size=4), max_size=3),
)
def test_any_batch_over_http_is_answered_or_refused(app, place, positions):
    with bounded():
        found = ask(app, f"/v1/{place}", "POST", json.dumps(positions, default=str))
    assert found.status_code in (200, 404, 422), found.text
    if found.status_code == 200:
        assert len(found.json()) == len(positions)
    else:
        one_line(found.json()["error"])


@FUZZ
@given(
    PLACES,
    st.dictionaries(
        st.one_of(NAMES, st.text(max_size=3)), st.one_of(SCALARS, st.lists(NUMBERS, max_size=2)), max_size=4
    ),
)
def test_any_lookup_is_answered_or_refused(db, place, position):
    with bounded():
        try:
            assert db.lookup(place, **position)["table"] == place
        except DicebaseError as error:
            one_line(error)
