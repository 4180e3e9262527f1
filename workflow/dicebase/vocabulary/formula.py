"""Points by a formula in the configuration: whole-number arithmetic, and nothing else of Python."""

import ast
from collections.abc import Callable

from dicebase.vocabulary.errors import ConfigurationError

ALLOWED = (
    (ast.Expression, ast.Constant, ast.Name, ast.Load, ast.Call, ast.IfExp),
    (ast.BinOp, ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod, ast.Pow, ast.UnaryOp, ast.USub),
    (ast.Compare, ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE),
)
FUNCTIONS = {"min": min, "max": max, "abs": abs}


def formula(text: str, names: tuple[str, ...], place: str) -> Callable[..., int]:
    """A function of `names` from its text; raises ConfigurationError, now or when called, that names `place`."""
    allowed = f"whole-number arithmetic with {', '.join(names)}, min, max, abs, comparisons and 'a if b else c'"
    try:
        tree = ast.parse(str(text), mode="eval")
    except (SyntaxError, ValueError) as error:
        raise ConfigurationError(f"{place}: {text!r} is not a formula; give {allowed}") from error
    for node in ast.walk(tree):
        known = not isinstance(node, ast.Name) or node.id in (*names, *FUNCTIONS)
        whole = not isinstance(node, ast.Constant) or type(node.value) is int
        if not isinstance(node, ALLOWED) or not known or not whole:
            raise ConfigurationError(f"{place}: {text!r} is not allowed; give {allowed}")
    code = compile(tree, place, "eval")

    def value(*arguments: int) -> int:
        try:
            points = eval(code, {"__builtins__": {}, **FUNCTIONS}, dict(zip(names, arguments, strict=True)))
        except (ArithmeticError, TypeError, ValueError) as error:
            raise ConfigurationError(f"{place}: {text!r} at {arguments}: {error}") from error
        if not isinstance(points, int):
            raise ConfigurationError(f"{place}: {text!r} at {arguments} is {points!r}, not a whole number")
        return int(points)

    return value
