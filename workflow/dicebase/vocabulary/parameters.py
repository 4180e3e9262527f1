"""Parameters of a variant, and names that the configuration defines."""

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields, is_dataclass
from typing import Any


@dataclass(frozen=True)
class Definition:
    """A name that the configuration defines, such as a scoring table, with its content.

    Definitions compare by name and content, so a cache never serves one definition of a name for another.
    """

    name: str
    content: Any = field(default=None, hash=False)  # as in the configuration; None if the name is not defined

    def __str__(self) -> str:
        return self.name

    @property
    def label(self) -> str:
        """The name for people: the content's `label`, if it has one."""
        return self.content.get("label", self.name) if isinstance(self.content, Mapping) else self.name


@dataclass(frozen=True)
class Parameter:
    """A parameter that variants choose, with its limits."""

    name: str
    kind: type
    default: Any
    description: str
    low: int | None = None
    high: int | None = None
    choices: Mapping[str, str] = field(default_factory=dict)  # {choice: its meaning}
    defined: bool = False  # the value is a name under `definitions` in the configuration
    text: str = ""  # other values that a defined parameter may have, in words; the rules read them
    only: tuple[str, ...] = ()  # the match formats that have this parameter; empty: all

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
    """The parameters that a rules file or a match declares, in order."""
    found = []
    for f in fields(cls) if is_dataclass(cls) else ():
        if "description" in f.metadata:
            default = None if f.default is MISSING else f.default
            default = default.name if isinstance(default, Definition) else default
            found.append(Parameter(f.name, int if isinstance(default, int) else str, default, **f.metadata))
    return found
