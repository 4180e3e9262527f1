"""Sets that iterate in reverse, to find rules whose answers depend on the order of a set.

Python orders a set of texts by their hashes, which are random in each process. Two texts have the same order in two
processes half of the time, so a second hash seed does not reliably find such rules; a second order in one process does.
"""

import ast
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

SHOWN = "_reversed_set"  # the name that replaces set displays


class _Displays(ast.NodeTransformer):
    """Replaces set displays, `{a, b}` and `{f(x) for x in y}`, by reversed sets."""

    def visit_Set(self, node: ast.Set) -> ast.AST:
        return self._called(node, ast.List(node.elts, ast.Load()))

    def visit_SetComp(self, node: ast.SetComp) -> ast.AST:
        return self._called(node, ast.GeneratorExp(node.elt, node.generators))

    def _called(self, node: ast.AST, things: ast.expr) -> ast.AST:
        return self.generic_visit(ast.copy_location(ast.Call(ast.Name(SHOWN, ast.Load()), [things], []), node))


def with_reversed_sets(source: bytes, path: str) -> ast.Module:
    """Return the syntax tree of a module with reversed sets; it must run with the names in REVERSED."""
    return ast.fix_missing_locations(_Displays().visit(ast.parse(source, path)))


def _is_fixed(thing: Any) -> bool:
    """Whether the hash of a value is the same in every process, so that rules may rely on the order."""
    if isinstance(thing, tuple | frozenset):
        return all(map(_is_fixed, thing))
    return isinstance(thing, int | float | Fraction)


class _LikeItsBase(type):
    def __instancecheck__(cls, thing: Any) -> bool:
        return isinstance(thing, cls.__base__)


def _reversed(kind: type) -> type:
    def iterate(self: Any) -> Iterator[Any]:
        things = [*kind.__iter__(self)]
        return iter(things if all(map(_is_fixed, things)) else things[::-1])

    def pop(self: Any) -> Any:
        for thing in self:
            self.discard(thing)
            return thing
        return kind.pop(self)  # raises KeyError

    def again(name: str) -> Any:
        def operate(self: Any, *others: Any) -> Any:
            found = getattr(kind, name)(self, *others)
            return found if found is NotImplemented else made(found)

        return operate

    operators = [f"__{side}{name}__" for name in ("and", "or", "sub", "xor") for side in ("", "r")]
    named = ["copy", "difference", "intersection", "symmetric_difference", "union"]
    methods = {name: again(name) for name in operators + named} | {"__iter__": iterate}
    made = _LikeItsBase(kind.__name__, (kind,), methods | ({"pop": pop} if kind is set else {}))
    return made


def _hash(thing: Any) -> int:
    return hash(thing) if _is_fixed(thing) else ~hash(thing)


REVERSED = {"set": _reversed(set), "frozenset": _reversed(frozenset), "hash": _hash}
REVERSED[SHOWN] = REVERSED["set"]
