"""Sets that iterate in the opposite order: rules whose answers depend on the order of a set give others with these.

Python orders a set of texts by their hashes, which another process draws anew. Two texts have the same order in two
processes half of the time, so two hash seeds alone do not find such rules; two orders in one process do.
"""

import ast
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

SHOWN = "_reversed_set"  # what a set that is written out calls


class _Displays(ast.NodeTransformer):
    """Makes reversed sets of sets that are written out, `{a, b}` and `{f(x) for x in y}`."""

    def visit_Set(self, node: ast.Set) -> ast.AST:
        return self._called(node, ast.List(node.elts, ast.Load()))

    def visit_SetComp(self, node: ast.SetComp) -> ast.AST:
        return self._called(node, ast.GeneratorExp(node.elt, node.generators))

    def _called(self, node: ast.AST, things: ast.expr) -> ast.AST:
        return self.generic_visit(ast.copy_location(ast.Call(ast.Name(SHOWN, ast.Load()), [things], []), node))


def with_reversed_sets(source: bytes, path: str) -> ast.Module:
    """The syntax tree of a module whose sets are to be reversed; it must run with the names in REVERSED."""
    return ast.fix_missing_locations(_Displays().visit(ast.parse(source, path)))


def _is_fixed(thing: Any) -> bool:
    """Whether the hash of a thing is the same in every process, so that rules may rely on the order it gives."""
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
