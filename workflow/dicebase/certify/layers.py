"""Certify a layer of a board by the Bellman residual of every position, given the error bounds of the layers ahead.
As in docs/why/certificates.md (Cycles), one step must stay within bounds: the largest bound ahead plus a multiple of
the expected number of throws in the layer under nearly best moves.

The game supplies its moves in compiled form, which compiled_rules.py compares with the plain rules. Kernels see payoffs
with the sign by which more is better.
"""

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from dicebase.certify.compiled_rules import COMPARED, compare, value_at_start
from dicebase.certify.finding import EPSILON, Fail, Finding
from dicebase.certify.published import Rows, named
from dicebase.matches.boards.layers import PositionValues
from dicebase.tables.names import layers_of
from dicebase.vocabulary.kernels import inner, kernel
from dicebase.vocabulary.layers import Layers, Parts

TIE = 1e-10
PROOF = "one step of play leads strictly between bounds of the {}; next layers: {}; compared with the plain rules: {}"
LARGEST = 1e-6  # certificates are refused from this error bound on
ALONG = 30  # sweeps over chosen moves after each sweep over all moves


def check(listing: PositionValues, rows: Rows, fail: Fail) -> Finding:
    """Certify the rows of a layer; `rows.ahead` holds the values and the error bound of each layer that it leads to."""
    layers, layer = layers_of(listing.rules), listing.layer
    size = listing.rules.size(layer)
    if rows.count != size:
        fail(None, f"has {rows.count} positions, but the layer has {size}")
    _check_described(listing, layers, rows, fail)
    parts = Parts(layers, layer, listing.sense)
    compare(listing, layers, parts, fail)
    own = rows.columns(names=("value",))["value"]
    if listing.total and not ((own >= 0) & (own <= 1)).all():
        i = int((~((own >= 0) & (own <= 1))).argmax())
        fail((i,), f"the value is {own[i]!r}, but a probability is from 0 to 1")
    values = np.concatenate([own, *(ahead for ahead, _ in rows.ahead), layers.ends])
    largest = max((bound for _, bound in rows.ahead), default=0.0)
    ends = len(layers.ends)
    signed = (listing.sense * values, ends, listing.sense * listing.total)
    residuals, bound = _bound(parts, layers.dice, size, *signed, largest)
    residual = float(residuals.max())
    if not residual <= 1e-9:
        i = int(residuals.argmax())
        fail((i,), f"the value is {float(own[i])!r}, the value of the best moves is {residual:.3g} away")
    if not bound < LARGEST:
        fail(None, "no bounds were found that hold over one step of play: play may go on for ever")
    ahead = ", ".join(
        f"{layer} within {b:.3g}" for layer, (_, b) in zip(listing.rules.layers[layer], rows.ahead, strict=True)
    )
    proof = PROOF.format(named(own), ahead or "none", f"{COMPARED:,}" if size > COMPARED else "all")
    value = float(own[0])
    if layer == [*listing.rules.layers][-1]:
        value = value_at_start(listing, layers, values)
        bound += 8 * EPSILON * max(1.0, float(np.abs(values).max()))
    return Finding(value, bound, bound, residual, proof)


def _check_described(listing: PositionValues, layers: Layers, rows: Rows, fail: Fail) -> None:
    """Fail unless every row has the number of the position that it describes."""
    layer, first = listing.layer, 0
    for part in rows.parts(("number", *(c.name for c in listing.described))):
        end = first + len(part)
        ours = (np.arange(first, end), *layers.columns(layer, first, end))
        for name, column in zip(part.column_names, ours, strict=True):
            made = pa.array(column).cast(pa.string() if column.dtype.kind == "S" else part[name].type)
            same = pc.fill_null(pc.equal(part[name], made), False).to_numpy()
            if not same.all():
                i = int(same.argmin())
                fail((first + i,), f"{name} is {part[name][i].as_py()!r}, its row number says {made[i].as_py()!r}")
        first = end


def _bound(
    parts: Parts, dice: np.ndarray, size: int, values: np.ndarray, ends: int, total: float, ahead: float
) -> tuple[np.ndarray, float]:
    """Return residuals of one step of play, (size,), and an error bound of all values, infinite if none is found."""
    weights = np.array(dice, float)
    residuals, stay, kinds = np.empty(size), np.ones(size), np.zeros(size, np.uint8)
    chosen, largest = np.full(size * weights.shape[1], len(values), np.int32), 0.0
    for _ in range(1_000):
        change = 0.0
        for first, moves in parts:
            change = max(change, _step(*moves, first, weights, total, values, size, chosen, residuals, stay))
            kinds[first : first + len(moves.dice)] = moves.dice
            largest = max(largest, np.abs(moves.earned).max(initial=0.0))
        if change < 1e-2:
            break
        for _ in range(ALONG):
            if _along(kinds, weights, chosen, stay) < change / 64:
                break
    # Let u = EPSILON / 2, let n be the number of rolls, w an error bound and S the largest value plus the largest
    # reward, or 1 if that is less, so numbers are at most S + w. Three operations on the value of a move, and one after
    # a move of the opponent, are off by u S each. A product, n - 1 sums and a division contribute n + 1 factors of
    # 1 + u. Adding `rounding`, and adding w to v on the other side, is off by u each. The total, (n + 7) (S + w) u plus
    # squares, is below (n + 8) u S if (n + 8) w < 0.4, which holds for all w < LARGEST.
    rounding = (weights.shape[1] + 8) * EPSILON / 2 * max(1.0, float(np.abs(values).max()) + largest)
    width = 1.25 * (float(residuals.max()) + rounding)
    for _ in range(60):
        bounds = (values, len(values) - ends, stay, width, ahead, rounding)
        if all(_holds(*moves, first, weights, total, *bounds) for first, moves in parts):
            return residuals, ahead + width * float(stay.max())
        width *= 1.5
    return residuals, np.inf


@inner
def _after(there, values, total):
    return values[there] if there >= 0 else total - values[~there]


@kernel
def _step(begin, to, earned, dice, first, weights, total, values, size, chosen, residuals, stay):
    """Take one step from the positions of a part; return the largest relative change of `stay`.

    begin, to, earned, dice : Moves, of positions from `first` on. weights : (rows of dice, outcomes), with signs.
    values : of this layer, of the layers ahead, and of the ends of play. chosen : (size * outcomes,), filled with the
    position after the move within TIE of the best after which play stays longest, or a number from `size` on.
    residuals : (size,), filled. stay : (size,), the expected number of throws in the layer, updated.
    """
    change, falls = 0.0, weights.shape[1]
    for i in range(len(dice) - 1, -1, -1):
        position, worth, summed, whole = first + i, 0.0, 0.0, 0.0
        for fall in range(falls):
            weight, most, at = weights[dice[i], fall], -np.inf, i * falls + fall
            if weight == 0:
                continue
            for move in range(begin[at], begin[at + 1]):
                most = max(most, _after(to[move], values, total) + (earned[move] if len(earned) > 0 else 0.0))
            longest = -1.0
            for move in range(begin[at], begin[at + 1]):
                if _after(to[move], values, total) + (earned[move] if len(earned) > 0 else 0.0) >= most - TIE:
                    there = max(to[move], ~to[move])
                    throws = stay[there] if there < size else 0.0
                    if throws > longest:
                        longest, chosen[position * falls + fall] = throws, there
            worth += weight * most if weight > 0 else -weight * (total - most)
            summed += abs(weight) * longest
            whole += abs(weight)
        residuals[position] = abs(worth / whole - values[position])
        now = 1 + summed / whole
        change = max(change, abs(now - stay[position]) / now)
        stay[position] = now
    return change


@kernel
def _along(kinds, weights, chosen, stay):
    """Update `stay` in one sweep over the chosen moves; return the largest relative change."""
    change, falls = 0.0, weights.shape[1]
    for position in range(len(stay) - 1, -1, -1):
        summed, whole = 0.0, 0.0
        for fall in range(falls):
            weight, there = abs(weights[kinds[position], fall]), chosen[position * falls + fall]
            whole += weight
            if there < len(stay):
                summed += weight * stay[there]
        now = 1 + summed / whole
        change = max(change, abs(now - stay[position]) / now)
        stay[position] = now
    return change


@kernel
def _holds(begin, to, earned, dice, first, weights, total, values, ends, stay, width, ahead, rounding):
    """Return whether one step of play leads strictly between the lower and the upper bounds; `ends` is the number of
    the first end of play."""
    falls = weights.shape[1]
    for i in range(len(dice)):
        up, down, whole = 0.0, 0.0, 0.0
        for fall in range(falls):
            weight, at = weights[dice[i], fall], i * falls + fall
            if weight == 0:
                continue
            highest, lowest = -np.inf, -np.inf
            for move in range(begin[at], begin[at + 1]):
                there = max(to[move], ~to[move])
                # The value at the end of play is exact.
                off = ahead + width * stay[there] if there < len(stay) else ahead if there < ends else 0.0
                found = _after(to[move], values, total) + (earned[move] if len(earned) > 0 else 0.0)
                highest, lowest = max(highest, found + off), max(lowest, found - off)
            if weight < 0:
                highest, lowest = total - lowest, total - highest
            up += abs(weight) * highest
            down += abs(weight) * lowest
            whole += abs(weight)
        value, off = values[first + i], ahead + width * stay[first + i]
        if not (up / whole + rounding < value + off and down / whole - rounding > value - off):
            return False
    return True
