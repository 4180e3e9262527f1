"""The vocabulary of rules and tables: everything a rules file imports. It is pure Python and quick to import; modules
that need Numba (simd.py, kernels.py) or print (progress.py) are not included and have to be imported by name."""

from dicebase.vocabulary.arithmetic.ranking import LEAST_REGRET, TIE, Ranked, rank, rank_mix, rank_two, tie_of
from dicebase.vocabulary.arithmetic.rationals import (
    over_one_denominator,
    rational_text,
    read_rational,
    solve_sparse,
    weighted_mean,
)
from dicebase.vocabulary.contracts.authors import answered, in_one_line, refuse_to_exit
from dicebase.vocabulary.contracts.conditions import check_choice, check_line, check_whole, need
from dicebase.vocabulary.contracts.contract import check_again, check_class, check_columns, check_made, check_rules
from dicebase.vocabulary.dice_and_cards.cards import RANKS, SUITS, draw_cards, read_cards, write_cards
from dicebase.vocabulary.dice_and_cards.combinations import OTHERS, PATTERN, called, parts, scores
from dicebase.vocabulary.dice_and_cards.dice import Lattice, as_roll, convolve, lattice, multisets, sums
from dicebase.vocabulary.drawings import Cards, Dice, Drawing, Pieces, Piles, Scale, Squares, Tiles
from dicebase.vocabulary.errors import (
    NO_PLAY,
    ConfigurationError,
    DamagedFileError,
    DicebaseError,
    InfiniteValueError,
    LimitError,
    MissingStateError,
    MissingTableError,
    QueryError,
    RefusedError,
    TimeLimitError,
    nearest,
    nearest_table,
    shown,
    similar,
)
from dicebase.vocabulary.formula import formula
from dicebase.vocabulary.game import Controller, Game, Outcome
from dicebase.vocabulary.listing import (
    MANY_ROWS,
    ROWS,
    STARTS,
    AnsweredBy,
    Column,
    Layout,
    Line,
    Listing,
    State,
    value_column,
)
from dicebase.vocabulary.parameters import Definition, Parameter, parameter, parameters_of
from dicebase.vocabulary.rules.boards import (
    Board,
    CompiledBoard,
    LayeredBoard,
    Objective,
    PositionRules,
    afterstate_by_action,
)
from dicebase.vocabulary.rules.chance import After
from dicebase.vocabulary.rules.dealer import (
    DOUBLE,
    HIT,
    KINDS,
    PLAYS,
    SPLIT,
    STAND,
    SURRENDER,
    DealerGame,
    Hand,
    Points,
    dealer_draws,
)
from dicebase.vocabulary.rules.draws import HAND, HOLDS, NOTHING, Draw
from dicebase.vocabulary.rules.hidden import Hidden
from dicebase.vocabulary.rules.rulebook import Throw
from dicebase.vocabulary.rules.sheets import Card, Entry, MultiplierScorecard, Scorecard, Sheet
from dicebase.vocabulary.rules.turns import (
    BOUNCE,
    BUST,
    WINS,
    Class,
    Continuation,
    Loss,
    Option,
    RepeatedTurn,
    Roll,
    Turn,
    merged,
)
from dicebase.vocabulary.words import Json, bound, in_lines, number, once, pairs, some, words
