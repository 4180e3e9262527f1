"""Who may import whom, what starts without the heavy libraries, and who prints."""

import ast
import sys
from pathlib import Path

import pytest

import dicebase
import tiny
from dicebase.keys import closure

PACKAGE = Path(dicebase.__file__).parent
FILES = {
    ".".join(["dicebase", *path.relative_to(PACKAGE).with_suffix("").parts]).removesuffix(".__init__"): path
    for path in sorted(PACKAGE.rglob("*.py"))
}
TREES = {module: ast.parse(path.read_text(encoding="utf-8")) for module, path in FILES.items()}
HEAVY = {
    "numpy",
    "numba",
    "scipy",
    "quantecon",
    "matplotlib",
    "pyarrow",
    "duckdb",
    "pandas",
    "snakemake",
    "yaml",
    "jsonschema",
}


def inside(package):
    """The modules of a folder."""
    return {module for module in FILES if module.startswith(f"dicebase.{package}.")}


def imported(module):
    """Everything that a module imports itself, at the top or inside a function."""
    for node in ast.walk(TREES[module]):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module} imports by a relative name"
            yield node.module


def libraries(modules):
    """What some modules import from outside the project and outside Python."""
    names = {name.split(".")[0] for module in modules for name in imported(module)}
    return names - sys.stdlib_module_names - {"dicebase"}


def calls(module, function):
    """The calls of a function by its plain name."""
    return [
        node
        for node in ast.walk(TREES[module])
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == function
    ]


SOLVERS = {"dicebase.solve", "dicebase.tabulate"} | inside("solve") | inside("tabulate")


@pytest.mark.parametrize("game", sorted(inside("games")))
def test_a_game_knows_the_vocabulary_and_nothing_else(game):
    vocabulary = {"game", "listing", "dice", "errors", "formula"}
    assert closure([game]) <= {game, *(f"dicebase.{name}" for name in vocabulary)}
    assert libraries(closure([game])) == set()


@pytest.mark.parametrize("match", sorted(inside("matches")))
def test_a_match_knows_no_game_no_solver_and_no_file(match):
    own = closure([match])
    assert not own & (SOLVERS | inside("games") | {"dicebase.tables", "dicebase.find", "dicebase.plan"})
    assert libraries(own) == set()


@pytest.mark.parametrize("solver", sorted(inside("solve")))
def test_a_solver_knows_no_game_and_no_file(solver):
    own = closure([solver])
    assert not own & (inside("games") | inside("matches") | {"dicebase.tables", "dicebase.find", "dicebase.plan"})
    assert not libraries(own) & {"pyarrow", "duckdb"}


def test_tables_know_no_solver():
    assert not closure(["dicebase.tables", "dicebase.certificate"]) & SOLVERS


def test_the_certifier_knows_the_reference_solver_alone():
    own = closure(["dicebase.certify", *inside("checks")])
    assert own & SOLVERS == {"dicebase.solve", "dicebase.solve.reference"}
    assert libraries(own) <= {"numba", "numpy", "pyarrow"}


@pytest.mark.parametrize("module", sorted({"dicebase.audit"} | inside("audit")))
def test_the_audit_knows_no_solver(module):
    own = closure([module])
    assert not own & (SOLVERS | inside("checks") | {"dicebase.catalog", "dicebase.lookup"})
    assert libraries(own) <= {"duckdb", "numpy", "pyarrow", "yaml"}


def test_the_reference_solver_is_pure_python():
    assert libraries(closure(["dicebase.solve.reference"])) == set()


@pytest.mark.parametrize("module", ["catalog", "lookup", "show"])
def test_questions_are_answered_without_a_solver(module):
    assert not closure([f"dicebase.{module}"]) & (SOLVERS | inside("checks"))


def test_modules_found_by_name_are_found_in_few_places():
    users = {module for module in FILES if calls(module, "import_module")}
    assert users == {"dicebase", "dicebase.find", "dicebase.tabulate", "dicebase.certify"}


def test_only_show_and_the_command_line_print():
    for module in FILES.keys() - {"dicebase.cli", "dicebase.show"}:
        for call in calls(module, "print"):
            to = [ast.unparse(k.value) for k in call.keywords if k.arg == "file"]
            assert to == ["sys.stderr"], f"{module}:{call.lineno} prints"


def test_only_show_and_the_command_line_format_numbers():
    # What solving and certifying say of progress and failure is no answer to a question.
    others = {"dicebase.cli", "dicebase.show", "dicebase.certify"}
    others |= inside("checks") | inside("tabulate") | inside("pictures")
    for module in FILES.keys() - others:
        for node in ast.walk(TREES[module]):
            assert not (isinstance(node, ast.FormattedValue) and node.format_spec), f"{module}:{node.lineno} formats"


def test_files_are_small():
    lines = {str(path.relative_to(PACKAGE)): len(path.read_text().splitlines()) for path in FILES.values()}
    assert {name: n for name, n in lines.items() if n >= 300} == {}
    assert sum(n < 250 for n in lines.values()) > 0.9 * len(lines)


LOADED = f"import sys; print(*sorted({HEAVY!r} & set(sys.modules)))"


def loaded(code, cwd, *words):
    """The heavy libraries that some code has imported at its end."""
    done = tiny.python("-c", f"{code}\n{LOADED}", *words, cwd=cwd)
    assert done.returncode == 0, done.stderr
    return set(done.stdout.splitlines()[-1].split())


GAMES = [module for module in FILES if module.startswith("dicebase.games.")]


@pytest.mark.parametrize("modules", [["dicebase"], ["dicebase.cli"], GAMES], ids=["dicebase", "cli", "games"])
def test_to_import_is_cheap(tmp_path, modules):
    assert loaded(f"import {', '.join(modules)}", tmp_path) == set()


def test_a_lookup_needs_no_database(results):
    lookup = "import dicebase; db = dicebase.open('results'); db.lookup('pig_turn', turn_total=5)"
    assert loaded(lookup, results.parent) == {"numpy"}
    missing = f"{lookup}; db.get('ten_thousand_turn', rules='pocket', turn_total=0, roll='23')"
    assert loaded(missing, results.parent) == {"numpy"}


ASKING = [
    (["tables"], {"numpy"}),
    (["lookup", "pig_turn", "turn_total=5"], {"numpy"}),
    (["sql", "SELECT 1"], {"numpy", "duckdb"}),
]


@pytest.mark.parametrize(("words", "needs"), ASKING, ids=["tables", "lookup", "sql"])
def test_the_commands_that_ask_need_little(results, words, needs):
    assert loaded("import sys; from dicebase.cli import main; main()", results.parent, *words) == needs


def test_planning_needs_what_reads_the_configuration_alone(tmp_path):
    (tmp_path / "config.yaml").write_text(tiny.CONFIG)
    plan = "from dicebase import configuration, plan; plan.make_plan(configuration.read(['config.yaml'])).digest"
    assert loaded(plan, tmp_path) == {"yaml", "jsonschema"}
