"""Rules of games of hidden information, stated a second time from the printed rules and without dicebase.

Each function is named after a game, takes the parameters of a variant and returns `Plain` rules, which
tests/reference/hidden.py solves. Observations and actions are those of the table, so that its strategies can be played.
"""

from collections import Counter
from functools import cache
from itertools import permutations, product


class Plain:
    """Play begins with the deal of all cards or dice; `deals` is {deal: weight}. `turn(deal, *actions so far)` returns
    (player who acts, what this player has seen, possible actions), or the payoff to player 1 at the end.
    """

    def __init__(self, deals, turn):
        self.deals, self.turn = deals, cache(turn)

    def start(self):
        return ()

    def outcomes(self, place):
        if not place:
            return [(weight, (deal,), 0, 1) for deal, weight in self.deals.items()]
        now = self.turn(*place)
        return [(1, place, 0, 1) if isinstance(now, tuple) else (1, None, now, 1)]

    def afterstate(self, state, action):
        return *state, action

    def mover(self, state):
        return self.turn(*state)[0]

    def observation(self, state, _):
        return self.turn(*state)[1]

    def actions(self, state):
        return self.turn(*state)[2]


KUHN = {"check check": 0, "check bet call": 1, "check bet fold": 0, "bet call": 1, "bet fold": 0}
RAISED = {"bet raise call": 2, "bet raise fold": 1, "check bet raise call": 2, "check bet raise fold": 1}
"""All rounds of betting, with the number of bets that the winner gains; player 1 begins."""


def poker(deck, bets, rounds):
    """Poker with antes of 1 and `bets`, the bet of each round; after the first round a card is turned up."""

    def turn(deal, *said):
        gain, rest = 1, said
        for card, bet in zip(("-", *deal[2:]), bets, strict=True):
            lines = [line for line in map(str.split, rounds) if (*line,)[: len(rest)] == rest[: len(line)]]
            done = next((line for line in lines if len(line) <= len(rest)), None)
            if not done:
                seen = deal[len(rest) % 2], card, ",".join(said) or "-"
                after = [*dict.fromkeys(line[len(rest)] for line in lines)]
                return 1 + len(rest) % 2, seen if len(bets) > 1 else seen[::2], after
            gain, rest = gain + bet * rounds[" ".join(done)], rest[len(done) :]
            if done[-1] == "fold":
                return -gain if len(done) % 2 else gain
        mine, theirs = ((card in deal[2:], "JQK".index(card)) for card in deal[:2])
        return gain * ((mine > theirs) - (mine < theirs))

    return Plain(Counter(permutations(deck, 1 + len(bets))), turn)


def kuhn_poker():
    return poker("JQK", (1,), KUHN)


def leduc_poker():
    return poker("JJQQKK", (2, 4), KUHN | RAISED)


def liars_dice(faces, first, second, wild):
    bids = [f"{count}x{face}" for count in range(1, first + second + 1) for face in range(1, faces + 1)]
    joker = {"none": None, "ones": 1, "top": faces}[wild]

    def turn(deal, *said):
        player = len(said) % 2
        if said[-1:] != ("call",):
            higher = ["call", *bids[bids.index(said[-1]) + 1 :]] if said else bids
            return 1 + player, ("".join(map(str, deal[player])), ",".join(said) or "-"), higher
        count, face = map(int, said[-2].split("x"))
        holds = sum(die in (face, joker) for dice in deal for die in dice) >= count
        return 1 if holds == (player == 0) else -1  # the player who did not call has made the bid

    thrown = product(range(1, faces + 1), repeat=first + second)
    return Plain(Counter((tuple(sorted(x[:first])), tuple(sorted(x[first:]))) for x in thrown), turn)


def goofspiel(cards):
    def turn(prizes, *played):
        mine, theirs = played[::2], played[1::2]
        if len(theirs) == cards:
            return sum(p if a > b else -p if a < b else 0 for p, a, b in zip(prizes, mine, theirs, strict=True))
        own, other = (mine, theirs) if len(mine) == len(theirs) else (theirs, mine)
        history = ",".join(f"{p}{a}{b}" for p, a, b in zip(prizes, own, other[: len(own)], strict=False)) or "-"
        left = [str(card) for card in range(1, cards + 1) if str(card) not in own]
        return 1 + len(played) % 2, (prizes[len(theirs)], history), left

    return Plain(Counter(permutations(range(1, cards + 1))), turn)
