"""The plays of Leduc poker, by rules written apart: six cards, antes of 1, bets of 2 and then 4, one raise a round."""

from itertools import permutations

# k checks, b bets, r raises, c calls and f folds; players alternate, and player 1 begins each round.
LINES = ("kk", "kbc", "kbf", "kbrc", "kbrf", "bc", "bf", "brc", "brf")


def plays():
    """All plays, see plays.py."""
    for mine, theirs, board in permutations("JJQQKK", 3):
        for one in LINES:
            if one[-1] == "f":
                yield _play((mine, theirs), [("", one, 2)], 0)
                continue
            for two in LINES:
                strength = [(card == board, "JQK".index(card)) for card in (mine, theirs)]
                won = (strength[0] > strength[1]) - (strength[0] < strength[1])
                yield _play((mine, theirs), [("", one, 2), (board, two, 4)], won)


def _play(cards, rounds, won):
    sequences, paid, said = ([], []), [1, 1], ""
    for board, line, bet in rounds:
        start = max(paid)
        for turn, act in enumerate(line):
            player = turn % 2
            sequences[player].append(((cards[player], board, said), act))
            paid[player] = {"b": start + bet, "r": start + 2 * bet, "c": max(paid)}.get(act, paid[player])
            said += act
    if said[-1] == "f":
        won = 1 if player == 1 else -1
    return 1 / 120, *map(tuple, sequences), won * min(paid)
