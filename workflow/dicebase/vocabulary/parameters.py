"""What a variant may choose, and names that the configuration defines."""

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields, is_dataclass
from typing import Any


@dataclass(frozen=True)
class Definition:
    """A name that the configuration may define, such as a scoring table, with what it stands for.

    Two definitions of one name are not the same rules, and what is cached for one does not serve the other.
    """

    name: str
    content: Any = field(default=None, hash=False)  # as the configuration has it; None: the name is not defined

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Parameter:
    """What a variant may choose, and within which limits."""

    name: str
    kind: type
    default: Any
    description: str
    low: int | None = None
    high: int | None = None
    choices: Mapping[str, str] = field(default_factory=dict)  # each with what it means
    defined: bool = False  # the value is a name under `definitions` in the configuration
    text: str = ""  # what else a defined parameter may be, in words; the rules read it
    only: tuple[str, ...] = ()  # the match formats it is a parameter of; empty: all

    @property
    def allowed(self) -> str:
        """The limits in words, for an error message."""
        if self.choices:
            return "one of " + ", ".join(self.choices)
        if self.defined:
            return "a name under 'definitions' in the configuration" + (f", or {self.text}" if self.text else "")
        if self.kind is str:
            return "a name that the rules know"
        return f"a whole number from {self.low} to {self.high}"


def parameter(default: Any, description: str, **limits: Any) -> Any:
    """A dataclass field that is a parameter; `limits` are low, high, choices, defined, text, only (see Parameter)."""
    default = Definition(default) if limits.get("defined") else default
    return field(default=default, metadata={"description": description, **limits})


def parameters_of(cls: type) -> list[Parameter]:
    """The parameters a rules file or a match declares, in the order it declares them."""
    found = []
    for f in fields(cls) if is_dataclass(cls) else ():
        if "description" in f.metadata:
            default = None if f.default is MISSING else f.default
            default = default.name if isinstance(default, Definition) else default
            found.append(Parameter(f.name, int if isinstance(default, int) else str, default, **f.metadata))
    return found
