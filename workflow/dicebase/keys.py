"""Digests of code: what a table was made by, in meaning and not in wording.

A digest covers the syntax trees, without comments and docstrings, of a module and of every module of dicebase that it
imports, directly or not, at the top or inside a function.
"""

import ast
import hashlib
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path


def digest(roots: Iterable[str]) -> str:
    """The digest of the import closure of some modules, such as `dicebase.games.pig`."""
    whole = hashlib.sha256()
    for module in sorted(closure(roots)):
        whole.update(f"{module}:{_tree(_file(module))[0]}\n".encode())
    return whole.hexdigest()[:16]


def closure(roots: Iterable[str]) -> set[str]:
    """The modules of dicebase that the given ones import, and themselves."""
    found: set[str] = set()
    todo = list(roots)
    while todo:
        module = todo.pop()
        if module not in found:
            found.add(module)
            todo.extend(_tree(_file(module))[1])
    return found


def _file(module: str) -> Path:
    spec = find_spec(module)
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(f"no module {module}")
    return Path(spec.origin)


@cache
def _tree(path: Path) -> tuple[str, tuple[str, ...]]:
    """The digest of one file's syntax tree, and the modules of dicebase it imports."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    imports = tuple(_imports(tree))
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            if ast.get_docstring(node, clean=False) is not None:
                node.body = node.body[1:] or [ast.Pass()]
    return hashlib.sha256(ast.dump(tree).encode()).hexdigest(), imports


def _imports(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            # `from package import module` and `from module import name` look alike.
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        else:
            continue
        yield from (n for n in names if n.split(".")[0] == "dicebase" and _is_module(n))


@cache
def _is_module(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:
        return False
