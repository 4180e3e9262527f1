"""Reference solution of solitaire Ten Thousand, written from the paper alone.

Crocce and Mordecki, "A finite exact algorithm to solve a dice game" (arXiv:1405.7488).
Everything is counted in chips of 50 points and kept in exact fractions.  A configuration
i = [f, o, t] is the tuple (f, o, t) of section 2.1; a state (tau, i, n) is the triple of
section 3.1.  Clarity is preferred to speed throughout.
"""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product

DICE = 5
TAU_STAR = 56
"""The critical threshold of equation (6) in chips; the cut-off of the solver must equal it."""

LABELS = ("0", "5", "1", "55", "51")
"""The set of labels of the appendix."""

MOVES = ("m5", "m1", "m55", "m51", "m11", "m551", "m511", *(f"m_t{k}" for k in range(1, 7)))
"""The thirteen moves of Table 3; with s and r they are the paper's fifteen actions."""


def configuration(roll):
    """The configuration [f, o, t] of an ordered roll (section 2.1)."""
    faces = Counter(roll)
    terns = [t for t in (2, 3, 4, 6) if faces[t] >= 3]
    return faces[5], faces[1], terns[0] if terns else 0


def s(i):
    """Score of a configuration in chips (section 2.1)."""
    f, o, t = i
    return f + 2 * o + (14 if o >= 3 else 0) + (7 if f >= 3 else 0) + 2 * t


def d(i):
    """Number of scoring dice of a configuration (section 2.1)."""
    f, o, t = i
    return f + o + (3 if t else 0)


def c(i):
    """Number of scoring combinations of a configuration (section 2.1)."""
    f, o, t = i
    return f + o + (1 if t else 0)


@cache
def frequencies(n):
    """f(n, i) of Table 5: ordered rolls of n dice by configuration, (0, 0, 0) included."""
    return dict(Counter(configuration(roll) for roll in product(range(1, 7), repeat=n)))


@cache
def scoring(n):
    """I(n) of section 4: the scoring configurations obtainable with n dice, sorted."""
    return tuple(sorted(i for i in frequencies(n) if d(i) > 0))


@cache
def smaller(i):
    """Every j with j < i in the sense of Definition 2.1."""
    f, o, t = i
    parts = product(range(f + 1), range(o + 1), {0, t})
    return tuple(sorted(j for j in parts if j != i and c(j) > 0))


def move_name(i, j):
    """The name in Table 3 of the move from i to j, after the dice resigned.

    The name is unique: a move needs d(i) <= 4 and leaves at least one scoring die, so at
    most three dice are resigned and a tern is never resigned together with other dice.
    """
    f, o, t = (a - b for a, b in zip(i, j, strict=True))
    if t:
        name = f"m_t{t}"
    elif f == 3:
        name = "m_t5"
    elif o == 3:
        name = "m_t1"
    else:
        name = "m" + "5" * f + "1" * o
    if name not in MOVES:
        raise ValueError(f"the move from {i} to {j} is not in Table 3")
    return name


def expectation(n, value):
    """Equation (4) with value(k, n') giving V(tau + s(k), k, n') for the configuration k."""
    total = Fraction(0)
    for k in scoring(n):
        left = n - d(k)
        total += frequencies(n)[k] * value(k, left if left else DICE)
    return total / 6**n


def algorithm_4_2():
    """Algorithm 4.2 as printed: returns (V, A, value of the game).

    V and A are dictionaries on states (tau, i, n) with 0 <= tau <= 55, holding a Fraction
    and 's', 'r' or the name of a move.  Like the printed loops they also cover states no
    play can reach, such as tau < s(i); those never influence a reachable state.
    """
    V, A = {}, {}

    def at(tau, i, n):
        # Printed in the notes: "considering V(tau, i, n) = tau for tau >= 56".
        return Fraction(tau) if tau >= TAU_STAR else V[tau, i, n]

    def V_r(tau, n):
        return expectation(n, lambda k, left: at(tau + s(k), k, left))

    for tau in range(TAU_STAR - 1, -1, -1):  # line 1
        # Line 3 prints V_r inside the loop on i of line 2; it does not depend on i.
        aux = V_r(tau, DICE)
        for i in scoring(DICE):  # line 2
            V[tau, i, DICE], A[tau, i, DICE] = aux, "r"  # line 3
        for n in range(4, 0, -1):  # line 4
            aux = V_r(tau, n)  # line 5
            for i in scoring(DICE - n):  # line 6
                if aux <= tau:  # line 7
                    V[tau, i, n], A[tau, i, n] = Fraction(tau), "s"  # line 8
                else:  # line 9
                    V[tau, i, n], A[tau, i, n] = aux, "r"  # line 10
                    # Line 11, I(i, n) = {j : i < j, d(j) < d(i) + n}: here j is the larger
                    # configuration, the one the move starts from.  In (3*) and in section
                    # 3.2 it is the letter of the destination.
                    for j in scoring(DICE):
                        if i not in smaller(j) or d(j) >= d(i) + n:
                            continue
                        source = (tau - s(i) + s(j), j, n - d(j) + d(i))
                        # Lines 12 and 13.  The source has a larger account, hence was set
                        # in an earlier pass, and no later pass resets it.  Line 13 prints
                        # "m_to" without the destination, which can only be i.
                        if at(*source) < aux:
                            V[source], A[source] = aux, move_name(j, i)
    return V, A, V[0, (1, 0, 0), DICE]


def label(i, n):
    """The label under which the appendix stores V(tau, i, n).

    The notes list five configurations for the labels 5, 1, 55 and 51 without a word on n.
    With n = 5 no move exists, (E_0) holds for every i, and the label has to be 0.
    """
    named = {(2, 0, 0): "5", (1, 1, 0): "5", (0, 2, 0): "1", (2, 1, 0): "55", (1, 2, 0): "51"}
    return "0" if n == DICE else named.get(i, "0")


def grouped_algorithm(labels=LABELS):
    """The appendix's more efficient algorithm: returns (V, A, value of the game).

    V and A are dictionaries on (label, tau, n).  With fewer labels the equations of the
    others are dropped and their configurations fall back to (E_0), which is one way to
    read the restricted games of Table 4; `restricted_value` has the reading that reproduces it.
    """
    V, A = {}, {}

    def at(lab, tau, n):
        return Fraction(tau) if tau >= TAU_STAR else V[lab if lab in labels else "0", tau, n]

    def V_r(tau, n):
        return expectation(n, lambda k, left: at(label(k, left), tau + s(k), left))

    def improve(lab, tau, n, aux, action):
        if lab in labels and at(lab, tau, n) < aux:
            V[lab, tau, n], A[lab, tau, n] = aux, action

    for tau in range(TAU_STAR - 1, -1, -1):  # line 1
        V["0", tau, DICE], A["0", tau, DICE] = V_r(tau, DICE), "r"  # line 2
        for n in range(4, 0, -1):  # line 3
            aux = V_r(tau, n)  # line 4
            for lab in labels:  # line 5
                if aux <= tau:  # line 6
                    V[lab, tau, n], A[lab, tau, n] = Fraction(tau), "s"  # line 7
                else:  # line 8
                    V[lab, tau, n], A[lab, tau, n] = aux, "r"  # line 9
            # Lines 10-21 do not mention the label of line 5, so once per n is enough; when
            # aux <= tau every comparison fails, as its left side is then above aux.
            if n >= 2:
                improve("5", tau + 1, n - 1, aux, "m5")  # lines 10-11
                improve("1", tau + 2, n - 1, aux, "m1")  # lines 12-13
            # Lines 15 and 19 print m_55 and m_51 for what (E'_55) and (E'_51) show to be the
            # resignation of a single five; the name m5 is kept here, the value is the same.
            if 3 >= n >= 2:
                improve("55", tau + 1, n - 1, aux, "m5")  # lines 14-15
            if n >= 3:
                improve("55", tau + 2, n - 2, aux, "m55")  # lines 16-17
            if 3 >= n >= 2:
                improve("51", tau + 1, n - 1, aux, "m5")  # lines 18-19
            if n >= 3:
                improve("51", tau + 3, n - 2, aux, "m51")  # lines 20-21
    return V, A, V["0", 0, DICE]


def restricted_value(moves, *, compose=False):
    """Value of the game of Table 4 in which only these moves are allowed besides s and r.

    `moves` is a collection of names from MOVES, or 'all'.  After a roll the player makes at
    most one move, from any configuration that holds the dice to resign (not only the exact
    configurations of the appendix), and then rolls: this is the reading that reproduces
    Table 4.  With compose=True moves may follow each other (Remark 3.1), so that m5 and m1
    alone already give the whole game.  Plain backward induction from (3*).
    """
    allowed = set(MOVES if moves == "all" else moves)
    if not allowed <= set(MOVES):
        raise ValueError(f"unknown moves: {sorted(allowed - set(MOVES))}")

    @cache
    def destinations(i):
        once = {j for j in smaller(i) if d(i) < DICE and move_name(i, j) in allowed}
        return once.union(*(destinations(j) for j in once)) if compose else once

    rolled = {}

    def keep(tau, n):
        return Fraction(tau) if tau >= TAU_STAR else max(Fraction(tau), rolled[tau, n])

    def V(tau, i, n):
        best = keep(tau, n)
        if n != DICE:
            for j in destinations(i):
                best = max(best, keep(tau - s(i) + s(j), n + d(i) - d(j)))
        return best

    for tau in range(TAU_STAR - 1, -1, -1):
        for n in range(1, DICE + 1):
            rolled[tau, n] = expectation(n, lambda k, left, t=tau: V(t + s(k), k, left))
    return rolled[0, DICE]
