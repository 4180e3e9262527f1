"""Certify a layer of a board by the Bellman residual of every position, given the error bounds of the layers ahead.
As in docs/why/certificates.md (Cycles), one step must stay within bounds: the largest bound ahead plus a multiple of
the expected number of throws in the layer under nearly best moves.

The game supplies its moves in compiled form. They are compared with the plain rules (rolls, moves and their order,
successors) at every position of a small layer and at COMPARED positions of a large one.
"""

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from dicebase.certify.finding import EPSILON, Fail, Finding, unplayed
from dicebase.certify.published import Rows, named
from dicebase.matches.layers import LayerValues
from dicebase.tables.names import layers_of
from dicebase.vocabulary.kernels import inner, kernel
from dicebase.vocabulary.layers import Layers, Moves

simulated = unplayed

COMPARED = 2_000  # positions of a layer compared with the plain rules
TIE = 1e-10
PROOF = "one step of play leads strictly between bounds of the {}; next layers: {}; compared with the plain rules: {}"
LARGEST = 1e-6  # certificates are refused from this error bound on


def check(listing: LayerValues, rows: Rows, fail: Fail) -> Finding:
    """Certify the rows of a layer; `rows.ahead` holds the values and the error bound of each layer that it leads to."""
    layers, layer = layers_of(listing.rules), listing.layer
    size = listing.rules.size(layer)
    if rows.count != size:
        fail(None, f"has {rows.count} positions, but the layer has {size}")
    _check_described(listing, layers, rows, fail)
    moves = layers.moves(layer)
    _compare(listing, layers, moves, fail)
    own = rows.columns(names=("value",))["value"]
    if not ((own >= 0) & (own <= 1)).all():
        i = int((~((own >= 0) & (own <= 1))).argmax())
        fail((i,), f"the value is {own[i]!r}, but a probability is from 0 to 1")
    values = np.concatenate([own, *(ahead for ahead, _ in rows.ahead), np.zeros(1)])
    largest = max((bound for _, bound in rows.ahead), default=0.0)
    residuals, bound = _bound(moves, layers.weights, size, values, largest)
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
    return Finding(float(own[0]), bound, bound, residual, proof)


def _check_described(listing: LayerValues, layers: Layers, rows: Rows, fail: Fail) -> None:
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


def _compare(listing: LayerValues, layers: Layers, moves: Moves, fail: Fail) -> None:
    """Compare the compiled moves with the plain rules."""
    layer, rules = listing.layer, listing.rules
    names, falls = (layer, *rules.layers[layer]), len(layers.weights)
    begins = np.cumsum([0, *map(rules.size, names)])
    size = listing.rules.size(layer)
    some = range(size) if size <= COMPARED else np.random.default_rng(size).choice(size, COMPARED, replace=False)
    seen = [column.name not in rules.fallen for column in rules.columns]
    for number in map(int, some):
        outcomes = list(rules.outcomes(layers.afterstate(layer, number)))
        if [(o.weight, o.reward, o.sign) for o in outcomes] != [(weight, 0, 1) for weight in layers.weights]:
            fail((number,), "the rolls there differ from those of the rules")
        described = tuple(c[0] for c in layers.columns(layer, number, number + 1))
        for fall, outcome in enumerate(outcomes):
            known = [entry for entry, is_seen in zip(outcome.state, seen, strict=True) if is_seen]
            if layers.number(outcome.state) != (layer, number) or [*map(_plain, described)] != known:
                fail((number,), f"{outcome.state} is not a roll of the dice there")
            first = number * falls + fall
            theirs = moves.to[moves.begin[first] : moves.begin[first + 1]].tolist()
            ours = []
            for action in rules.actions(outcome.state):
                later = list(rules.outcomes(rules.afterstate(outcome.state, action)))
                if later[0].state is None:
                    won = len(later) == 1 and later[0].reward == 1
                    ours.append(~int(begins[-1]) if won else None)
                    continue
                name, place = layers.number(later[0].state)
                place += int(begins[names.index(name)])
                kinds = {(o.reward, o.sign) for o in later}
                ours.append({((0, 1),): place, ((1, -1),): ~place}.get(tuple(kinds)))
            if theirs != ours:
                fail((number,), f"the moves of {outcome.state} are not those of the rules")


def _plain(entry: np.generic) -> int | str:
    return entry.decode() if isinstance(entry, bytes) else entry.item()


def _bound(
    moves: Moves, weights: tuple[int, ...], size: int, values: np.ndarray, ahead: float
) -> tuple[np.ndarray, float]:
    """Return residuals of one step of play, (size,), and an error bound of all values, infinite if none is found."""
    weight = np.array(weights, float)
    # Let u = EPSILON / 2, let n be the number of rolls and w an error bound, so numbers are at most 1 + w. Computing
    # 1 - v is off by u / 2, and adding w by u. A product, n - 1 sums and a division contribute n + 1 factors of 1 + u.
    # Adding `rounding`, and adding w to v on the other side, is off by u each. The total, (n + 4) (1 + w) u + u / 2
    # plus squares, is below (n + 5) u if (n + 4) w < 0.4, which holds for all w < LARGEST.
    rounding = (len(weights) + 5) * EPSILON / 2
    best, residuals = np.empty(size * len(weights), np.uint8), np.empty(size)
    tied = np.empty(size * len(weights), np.bool_)
    _step(moves.begin, moves.to, weight, size, values, best, tied, residuals)
    stay = np.ones(size)
    for _ in range(100_000):
        if _stay(moves.begin, moves.to, weight, size, values, best, tied, stay) < 1e-2:
            break
    width = 1.25 * (float(residuals.max()) + rounding)
    for _ in range(60):
        if _holds(moves.begin, moves.to, weight, size, values, stay, width, ahead, rounding):
            return residuals, ahead + width * float(stay.max())
        width *= 1.5
    return residuals, np.inf


@kernel
def _step(begin, to, weight, size, values, best, tied, residuals):
    """Fill `best`, the best move of each roll, `tied`, whether another is within TIE of it, and `residuals`, (size,).
    begin, to : moves by roll, as in Moves. values : of this layer, of the layers ahead, and of the end of play."""
    falls, total = len(weight), weight.sum()
    for position in range(size):
        worth = 0.0
        for i in range(falls):
            fall, most = position * falls + i, -np.inf
            for move in range(begin[fall], begin[fall + 1]):
                found = _after(to[move], values)
                if found > most:
                    most, best[fall] = found, move - begin[fall]
            tied[fall] = False
            for move in range(begin[fall], begin[fall + 1]):
                tied[fall] |= move - begin[fall] != best[fall] and _after(to[move], values) >= most - TIE
            worth += weight[i] * most
        residuals[position] = abs(worth / total - values[position])


@inner
def _after(there, values):
    return values[there] if there >= 0 else 1 - values[~there]


@inner
def _place(there):
    return there if there >= 0 else ~there


@kernel
def _stay(begin, to, weight, size, values, best, tied, stay):
    """Update `stay`, (size,), the expected number of throws in the layer, in one sweep; return the largest relative
    change."""
    falls, total, change = len(weight), weight.sum(), 0.0
    for position in range(size - 1, -1, -1):
        summed = 0.0
        for i in range(falls):
            fall = position * falls + i
            first = begin[fall] + best[fall]
            there = _place(to[first])
            longest = stay[there] if there < size else 0.0
            if tied[fall]:
                most = _after(to[first], values)
                for move in range(begin[fall], begin[fall + 1]):
                    there = _place(to[move])
                    if there < size and _after(to[move], values) >= most - TIE:
                        longest = max(longest, stay[there])
            summed += weight[i] * longest
        now = 1 + summed / total
        change = max(change, (now - stay[position]) / now)
        stay[position] = now
    return change


@kernel
def _holds(begin, to, weight, size, values, stay, width, ahead, rounding):
    """Return whether one step of play leads strictly between the lower and the upper bounds."""
    falls, total = len(weight), weight.sum()
    for position in range(size):
        up, down = 0.0, 0.0
        for i in range(falls):
            highest, lowest, fall = -np.inf, -np.inf, position * falls + i
            for move in range(begin[fall], begin[fall + 1]):
                there = _place(to[move])
                # The value at the end of play is exact.
                off = ahead + width * stay[there] if there < size else ahead if there < len(values) - 1 else 0.0
                found = _after(to[move], values)
                highest, lowest = max(highest, found + off), max(lowest, found - off)
            up += weight[i] * highest
            down += weight[i] * lowest
        off = ahead + width * stay[position]
        if not (up / total + rounding < values[position] + off and down / total - rounding > values[position] - off):
            return False
    return True
