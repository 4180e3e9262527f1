"""Boards: positions stated by the rules, drawn as text or described as data."""

from collections.abc import Mapping

from dicebase.families.family import Family
from dicebase.vocabulary import Board, Cards, Dice, Json, Outcome, Pieces, Piles, Scale, Squares, Tiles, answered


class Boards(Family):
    """Games that state their own positions."""

    is_board = True

    def export(self, rules: Board) -> Json:
        return super().export(rules) | {"drawing": drawings(rules), "start": self.first_position(rules)}

    def picture(self, rules: Board, state: Mapping[str, int | str]) -> list[str]:
        """The picture that the rules draw of a position, or otherwise one made from their `drawing`."""
        if not state.keys() >= {column.name for column in rules.columns}:
            return []
        if own := str(answered("picture", rules.picture, tuple(state.values()))):
            return own.rstrip().splitlines()
        width = max((len(drawn.column) for drawn in rules.drawing), default=0)
        lines = []
        for drawn in rules.drawing:
            rows = DRAW[type(drawn)](drawn, state[drawn.column])
            lines += [f"{'' if i else drawn.column:{width}}  {row}".rstrip() for i, row in enumerate(rows)]
        return lines

    def first_position(self, rules: Board) -> dict[str, int | str]:
        """The first position with a choice along likely outcomes; the position at the start if there is none within 20
        moves."""
        first, after = None, rules.chance.start()
        for _ in range(20):
            ahead = [o for o in map(Outcome._make, rules.chance.outcomes(after)) if o.state is not None]
            if not ahead:
                break
            state = max(ahead, key=lambda o: (len(rules.actions(o.state)) > 1, o.weight)).state
            first = first or state
            if len(actions := rules.actions(state)) > 1:
                first = state
                break
            after = rules.afterstate(state, actions[0])
        return dict(zip((c.name for c in rules.columns), first, strict=True))


def drawings(rules: Board) -> list[Json]:
    """The drawings of a board as data: their kinds and fields."""
    return [
        {n: dict(x) if isinstance(x, Mapping) else x for n, x in drawn._asdict().items()}
        | {"kind": type(drawn).__name__.lower()}
        for drawn in rules.drawing
    ]


def _dice(_: Dice, fallen: int | str) -> list[str]:
    return [" ".join(f"[{face}]" for face in (fallen if isinstance(fallen, str) else [fallen]))]


def _tiles(drawn: Tiles, text: str) -> list[str]:
    return [" ".join(label if label in text else "_" for label in drawn.labels)]


def _squares(drawn: Squares, text: str) -> list[str]:
    """The board with marked squares in brackets, and a legend of its pieces below."""
    columns, rows = (1 + max(place[i] for place in drawn.places) for i in (0, 1))
    board = [["   "] * columns for _ in range(rows)]
    for i, (column, row) in enumerate(drawn.places):
        piece = text[i] if i < len(text) and text[i] in drawn.pieces else "."
        board[row][column] = f"[{piece}]" if i in drawn.marked else f" {piece} "
    legend = [f"{piece} {words}" for piece, words in drawn.pieces.items() if piece in text]
    legend += [f"[ ] {drawn.marked_words}"] * bool(drawn.marked)
    return ["".join(row).rstrip() for row in board] + [f" {', '.join(legend)}"] * bool(legend)


def _piles(drawn: Piles, text: str) -> list[str]:
    """The labels, with the number of pieces below each."""
    numbers = [str(int(digit, 36) or ".") for digit in text]
    widths = [max(map(len, pair)) for pair in zip(drawn.labels, numbers, strict=True)]
    return [" ".join(map(str.rjust, row, widths)) for row in (drawn.labels, numbers)]


DRAW = {
    Dice: _dice,
    Cards: lambda _, cards: [" ".join(f"[{card}]" for card in str(cards).split() if card != "-")],
    Tiles: _tiles,
    Squares: _squares,
    Piles: _piles,
    Pieces: lambda _, number: ["x" * number],
    Scale: lambda _, number: [str(number)],
}
"""{kind of drawing: function that returns the lines of a column}."""
