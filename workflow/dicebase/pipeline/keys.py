"""Digests of the code that makes a table. Comments and docstrings do not change them.

A digest covers the syntax trees of a module and of all modules that it imports, directly or indirectly, from dicebase
or from the folder of an author's rules; imports inside functions count too. It also covers the bytes of the TOML files
beside these modules that they name, and of the files in given folders. Besides these modules, rules may import only
Python's standard library, NumPy and Numba.
"""

import ast
import hashlib
import os
import re
import sys
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import find_spec, resolve_name
from itertools import chain
from pathlib import Path

import dicebase.games as games
import dicebase.games.compiled as compiled
from dicebase.tables.rules_files import lies_beside
from dicebase.vocabulary import ConfigurationError

OTHERS = frozenset(("dicebase", "numpy", "numba", *sys.stdlib_module_names)) - {"importlib"}
"""Packages that rules may import from, besides their own modules."""


def digest(roots: Iterable[str], folders: Iterable[Path] = ()) -> str:
    """Return the digest of the import closure of some modules, such as `dicebase.games.pig`, and of all files in
    `folders`, as 16 hexadecimal digits. Raises ModuleNotFoundError, and ConfigurationError for a forbidden import."""
    whole, files = hashlib.sha256(), [path for folder in folders for path in sorted(folder.iterdir())]
    for module in sorted(closure(roots)):
        tree, _, named = _tree(module)
        whole.update(f"{module}:{tree}\n".encode())
        files += named
    for path in files:
        whole.update(f"{path.name}:{hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return whole.hexdigest()[:16]


def closure(roots: Iterable[str]) -> set[str]:
    """Return the given modules and all modules that they import, directly or indirectly, and that a digest covers."""
    found: set[str] = set()
    todo = list(roots)
    while todo:
        module = todo.pop()
        if module not in found:
            found.add(module)
            todo.extend(_tree(module)[1])
    return found


def _spec(module: str) -> ModuleSpec | None:
    """Find a module without importing it or its parents, because planning must not load the heavy libraries."""
    parent = module.rpartition(".")[0]
    if parent in (games.__name__, compiled.__name__):
        return PathFinder.find_spec(module, (games if parent == games.__name__ else compiled).__path__)
    if not parent:
        return find_spec(module)
    return _spec_of_ours(module) if module.startswith("dicebase.") else _below(module)


@cache
def _spec_of_ours(module: str) -> ModuleSpec | None:
    return _below(module)


def _below(module: str) -> ModuleSpec | None:
    """Find a module in the package that contains it."""
    package = _spec(module.rpartition(".")[0])
    folders = package and package.submodule_search_locations
    return PathFinder.find_spec(module, folders) if folders else None


def _tree(module: str) -> tuple[str, tuple[str, ...], tuple[Path, ...]]:
    """Return the digest of a module's syntax tree, and the imported modules and named files that a digest covers."""
    spec = _spec(module)
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(f"no module {module}")
    package, state = module if spec.submodule_search_locations else module.rpartition(".")[0], os.stat(spec.origin)
    return _parsed(module, package, spec.origin, state.st_mtime_ns, state.st_size)


@lru_cache(4096)
def _parsed(module: str, package: str, path: str, *_: int) -> tuple[str, tuple[str, ...], tuple[Path, ...]]:
    """Do the work of `_tree`. The time and size of the file are part of the cache's key."""
    tree = ast.parse(source := Path(path).read_bytes())
    beside = (Path(path).with_name(name.decode()) for name in re.findall(rb'"(\w+[.]toml)"', source))
    named = tuple(file for file in beside if file.exists())
    imports = tuple(_imports(tree, package, path if lies_beside(module, path) else ""))
    for node in _blocks(tree):
        if isinstance(body := getattr(node, "body", None), list):
            node.body = [line for line in body if not _is_words(line)] or [ast.Pass()]
    return hashlib.sha256(ast.dump(tree).encode()).hexdigest(), imports, named


def _blocks(node: ast.AST) -> Iterator[ast.AST]:
    """Yield all nodes that are or contain statements. Expressions, most of a tree, are skipped."""
    yield node
    for name in ("body", "orelse", "finalbody", "handlers", "cases"):
        if isinstance(part := getattr(node, name, None), list):
            yield from chain.from_iterable(map(_blocks, part))


def _is_words(line: ast.stmt) -> bool:
    """Return whether a statement is a docstring."""
    return isinstance(line, ast.Expr) and isinstance(line.value, ast.Constant) and isinstance(line.value.value, str)


def _imports(tree: ast.Module, package: str, rules: str) -> Iterator[str]:
    """Yield the modules that a module imports from dicebase or from the folder of the rules.

    rules : the path of the module if it belongs to an author's rules, else empty. Such a module may not import a
        package outside OTHERS, because no digest covers it; raises ConfigurationError if it does.
    """
    for node in _blocks(tree):
        if isinstance(node, ast.Import):
            names = sources = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            source = resolve_name("." * node.level + (node.module or ""), package)
            # `from package import module` and `from module import name` look alike.
            names, sources = [source, *(f"{source}.{alias.name}" for alias in node.names)], [source]
        else:
            continue
        beside = {n for n in names if rules and n.split(".")[0] not in OTHERS and _is_beside(n)}
        if rules and (other := next((n for n in sources if n.split(".")[0] not in OTHERS and n not in beside), None)):
            raise ConfigurationError(
                f"{Path(rules).name}, line {node.lineno}: imports {other}; rules may import from dicebase.vocabulary, "
                "Python's standard library (not importlib), NumPy, Numba and modules in their own folder"
            )
        yield from (n for n in names if n in beside or (n.split(".")[0] == "dicebase" and _spec(n)))


def _is_beside(module: str) -> bool:
    spec = _spec(module)
    return bool(spec and lies_beside(module, spec.origin))
