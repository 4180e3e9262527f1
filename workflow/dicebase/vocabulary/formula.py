"""Formulas in the configuration: whole-number arithmetic and no other Python."""

import ast
from collections.abc import Callable

from dicebase.vocabulary.errors import ConfigurationError, shown

ALLOWED = (
    (ast.Expression, ast.Constant, ast.Name, ast.Load, ast.Call, ast.IfExp),
    (ast.BinOp, ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod, ast.Pow, ast.UnaryOp, ast.USub),
    (ast.BoolOp, ast.And, ast.Or, ast.Compare, ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE),
)
LONGEST = 1000
"""The longest formula in characters."""


def _power(base: int, exponent: int) -> int:
    """Return a power; raises ArithmeticError if it has more than about 1000 bits."""
    if isinstance(base, int) and abs(base) > 1 and exponent * base.bit_length() > 1000:
        raise ArithmeticError("a power is too large")
    return base**exponent


FUNCTIONS = {"min": min, "max": max, "abs": abs}
KNOWN = {"__builtins__": {}, "_power": _power, **FUNCTIONS}


class _Powers(ast.NodeTransformer):
    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.op, ast.Pow):
            return node
        return ast.Call(ast.Name("_power", ast.Load()), [node.left, node.right], [])


def formula(text: str, names: tuple[str, ...], place: str) -> Callable[..., int]:
    """Return the function of `names` that a text defines. Raises ConfigurationError, which names `place`, for an
    invalid text; the function raises it for an invalid result."""
    allowed = f"whole-number arithmetic with {', '.join(names)}, min, max, abs, comparisons, and, or, 'a if b else c'"
    try:
        if len(text := str(text)) > LONGEST:
            raise ValueError(f"it has more than {LONGEST} characters")
        tree = ast.parse(text, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise ConfigurationError(f"{place}: {shown(text)} is not a formula; give {allowed}") from error
    for node in ast.walk(tree):
        known = not isinstance(node, ast.Name) or node.id in (*names, *FUNCTIONS)
        whole = not isinstance(node, ast.Constant) or type(node.value) is int
        if not isinstance(node, ALLOWED) or not known or not whole:
            raise ConfigurationError(f"{place}: {shown(text)} is not allowed; give {allowed}")
    try:
        code = compile(ast.fix_missing_locations(_Powers().visit(tree)), place, "eval")
    except RecursionError as error:
        raise ConfigurationError(f"{place}: {shown(text)} is nested too deeply") from error

    def value(*arguments: int) -> int:
        try:
            points = eval(code, KNOWN.copy(), dict(zip(names, arguments, strict=True)))
        except (ArithmeticError, TypeError, ValueError) as error:
            raise ConfigurationError(f"{place}: {shown(text)} at {arguments}: {error}") from error
        if not isinstance(points, int):
            raise ConfigurationError(f"{place}: {shown(text)} at {arguments} is {points!r}, not a whole number")
        return int(points)

    return value
