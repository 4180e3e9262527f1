"""The referee of score sheets: it throws the dice one by one, keeps and fills what the published values rate best.

Games go on side by side, a turn at a time: those with the same boxes open are rated together.
"""

import numpy as np

from dicebase.certify.chance import Dice, dice, throw
from dicebase.certify.sheets.turn import Turn, entry_worths, rated_keeps, used
from dicebase.vocabulary import Sheet, multisets
from dicebase.vocabulary.kernels import kernel


def scores(rules: Sheet, turn: Turn, values: np.ndarray, streams: np.ndarray) -> tuple[np.ndarray, int]:
    """(final score of each game, turns played) by values of shape (open boxes, upper total, bonus); the streams are
    moved on."""
    sets = [kept for count in range(rules.dice + 1) for kept, _ in multisets(rules.sides, count)]
    number = {kept: k for k, kept in enumerate(sets)}
    more = [[number.get(tuple(sorted((*kept, face + 1))), -1) for face in range(rules.sides)] for kept in sets]
    fair, size = dice([[1] * rules.sides]), np.array([*map(len, sets)])
    games = len(streams)
    opened, upper, bonus = np.full(games, rules.fresh.open), np.zeros(games, np.int64), np.zeros(games, np.int64)
    points = np.zeros(games)
    for _ in rules.boxes:
        order = np.lexsort((bonus, upper, opened))
        _play(turn, values, fair, np.array(more), size, order, opened, upper, bonus, points, streams)
    return points, games * len(rules.boxes)


@kernel(_nrt=True)
def _play(turn, values, fair: Dice, more, size, order, opened, upper, bonus, points, streams):
    """One turn of each game; those with the same card follow one another in `order`."""
    throws, sets, begin = len(turn.of) - 1, len(more), 0
    while begin < len(order):
        free, end, cards = opened[order[begin]], begin, 0
        column = np.empty(len(order) - begin, np.int64)
        first = np.empty(len(order) - begin, np.int64)
        while end < len(order) and opened[order[end]] == free:
            game, other = order[end], order[end - 1]
            if end == begin or upper[game] != upper[other] or bonus[game] != bonus[other]:
                first[cards] = game
                cards += 1
            column[end - begin] = cards - 1
            end += 1
        of = first[:cards]
        by_entry = entry_worths(turn, free, upper[of], bonus[of], values)
        rated = rated_keeps(turn, by_entry)
        for place in range(begin, end):
            game, card, kept = order[place], column[place - begin], 0
            thrown = 0
            for left in range(turn.rolls - 1, -1, -1):
                for _ in range(size[kept], size[sets - 1]):
                    kept = more[kept, throw(fair, 0, streams, game)]
                thrown = kept - (sets - throws)
                if left:
                    mine = turn.kept[turn.under[thrown] : turn.under[thrown + 1]]
                    kept = mine[rated[left, :, card][mine].argmax()]
            ways = turn.ways[turn.of[thrown] : turn.of[thrown + 1]]
            gained, then = used(turn, ways[by_entry[:, card][ways].argmax()], free, upper[game], bonus[game])
            points[game] += gained
            opened[game], upper[game], bonus[game] = then
        begin = end
