"""Who may import whom, what starts without the heavy libraries, and who prints."""

import ast
import sys
from functools import cache
from pathlib import Path

import pytest

import dicebase
from dicebase.pipeline.keys import closure
from support import commands, grids

PACKAGE = Path(dicebase.__file__).parent
FILES = {
    ".".join(["dicebase", *path.relative_to(PACKAGE).with_suffix("").parts]).removesuffix(".__init__"): path
    for path in sorted(PACKAGE.rglob("*.py"))
}
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


@cache
def nodes(module):
    """Of its syntax."""
    return [*ast.walk(ast.parse(FILES[module].read_text(encoding="utf-8")))]


def imported(module):
    """Everything that a module imports itself, at the top or inside a function."""
    for node in nodes(module):
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
        for node in nodes(module)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == function
    ]


IMPORTS = {
    "vocabulary": "",
    "games": "vocabulary",
    "matches": "vocabulary",
    "solvers": "vocabulary",
    "tables": "games matches vocabulary",
    "tabulate": "matches solvers tables vocabulary",
    "certify": "matches tables vocabulary",
    "families": "tables vocabulary",
    "catalog": "certify families tables vocabulary",
    "audit": "catalog games tables vocabulary",
    "policies": "catalog families matches solvers tables tabulate vocabulary",
    "show": "catalog families tables vocabulary",
    "pipeline": "audit catalog certify games show tables tabulate vocabulary",
    "cli": "catalog families pipeline policies show tables vocabulary",
}
"""Whom each package imports: none but packages before it, and those that answer see neither solvers nor their rows."""


def package_of(module):
    """The room of a module; the door, `dicebase` itself, is none."""
    return module.split(".")[1] if "." in module else ""


def known(module):
    """The imports of dicebase in a module, at the top or inside a function."""
    return {name for name in imported(module) if name.split(".")[0] == "dicebase"}


def test_a_package_imports_packages_before_it_alone():
    found = {package: set() for package in IMPORTS}
    for module in FILES:
        if package := package_of(module):
            found[package] |= {package_of(name) for name in known(module)} - {package}
    assert {package: " ".join(sorted(names)) for package, names in found.items()} == IMPORTS
    order = list(IMPORTS)
    for package, names in IMPORTS.items():
        assert all(order.index(name) < order.index(package) for name in names.split())
    for package in ("certify", "catalog", "audit", "show"):
        assert not {"solvers", "tabulate"} & set(IMPORTS[package].split())


def test_nothing_lies_loose_at_the_root():
    assert {path.name for path in PACKAGE.glob("*.py")} == {"__init__.py", "cli.py"}


def test_no_modules_import_one_another():
    for module in FILES.keys() - {"dicebase"}:
        assert module not in closure(known(module)), f"{module} is in a circle"


def test_the_certifier_follows_no_decision():
    assert not closure(inside("certify")) & (inside("tables.follow") | inside("families"))


def test_only_families_ask_which_family_rules_are_of():
    rules = {"Turn", "RepeatedTurn", "Throw", "Sheet", "Scorecard", "MultiplierScorecard", "Board", "LayeredBoard"}
    for module in {*inside("catalog"), *inside("show"), *inside("policies")}:
        for call in (*calls(module, "isinstance"), *calls(module, "issubclass")):
            assert not rules & {name.id for name in ast.walk(call) if isinstance(name, ast.Name)}, module


@pytest.mark.parametrize("game", sorted(inside("games") - inside("games.compiled") - {"dicebase.games.compiled"}))
def test_a_game_knows_the_vocabulary_and_nothing_else(game):
    assert known(game) <= {"dicebase.vocabulary"}
    assert libraries(closure([game])) == set()


def test_compiled_rules_know_the_rules_and_the_vocabulary():
    for module in inside("games.compiled"):
        assert {package_of(name) for name in known(module)} <= {"games", "vocabulary"}
        assert libraries(closure([module])) <= {"numba", "numpy"}


@pytest.mark.parametrize("match", sorted(inside("matches")))
def test_a_match_needs_no_library(match):
    assert libraries(closure([match])) == set()


@pytest.mark.parametrize("solver", sorted(inside("solvers")))
def test_a_solver_knows_no_file(solver):
    assert not libraries(closure([solver])) & {"pyarrow", "duckdb"}


def test_the_certifier_needs_little():
    assert libraries(closure(inside("certify"))) <= {"llvmlite", "numba", "numpy", "pyarrow", "scipy"}


def test_what_follows_needs_numpy_alone():
    assert libraries(closure(inside("tables.follow"))) == {"numpy"}


def test_the_reference_solver_is_pure_python():
    assert libraries(closure(["dicebase.solvers.reference"])) == set()


def test_modules_found_by_name_are_found_in_few_places():
    users = {module for module in FILES if calls(module, "import_module")}
    assert users == {"dicebase.tables.names", "dicebase.tabulate.slices", "dicebase.certify.slices"}


def test_only_show_and_the_command_line_print():
    for module in FILES.keys() - {"dicebase.cli", "dicebase.show.text", "dicebase.show.play"}:
        for call in calls(module, "print"):
            to = [ast.unparse(k.value) for k in call.keywords if k.arg == "file"]
            assert to == ["sys.stderr"], f"{module}:{call.lineno} prints"


def kernels(module):
    """The compiled functions of a module: {name: (whether it counts references to arrays, its syntax)}."""
    found = {}
    for node in nodes(module):
        for made in node.decorator_list if isinstance(node, ast.FunctionDef) else ():
            options = made.keywords if isinstance(made, ast.Call) else []
            if ast.unparse(made).split("(")[0] in ("kernel", "inner"):
                found[node.name] = any(o.arg == "_nrt" and ast.unparse(o.value) == "True" for o in options), node
    return found


def test_kernels_that_call_allocating_ones_count_references():
    leaks, counted = set(), 0
    for module in FILES:
        known = {name: counts for name, (counts, _) in kernels(module).items()}
        for node in nodes(module):
            if isinstance(node, ast.ImportFrom) and node.module in FILES:
                there = kernels(node.module)
                known |= {a.name: there[a.name][0] for a in node.names if a.name in there}
        for name, (counts, body) in kernels(module).items():
            called = {
                node.func.id for node in ast.walk(body) if isinstance(node, ast.Call) and hasattr(node.func, "id")
            }
            leaks |= {(module, name, other) for other in called if known.get(other) and not counts}
            counted += counts
    assert leaks == set() and counted > 50, "arrays that are made there would never be freed"


def test_files_are_small():
    lines = {str(path.relative_to(PACKAGE)): len(path.read_text().splitlines()) for path in FILES.values()}
    assert {name: n for name, n in lines.items() if n >= 300} == {}
    assert sum(n < 250 for n in lines.values()) > 0.9 * len(lines)
    # What a game that states its own positions takes is one short file.
    boards = [name for name in lines if "(Board)" in (text := (PACKAGE / name).read_text()) or "(LayeredBoard)" in text]
    assert len(boards) > 8 and {name: lines[name] for name in boards if lines[name] > 150} == {}


LOADED = f"import sys; print(*sorted({HEAVY!r} & set(sys.modules)))"


def loaded(code, cwd, *words):
    """The heavy libraries that some code has imported at its end."""
    done = commands.python("-c", f"{code}\n{LOADED}", *words, cwd=cwd)
    assert done.returncode == 0, done.stderr
    return set(done.stdout.splitlines()[-1].split())


GAMES = sorted(inside("games") - inside("games.compiled") - {"dicebase.games.compiled"})


@pytest.mark.parametrize("modules", [["dicebase"], ["dicebase.cli"], GAMES], ids=["dicebase", "cli", "games"])
def test_to_import_is_cheap(tmp_path, modules):
    assert loaded(f"import {', '.join(modules)}", tmp_path) == set()


def test_a_lookup_needs_no_library(results):
    lookup = "import dicebase; db = dicebase.open('results'); db.lookup('pig_turn', turn_total=5)"
    assert loaded(lookup, results.parent) == set()
    missing = f"{lookup}; db.get('ten_thousand_turn', rules='pocket', turn_total=0, roll='23')"
    assert loaded(missing, results.parent) == set()


ASKING = [
    (["tables"], set()),
    (["lookup", "pig_turn", "turn_total=5"], set()),
    (["sql", "SELECT 1"], {"duckdb"}),
]


@pytest.mark.parametrize(("words", "needs"), ASKING, ids=["tables", "lookup", "sql"])
def test_the_commands_that_ask_need_little(results, words, needs):
    assert loaded("import sys; from dicebase.cli import main; main()", results.parent, *words) == needs


def test_planning_needs_what_reads_the_configuration_alone(tmp_path):
    (tmp_path / "config.yaml").write_text(grids.CONFIG)
    plan = (
        "from dicebase.pipeline import configuration, plan; "
        "plan.make_plan(configuration.read(['config.yaml'])).digest('catalog')"
    )
    assert loaded(plan, tmp_path) == {"yaml", "jsonschema"}
