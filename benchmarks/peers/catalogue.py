"""The solvers compared, the problems, and texts for the page. Importing this module imports none of the solvers."""

from typing import NamedTuple

PROBLEM_SIZES = {
    "pig_duel": (10, 20, 50, 75, 100, 150, 200, 300, 400),
    "hog_simultaneous": (2, 3, 5, 10, 20, 40, 80, 160, 320),
    "ten_times_eighteen": (6, 8, 10, 12, 14, 16, 18, 20, 22),
    "ten_thousand_turn": (2800, 5600, 28_000, 70_000, 280_000, 1_400_000, 7_000_000, 28_000_000),
    "cards_up": (6, 8, 10, 12),
}
TITLES = {
    "pig_duel": "Pig, a duel",
    "hog_simultaneous": "Hog, both at once",
    "ten_times_eighteen": "Ten Times Eighteen",
    "ten_thousand_turn": "A turn of Ten Thousand",
    "cards_up": "Cards Up",
}
UNITS = {  # for each problem, the units of its size and of its values
    "pig_duel": ("target, points", "P(win) - P(lose)"),
    "hog_simultaneous": ("target, points", "P(win) - P(lose)"),
    "ten_times_eighteen": ("slots", "points"),
    "ten_thousand_turn": ("last total, points", "chips of 50 points"),
    "cards_up": ("cards, two dice", "turns"),
}


class Peer(NamedTuple):
    """A solver. `module` is its adapter, `package` its distribution; `cannot` says what it cannot express."""

    name: str
    module: str
    package: str
    problems: tuple[str, ...]
    settings: str
    cannot: str
    product: bool = False  # whether it runs in dicebase's environment


ALONE = ("ten_times_eighteen", "ten_thousand_turn", "cards_up")
BY_TURNS = ("pig_duel", *ALONE)
ALL = tuple(PROBLEM_SIZES)

OURS = Peer("dicebase", "ours", "dicebase", ALL, "its own solvers, as its tables are made", "", product=True)
PEERS = (
    OURS,
    Peer(
        "dicebase, a board",
        "as_a_board",
        "dicebase",
        ("pig_duel",),
        "the solver of games that state their own positions, which is the only one there is of Cards Up",
        "both at once",
        product=True,
    ),
    Peer(
        "dicebase, rationals",
        "rationals",
        "dicebase",
        ("pig_duel", "ten_times_eighteen", "ten_thousand_turn"),
        "`solvers/reference.py`: strategy iteration and backward induction in rationals, any game by turns",
        "both at once, whose values are irrational",
        product=True,
    ),
    Peer(
        "NumPy",
        "with_numpy",
        "numpy",
        ALL,
        "arrays, written for each problem: value iteration by whole turns; a simplex method for all matrix games of "
        "a sum of points side by side; sets of slots by their number; one total after the other",
        "nothing, but each problem is a program of its own",
    ),
    Peer(
        "QuantEcon",
        "with_quantecon",
        "quantecon",
        ALL,
        "`DiscreteDP` on state-action pairs, its operator iterated; `minmax` for a matrix game",
        "two players, unless signs are hidden in the matrix of probabilities; its own methods need a discount below "
        "one or a horizon that is told; of simultaneous moves it solves one matrix game, the loop over states is ours",
    ),
    Peer(
        "mdptoolbox",
        "with_mdptoolbox",
        "pymdptoolbox",
        BY_TURNS,
        "`ValueIteration` with sparse matrices and a discount of one, its check of the matrices replaced",
        "two players, unless signs are hidden in the matrices and the check is switched off; actions that only some "
        "states have (they are padded); simultaneous moves",
    ),
    Peer(
        "MDPSolver",
        "with_mdpsolver",
        "mdpsolver",
        ("pig_duel", "ten_times_eighteen", "ten_thousand_turn"),
        "value iteration, Gauss-Seidel, one thread, a discount of 1 - 1e-15",
        "two players, unless signs are hidden among the probabilities; a discount of one; Cards Up, of "
        "which six cards had not come to an end after 100 seconds; simultaneous moves",
    ),
    Peer(
        "Storm",
        "with_stormpy",
        "stormpy",
        ALONE,
        "stormpy, sparse engine, sound topological method, precision 1e-12",
        "two players: stormpy builds a stochastic game, but asked for its value it answers None, for the example it "
        "comes with as well; simultaneous moves",
    ),
    Peer(
        "OpenSpiel",
        "with_openspiel",
        "open_spiel",
        ("pig_duel", "hog_simultaneous", "ten_thousand_turn"),
        "its value iteration in Python; Pig is the library's own, the other games are written in Python; its linear "
        "programs have a precision of 1e-7",
        "points on the way: value iteration looks at what a game pays at its end, so that a state would have to hold "
        "the score as well (Ten Times Eighteen)",
    ),
    Peer(
        "SciPy, HiGHS",
        "with_scipy",
        "scipy",
        ("hog_simultaneous", *ALONE),
        "`linprog`: one linear program for a problem of one player, by the interior-point method and crossover; one "
        "for every matrix game, by the dual simplex method",
        "two players who take turns: that is no linear program",
    ),
    Peer(
        "Gambit",
        "with_pygambit",
        "pygambit",
        ("hog_simultaneous",),
        "`lp_solve` in floating point for every matrix game",
        "games without an end: it solves one matrix game or one finite tree, the loop over states is ours",
    ),
)
