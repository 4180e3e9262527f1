"""The import rule, the libraries that modules may load, and the size of files."""

import ast
import shlex
import sys
from collections import Counter
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
LIBRARIES = "numpy numba scipy quantecon matplotlib pyarrow duckdb pandas snakemake yaml jsonschema starlette uvicorn"
HEAVY = set(LIBRARIES.split())


def inside(package):
    """The modules of a folder."""
    return {module for module in FILES if module.startswith(f"dicebase.{package}.")}


@cache
def nodes(module):
    """The syntax nodes of a module."""
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
    """The modules that some modules import from outside the project and outside Python."""
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
    "policies": "catalog certify matches solvers tables tabulate vocabulary",
    "show": "catalog certify families tables vocabulary",
    "environments": "catalog certify show tables vocabulary",
    "pipeline": "audit catalog certify environments games show tables tabulate vocabulary",
    "cli": "catalog families pipeline policies show tables vocabulary",
}
"""The imports of each package: only packages before it, and packages that answer import no solver."""


def package_of(module):
    """The package of a module, empty for `dicebase` itself."""
    return module.split(".")[1] if "." in module else ""


def known(module):
    """The imports of dicebase in a module, at the top or inside a function."""
    return {name for name in imported(module) if name.split(".")[0] == "dicebase"}


def test_packages_import_exactly_the_listed_ones_before_them():
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


def test_no_module_imports_itself_indirectly_and_the_certifier_does_not_use_derived_decisions():
    for module in FILES.keys() - {"dicebase"}:
        assert module not in closure(known(module)), f"{module} is in a circle"
    assert not closure(inside("certify")) & (inside("tables.follow") | inside("families"))


def test_only_families_test_the_family_of_rules():
    rules = {"Turn", "RepeatedTurn", "Throw", "Sheet", "Scorecard", "MultiplierScorecard", "Board", "LayeredBoard"}
    for module in {*inside("catalog"), *inside("show"), *inside("policies")}:
        for call in (*calls(module, "isinstance"), *calls(module, "issubclass")):
            assert not rules & {name.id for name in ast.walk(call) if isinstance(name, ast.Name)}, module


GAMES = sorted(inside("games") - inside("games.compiled") - {"dicebase.games.compiled"})
NEEDED = {
    **dict.fromkeys([*GAMES, *inside("matches"), "dicebase.solvers.reference"], ""),
    **dict.fromkeys(inside("games.compiled"), "numba numpy"),
    **dict.fromkeys(inside("tables.follow"), "numpy"),
    **dict.fromkeys(inside("certify"), "llvmlite numba numpy pyarrow scipy"),
    **dict.fromkeys(inside("solvers") - {"dicebase.solvers.reference"}, "highspy llvmlite numba numpy quantecon scipy"),
}
"""The libraries that a module may need, itself or through its imports: a solver, for example, reads no file."""


def test_modules_need_no_other_libraries():
    needed = {module: libraries(closure([module])) for module in NEEDED}
    assert {module: more for module in NEEDED if (more := needed[module] - {*NEEDED[module].split()})} == {}
    for module in GAMES:
        assert known(module) <= {"dicebase.vocabulary"}
    for module in inside("games.compiled"):
        assert {package_of(name) for name in known(module)} <= {"games", "vocabulary"}


def test_modules_are_imported_by_name_in_three_places():
    users = {module for module in FILES if calls(module, "import_module")}
    assert users == {"dicebase.tables.names", "dicebase.tabulate.slices", "dicebase.certify.slices"}


def test_only_show_and_the_command_line_print():
    for module in FILES.keys() - {"dicebase.cli", "dicebase.show.text", "dicebase.show.play", "dicebase.show.record"}:
        for call in calls(module, "print"):
            to = [ast.unparse(k.value) for k in call.keywords if k.arg == "file"]
            assert to == ["sys.stderr"], f"{module}:{call.lineno} prints"


def kernels(nodes):
    """The compiled functions of a module: {name: (`kernel` or `inner`, whether it counts references, its syntax)}."""
    found = {}
    for node in nodes:
        for made in node.decorator_list if isinstance(node, ast.FunctionDef) else ():
            options = made.keywords if isinstance(made, ast.Call) else []
            if (word := ast.unparse(made).split("(")[0]) in ("kernel", "inner"):
                counts = any(o.arg == "_nrt" and ast.unparse(o.value) == "True" for o in options)
                found[node.name] = word, counts, node
    return found


def test_kernels_that_call_allocating_ones_count_references():
    leaks, counted = set(), 0
    for module in FILES:
        known = {name: counts for name, (_, counts, _) in kernels(nodes(module)).items()}
        for node in nodes(module):
            if isinstance(node, ast.ImportFrom) and node.module in FILES:
                there = kernels(nodes(node.module))
                known |= {a.name: there[a.name][1] for a in node.names if a.name in there}
        for name, (_, counts, body) in kernels(nodes(module)).items():
            called = {
                node.func.id for node in ast.walk(body) if isinstance(node, ast.Call) and hasattr(node.func, "id")
            }
            leaks |= {(module, name, other) for other in called if known.get(other) and not counts}
            counted += counts
    assert leaks == set() and counted > 50, "arrays that are made there would never be freed"


def used(path):
    """The full names that a file uses outside of kernels."""
    found = [*ast.walk(ast.parse(path.read_text(encoding="utf-8")))]
    module = next((module for module in FILES if FILES[module] == path), path.stem)
    here = kernels(found)
    inside = {id(node) for *_, body in here.values() for line in body.body for node in ast.walk(line)}
    names = {name: f"{module}.{name}" for name in here}
    for node in found:
        if isinstance(node, ast.Import | ast.ImportFrom):
            beginning = f"{node.module}." if isinstance(node, ast.ImportFrom) else ""
            names |= {alias.asname or alias.name: beginning + alias.name for alias in node.names}
    for node in found:
        if id(node) not in inside and isinstance(node, ast.Name):
            yield names.get(node.id)
        elif id(node) not in inside and isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            yield f"{names.get(node.value.id)}.{node.attr}"


def test_only_kernels_call_inner_functions_and_python_calls_every_kernel():
    words = {f"{module}.{name}": word for module in FILES for name, (word, *_) in kernels(nodes(module)).items()}
    folders = [PACKAGE, *(commands.ROOT / name for name in ("tests", "benchmarks"))]
    python = {name for folder in folders for path in folder.rglob("*.py") for name in used(path)}
    assert len(words) > 100
    assert {name for name, word in words.items() if word == "inner"} == words.keys() - python


def test_files_are_small():
    assert {path.name for path in PACKAGE.glob("*.py")} == {"__init__.py", "cli.py"}
    lines = {str(path.relative_to(PACKAGE)): len(path.read_text().splitlines()) for path in FILES.values()}
    assert {name: n for name, n in lines.items() if n >= 300} == {}
    assert sum(n < 250 for n in lines.values()) > 0.9 * len(lines)
    folders = Counter(path.parent for path in FILES.values() if path.name != "__init__.py")
    assert {folder.name for folder, count in folders.items() if count > 14} == {"games"}
    # A game that states its own positions is one short file.
    boards = [name for name in lines if "(Board)" in (text := (PACKAGE / name).read_text()) or "(LayeredBoard)" in text]
    assert len(boards) > 8 and {name: lines[name] for name in boards if lines[name] > 150} == {}


def test_functions_are_short():
    functions = ((module, node) for module in FILES for node in nodes(module) if isinstance(node, ast.FunctionDef))
    lengths = {(module, node.name): node.end_lineno - node.lineno + 1 for module, node in functions}
    assert {name: lines for name, lines in lengths.items() if lines > 60} == {}


LOADED = f"import sys; print(*sorted({HEAVY!r} & set(sys.modules)))"


def loaded(code, cwd, *words):
    """The heavy libraries that are loaded after some code has run."""
    done = commands.python("-c", f"{code}\n{LOADED}", *words, cwd=cwd)
    assert done.returncode == 0, done.stderr
    return set(done.stdout.splitlines()[-1].split())


@pytest.mark.parametrize("modules", [["dicebase"], ["dicebase.cli"], ["dicebase.show.http"], GAMES], ids=lambda x: x[0])
def test_imports_load_no_library(tmp_path, modules):
    assert loaded(f"import {', '.join(modules)}", tmp_path) == set()


def test_a_lookup_needs_no_library(results):
    lookup = "import dicebase; db = dicebase.open('results'); db.lookup('pig_turn', turn_total=5)"
    assert loaded(lookup, results.parent) == set()
    missing = f"{lookup}; db.get('ten_thousand_turn', rules='pocket', turn_total=0, roll='23')"
    assert loaded(missing, results.parent) == set()


@pytest.mark.parametrize(("command", "needs"), [("tables", set()), ("sql 'SELECT 1'", {"duckdb"})])
def test_the_commands_that_ask_load_little(results, command, needs):
    assert loaded("import sys; from dicebase.cli import main; main()", results.parent, *shlex.split(command)) == needs


def test_planning_loads_only_yaml_and_jsonschema(tmp_path):
    (tmp_path / "config.yaml").write_text(grids.CONFIG)
    plan = (
        "from dicebase.pipeline import configuration, plan; "
        "plan.make_plan(configuration.read(['config.yaml'])).digest('catalog')"
    )
    assert loaded(plan, tmp_path) == {"yaml", "jsonschema"}
