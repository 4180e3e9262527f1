"""A board too large for one job: what each position is worth before a throw, layer by layer.

Layers are solved one from another, from the ends of play back. The decisions of such a board follow: whatever is
thrown, each move leads to a position that is stored.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from dicebase.vocabulary import (
    Column,
    ConfigurationError,
    LayeredBoard,
    Layout,
    Listing,
    State,
    nearest,
    parameter,
    worth,
)

ALL = "all"


@dataclass(frozen=True)
class LayerValues(Listing):
    """The chance of the mover to win, in every position of a layer before the dice are thrown."""

    rules: LayeredBoard
    layer: str = parameter(ALL, "which layer; it brings those that it is solved from")

    layout = Layout.VALUES
    numbered = True
    certified_by = "layers"
    tabulated_by = "boards.layers"
    value = worth("chance of the mover to win, before the throw", "probability")
    columns = (Column("number", int, "number of the position in its layer"),)
    note = "positions before a throw, whether or not play leads there"

    def __post_init__(self) -> None:
        if self.layer not in (names := self.rules.layers):
            allowed = f"{', '.join(names)}, nor {ALL}{nearest(self.layer, names)}"
            raise ConfigurationError(f"layer: {self.layer!r} is none of {allowed}")

    @property
    def described(self) -> tuple[Column, ...]:
        return tuple(c for c in self.rules.columns if c.name not in self.rules.fallen)

    @property
    def needs(self) -> tuple[Mapping[str, str], ...]:
        return tuple({"layer": layer} for layer in self.rules.layers[self.layer])

    @property
    def bytes(self) -> int:
        return 160 * self.rules.size(self.layer)

    @classmethod
    def expanded(
        cls, build_rules: Callable[[], LayeredBoard], parameters: Mapping[str, int | str]
    ) -> list[dict[str, int | str]]:
        layers, chosen = build_rules().layers, parameters["layer"]
        if chosen not in {ALL, *layers}:
            return [dict(parameters)]  # which is refused when it is built
        found = {*layers} if chosen == ALL else {chosen}
        for layer in reversed(layers):
            found.update(layers[layer] if layer in found else ())
        return [parameters | {"layer": layer} for layer in layers if layer in found]

    def why_missing(self, state: State) -> str:
        return f"layer {self.layer} has no position of this number"


FORMATS = {LayeredBoard: LayerValues}
