"""Play games on score sheets: throw the dice one by one, and keep and fill what the published values rate best.

Games advance together, one turn at a time; those with the same open boxes are rated together.
"""

import numpy as np

from dicebase.certify.play.chance import Dice, dice, throw
from dicebase.certify.sheets.turn import Turn, entry_worths, rated_keeps, used
from dicebase.vocabulary import Sheet, multisets
from dicebase.vocabulary.kernels import kernel


def scores(rules: Sheet, turn: Turn, values: np.ndarray, streams: np.ndarray) -> tuple[np.ndarray, int]:
    """Return final scores and the number of turns; values : (open boxes, upper total, bonus). Advances the streams."""
    sets = [kept for count in range(rules.dice + 1) for kept, _ in multisets(rules.sides, count)]
    number = {kept: k for k, kept in enumerate(sets)}
    more = np.array([[number.get(tuple(sorted((*kept, f + 1))), -1) for f in range(rules.sides)] for kept in sets])
    fair = dice([[1] * rules.sides])
    games = np.zeros((len(streams), 4), np.int64)  # open boxes, upper total, bonus, points
    games[:, 0] = rules.fresh.open
    for _ in rules.boxes:
        for opened in np.unique(games[:, 0]):
            of = np.flatnonzero(games[:, 0] == opened)
            cards, card = np.unique(games[of, 1:3], axis=0, return_inverse=True)
            _play(turn, values, fair, more, of, card.ravel(), opened, cards.T.copy(), games, streams)
    return games[:, 3].astype(float), len(games) * len(rules.boxes)


@kernel(_nrt=True)
def _play(turn, values, fair: Dice, more, of, card, opened, cards, games, streams):
    """Play one turn of the games `of`, all with boxes `opened`; `card` (games,) is an index into `cards` (upper totals,
    bonuses). `more` (sets, sides) is the set of dice after one more die, or -1 if the set is complete."""
    upper, bonus = cards
    by_entry = entry_worths(turn, opened, upper, bonus, values)
    rated, first = rated_keeps(turn, by_entry), len(more) - len(turn.of) + 1
    for place in range(len(of)):
        game, c, kept = of[place], card[place], 0
        for left in range(turn.rolls - 1, -1, -1):
            while more[kept, 0] >= 0:
                kept = more[kept, throw(fair, 0, streams, game)]
            thrown = kept - first
            if left:
                mine = turn.kept[turn.under[thrown] : turn.under[thrown + 1]]
                kept = mine[rated[left, :, c][mine].argmax()]
        ways = turn.ways[turn.of[thrown] : turn.of[thrown + 1]]
        gained, then = used(turn, ways[by_entry[:, c][ways].argmax()], opened, upper[c], bonus[c])
        games[game, 0], games[game, 1], games[game, 2] = then
        games[game, 3] += gained
