"""The table of a layer: the value of each position, and what it is."""

from collections.abc import Iterator, Sequence

import numpy as np
import pyarrow as pa

from dicebase.matches.layers import LayerValues
from dicebase.solve.boards.layers import solve_layer
from dicebase.tables.names import layers_of
from dicebase.tables.writer import ROW_GROUP, Rows


def tabulate(listing: LayerValues, ahead: Sequence[np.ndarray] = ()) -> Iterator[Rows]:
    """All positions, some at a time; `ahead` are the values of the variants that it needs."""
    layers, layer = layers_of(listing.rules), listing.layer
    size = listing.rules.size(layer)
    values = solve_layer(layers.moves(layer), layers.weights, size, list(ahead))
    for first in range(0, size, ROW_GROUP):
        end = min(size, first + ROW_GROUP)
        rows = Rows(listing)
        said = (pa.array(c).cast(pa.string()) if c.dtype.kind == "S" else c for c in layers.columns(layer, first, end))
        rows.set_rows(np.arange(first, end), values[first:end], *said)
        yield rows
