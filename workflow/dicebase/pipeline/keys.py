"""Digests of code: what a table was made by, in meaning and not in wording.

A digest covers the syntax trees, without comments and docstrings, of a module and of every module of dicebase that it
imports, directly or not, at the top or inside a function; and the bytes of the files of folders that are named.
"""

import ast
import hashlib
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import find_spec, resolve_name
from itertools import chain
from pathlib import Path

import dicebase.games as games


def digest(roots: Iterable[str], folders: Iterable[Path] = ()) -> str:
    """The digest of the import closure of some modules, such as `dicebase.games.pig`, and of all files in folders."""
    whole = hashlib.sha256()
    for module in sorted(closure(roots)):
        whole.update(f"{module}:{_tree(module)[0]}\n".encode())
    for path in (path for folder in folders for path in sorted(folder.iterdir())):
        whole.update(f"{path.name}:{hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return whole.hexdigest()[:16]


def closure(roots: Iterable[str]) -> set[str]:
    """The modules of dicebase that the given ones import, and themselves."""
    found: set[str] = set()
    todo = list(roots)
    while todo:
        module = todo.pop()
        if module not in found:
            found.add(module)
            todo.extend(_tree(module)[1])
    return found


@cache
def _spec(module: str) -> ModuleSpec | None:
    """Where a module is, found without importing it or its parents: planning needs none of the heavy libraries."""
    parent = module.rpartition(".")[0]
    if not parent:
        return find_spec(module)
    if parent == games.__name__:
        return PathFinder.find_spec(module, games.__path__)
    above = _spec(parent)
    folders = above and above.submodule_search_locations
    return PathFinder.find_spec(module, folders) if folders else None


@cache
def _tree(module: str) -> tuple[str, tuple[str, ...]]:
    """The digest of one file's syntax tree, and the modules of dicebase it imports."""
    spec = _spec(module)
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(f"no module {module}")
    tree = ast.parse(Path(spec.origin).read_bytes())
    imports = tuple(_imports(tree, module if spec.submodule_search_locations else module.rpartition(".")[0]))
    for node in _blocks(tree):
        if isinstance(body := getattr(node, "body", None), list):
            node.body = [line for line in body if not _is_words(line)] or [ast.Pass()]
    return hashlib.sha256(ast.dump(tree).encode()).hexdigest(), imports


def _blocks(node: ast.AST) -> Iterator[ast.AST]:
    """All statements, and what has some; expressions, which are most of a tree, have none."""
    yield node
    for name in ("body", "orelse", "finalbody", "handlers", "cases"):
        if isinstance(part := getattr(node, name, None), list):
            yield from chain.from_iterable(map(_blocks, part))


def _is_words(line: ast.stmt) -> bool:
    """Whether a statement is a docstring, of whatever stands before it or around it."""
    return isinstance(line, ast.Expr) and isinstance(line.value, ast.Constant) and isinstance(line.value.value, str)


def _imports(tree: ast.Module, package: str) -> Iterator[str]:
    for node in _blocks(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            source = resolve_name("." * node.level + (node.module or ""), package)
            # `from package import module` and `from module import name` look alike.
            names = [source, *(f"{source}.{alias.name}" for alias in node.names)]
        else:
            continue
        yield from (n for n in names if n.split(".")[0] == "dicebase" and _spec(n))
