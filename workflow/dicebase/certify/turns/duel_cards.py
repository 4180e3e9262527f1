"""Certify cards of a duel: recompute each card's cost from the rules, against optimal play and the best response.

Policy iteration finds the values of optimal play and of best responses; they are proved as in duel_matchups.py. That a
card is the best of its language rests on the solver's search. Here a card that is claimed to be the best is compared
with its neighbours, which differ by one step in one number.
"""

from collections.abc import Iterator

import numpy as np

from dicebase.certify.finding import EPSILON, Fail, Finding, unplayed
from dicebase.certify.pairs import Ends, along_play, enclosed, errors
from dicebase.certify.published import Published, check_keys
from dicebase.certify.turns.duel_matchups import TurnPolicies
from dicebase.certify.turns.duel_scores import best_play
from dicebase.matches.duels.duel_cards import DuelCards, Language
from dicebase.matches.duels.duel_matchups import BEST_RESPONSE, OPTIMAL
from dicebase.vocabulary import TIE

simulated = unplayed

STEPS, SMALL = 100, 1e-14  # most steps of policy iteration, and the improvement at which it stops
PROOF = "residuals of one turn of both policies, summed along play; the search for better cards is not repeated"


def check(listing: DuelCards, published: Published, fail: Fail) -> Finding:
    """Certify the cost and the worst case of every card."""
    check_keys(published, [(name,) for name in listing.languages], fail)
    word, formulas = listing.matchups({}).word, {}
    worst, least, proved, cards, policies = published.more
    for i, (name,) in enumerate(published.states):
        formula = policies[i].removeprefix(f"{word} ")
        numbers = listing.languages[name].read(formula)
        if policies[i] != f"{word} {formula}" or not numbers or cards[i] != listing.in_words(name, numbers):
            fail((name,), f"'{policies[i]}' is not a card of this language, or its words differ")
        if not least[i] <= published.values[i] or proved[i] != (least[i] >= published.values[i] - TIE):
            fail((name,), f"proved is {bool(proved[i])}, but no card costs less than {float(least[i])!r}")
        formulas[name] = formula
        if proved[i]:
            near = neighbours(listing.languages[name], numbers)
            formulas |= {f"{name}_{n}": text for n, text in enumerate(near)}
    own = TurnPolicies(listing.matchups(formulas), fail)
    V, turns, residual = best_play(own)
    enclosed(own.best_worth, V, 4 * EPSILON * turns, fail)
    optimal, bound = own.ends(OPTIMAL, V), 0.0
    for i, (name,) in enumerate(published.states):
        card = own.ends(name, None)
        for what, said, (loss, off) in (
            ("cost", published.values[i], loss_of(own, (name, OPTIMAL), (card, optimal))),
            ("worst_case", worst[i], against_best(own, name, card, V)),
        ):
            if not abs(said - loss) <= off + 4 * EPSILON:
                fail((name,), f"{what} is {float(said)!r}, recomputed it is {loss!r}")
            bound = max(bound, off + 4 * EPSILON)
        for near in (n for n in formulas if n.startswith(f"{name}_")):
            loss, off = loss_of(own, (near, OPTIMAL), (own.ends(near, None), optimal))
            if loss + off + TIE < published.values[i]:
                fail((name,), f"the card is not the best: '{formulas[near]}' costs {loss!r}")
    return Finding(float(published.values.min()), bound, bound, residual, PROOF, actions=0)


def neighbours(language: Language, numbers: dict[str, int]) -> Iterator[str]:
    """Yield the formulas of cards that differ by one step in one number."""
    for name, (low, high, by) in language.numbers.items():
        for number in (numbers[name] - by, numbers[name] + by):
            if low <= number <= high:
                yield language.filled(numbers | {name: number})


def loss_of(own: TurnPolicies, names: tuple[str, str], played: tuple[Ends, Ends]) -> tuple[float, float]:
    """Return 1 minus twice the first policy's mean probability of winning, and a bound on the error."""
    X, Y = values_of(own, played)
    _, off, off2 = errors(own, names, played, (X, Y))
    return float(Y[0, 0] - X[0, 0]), off + off2


def values_of(own: TurnPolicies, played: tuple[Ends, Ends]) -> tuple[np.ndarray, np.ndarray]:
    """Return the winning probabilities of both policies on the move, by (mover's total, other's)."""
    shape = own.size, own.size
    wins = np.broadcast_to(played[0].ends[:, :, -1], shape).copy()
    X, Z = along_play(*played, wins, np.zeros(shape), EPSILON, own.fail)
    return X, 1.0 - Z


def against_best(own: TurnPolicies, name: str, card: Ends, V: np.ndarray) -> tuple[float, float]:
    """Return the loss of a card to the best response, found by policy iteration from values V, and its error bound."""
    best, last = own.best(V), -np.inf
    for _ in range(STEPS):
        X, Y = values_of(own, (best, card))
        if not X[0, 0] > last + SMALL:
            break
        best, last = own.best(Y), X[0, 0]
    loss, off = loss_of(own, (BEST_RESPONSE, name), (best, card))
    return -loss, off
