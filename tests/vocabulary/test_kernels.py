"""Python calls no function that only kernels may call, and that it does not call others is found."""

import ast
from pathlib import Path

ROOT = Path(__file__).parents[2]
FILES = [path for folder in ("workflow", "tests", "benchmarks") for path in sorted((ROOT / folder).rglob("*.py"))]


def module_of(path):
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removeprefix("workflow.")


def word_of(function):
    """`kernel` or `inner`, as it is decorated, or nothing."""
    words = {ast.unparse(decorator).split("(")[0] for decorator in function.decorator_list}
    return next(iter(words & {"kernel", "inner"}), "")


def read(path):
    """Of a file the kernels by name, and what it names outside of them."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    module, functions = module_of(path), [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    names = {function.name: f"{module}.{function.name}" for function in functions}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            beginning = f"{node.module}." if isinstance(node, ast.ImportFrom) else ""
            names |= {alias.asname or alias.name: beginning + alias.name for alias in node.names}
    kernels = [function for function in functions if word_of(function)]
    inside = {id(node) for function in kernels for line in function.body for node in ast.walk(line)}
    named = set()
    for node in ast.walk(tree):
        if id(node) not in inside and isinstance(node, ast.Name):
            named.add(names.get(node.id))
        elif id(node) not in inside and isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            named.add(f"{names.get(node.value.id)}.{node.attr}")
    return {names[function.name]: word_of(function) for function in kernels}, named


def test_python_calls_every_kernel_and_no_inner_one():
    found = [read(path) for path in FILES]
    words = {name: word for kernels, _ in found for name, word in kernels.items()}
    named = set().union(*(names for _, names in found))
    assert len(words) > 100
    assert {name for name, word in words.items() if word == "inner"} == words.keys() - named
