"""The turn total as rules see it: they can use only its remainder modulo the period."""

from typing import Any, NoReturn

from dicebase.vocabulary.errors import ConfigurationError

_REFUSED = """
lt le eq ne gt ge hash bool int index float complex str repr format bytes len iter next reversed contains getitem
call sub rsub mul rmul truediv rtruediv floordiv rfloordiv rmod divmod rdivmod pow rpow lshift rlshift rshift rrshift
and rand or ror xor rxor matmul rmatmul neg pos abs invert round trunc floor ceil getattribute setattr delattr dir
sizeof reduce reduce_ex copy deepcopy enter exit await fspath length_hint
"""
REFUSED = _REFUSED.split()
"""Special methods of Python that would reveal more about a total."""


class TurnTotal:
    """A turn total that reveals only its remainder modulo the period. `total % period` is an integer, and adding an
    integer gives another TurnTotal.

    Any other use raises ConfigurationError and is recorded in `refused`, in case rules catch the error.
    """

    __slots__ = ("_known",)

    def __init__(self, phase: int, period: int, refused: list[str]) -> None:
        object.__setattr__(self, "_known", (phase, period, refused))

    def __mod__(self, period: int) -> int:
        phase, own, _ = known(self)
        return phase if type(period) is int and period == own else refuse(self, f"its remainder by {period!r}")

    def __add__(self, points: int) -> "TurnTotal":
        phase, period, refused = known(self)
        if type(points) is not int:
            refuse(self, "a sum with something other than a whole number")
        return TurnTotal((phase + points) % period, period, refused)

    __radd__ = __add__


def known(total: TurnTotal) -> tuple[int, int, list[str]]:
    """Return (remainder, period, record of refused uses)."""
    return object.__getattribute__(total, "_known")


def refuse(total: TurnTotal, what: str) -> NoReturn:
    """Record a refused use and raise ConfigurationError; `what` is what the rules ask for."""
    _, period, refused = known(total)
    refused.append(f"rolls may depend on the turn total only through total % {period}, but they ask for {what}")
    raise ConfigurationError(refused[0])


def _refused(name: str) -> Any:
    return lambda total, *_: refuse(total, f"__{name}__")


for _name in REFUSED:
    setattr(TurnTotal, f"__{_name}__", _refused(_name))
