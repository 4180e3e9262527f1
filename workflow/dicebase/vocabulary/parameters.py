"""What a variant may choose, and names that the configuration defines."""

from __future__ import annotations

from dataclasses import MISSING, dataclass, field, fields
from typing import Any


class Named(str):
    """A name that the configuration defines, such as a scoring table; it carries its definition along."""

    definition: Any

    def __new__(cls, name: str, definition: Any = None) -> Named:
        self = super().__new__(cls, name)
        self.definition = definition
        return self

    def __eq__(self, other: object) -> bool:
        # Two tables of one name are not the same rules, and what is cached for one must not serve the other.
        same = not isinstance(other, Named) or self.definition == other.definition
        return same and str.__eq__(self, other)

    __hash__ = str.__hash__


@dataclass(frozen=True)
class Parameter:
    """What a variant may choose, and within which limits."""

    name: str
    kind: type
    default: Any
    description: str
    low: int | None = None
    high: int | None = None
    choices: tuple = ()
    defined: bool = False  # the value is a name under `definitions` in the configuration
    text: str = ""  # what else a defined parameter may be, in words; the rules read it
    only: tuple[str, ...] = ()  # the match formats it is a parameter of; empty: all

    @property
    def allowed(self) -> str:
        """The limits in words, for an error message."""
        if self.choices:
            return "one of " + ", ".join(map(str, self.choices))
        if self.defined:
            return "a name under 'definitions' in the configuration" + (f", or {self.text}" if self.text else "")
        return f"a whole number from {self.low} to {self.high}"


def parameter(default: Any, description: str, **limits: Any) -> Any:
    """A dataclass field that is a parameter; `limits` are low, high, choices, defined, text, only (see Parameter)."""
    default = Named(default) if limits.get("defined") else default
    return field(default=default, metadata={"description": description, **limits})


def parameters_of(cls: type) -> list[Parameter]:
    """The parameters a rules file or a match declares, in the order it declares them."""
    found = []
    for f in fields(cls) if hasattr(cls, "__dataclass_fields__") else ():
        if "description" in f.metadata:
            default = None if f.default is MISSING else f.default
            found.append(Parameter(f.name, int if isinstance(default, int) else str, default, **f.metadata))
    return found
