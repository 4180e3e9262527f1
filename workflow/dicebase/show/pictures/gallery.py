"""What is drawn: a question, its SQL, and the kind of picture that answers it."""

from collections.abc import Mapping
from dataclasses import dataclass
from textwrap import dedent, indent
from typing import Any


@dataclass(frozen=True)
class Picture:
    """A picture by its query; `needs` are the variants it shows, as {table, parameters}."""

    name: str
    title: str
    caption: str
    needs: tuple[Mapping[str, Any], ...]
    sql: str
    kind: str  # a function of kinds.py
    options: Mapping[str, Any]

    @property
    def query(self) -> str:
        """The SQL, one statement."""
        return dedent(self.sql).strip()

    @property
    def caption_text(self) -> str:
        """The caption with the SQL below it, as reStructuredText."""
        return f"{self.caption}\n\n.. code-block:: sql\n\n{indent(self.query, '    ')}\n"


PIG = {"table": "pig_duel", "sides": 6, "dice": 1, "target": 100}
TEN = {"table": "ten_thousand_duel", "rules": "crocce_mordecki", "target": 10_000}
ME, OPPONENT = ("me", "mover's points"), ("opponent", "opponent's points")
HOG = {"table": "hog_simultaneous", "target": 100, "max_dice": 10, "on_one": "nothing"}
BOCKER = {"distribution": "3d6", "slots": 10}

PICTURES = (
    Picture(
        "roll_on",
        "Where to roll on",
        "The least turn total at which to bank, by both players' points at the start of the turn: Pig to 100 points, "
        "and Ten Thousand with three and with two dice left. Who is far behind rolls for more.",
        (PIG, TEN),
        """
        SELECT 'Pig to 100' AS game, me, opponent, min(turn_total) FILTER (action <> 'roll') AS bank_at
        FROM pig_duel WHERE sides = 6 AND dice = 1 AND target = 100 GROUP BY me, opponent
        UNION ALL
        SELECT 'Ten Thousand, ' || dice || ' dice left', me, opponent, min(turn_total) FILTER (action <> 'roll')
        FROM ten_thousand_duel WHERE rules = 'crocce_mordecki' AND target = 10000 AND dice IN (2, 3)
        GROUP BY dice, me, opponent
        ORDER BY game = 'Pig to 100' DESC, game DESC, me, opponent
        """,
        "heat_map",
        {
            "x": ME,
            "y": OPPONENT,
            "colour": ("bank_at", "least turn total at which to bank"),
            "panel": "game",
            "nothing": "roll until the match is won",
            "most": 95,
        },
    ),
    Picture(
        "winning",
        "Who wins at Pig",
        "The mover's probability to win Pig to 100 points, at the start of his turn.",
        (PIG,),
        """
        SELECT me, opponent, value AS wins FROM pig_duel
        WHERE sides = 6 AND dice = 1 AND target = 100 AND turn_total = 0
        """,
        "heat_map",
        {"x": ME, "y": OPPONENT, "colour": ("wins", "probability that the mover wins")},
    ),
    Picture(
        "bank_at_by_dice",
        "Ten Thousand: when to bank, by dice left",
        "The least turn total at which to bank, by the mover's points, the opponent having 5,000: for one to four dice "
        "left to roll. With four dice one in six rolls is lost, and who is behind hardly ever banks.",
        (TEN,),
        """
        SELECT dice || CASE dice WHEN 1 THEN ' die' ELSE ' dice' END AS left_to_roll, me,
               min(turn_total) FILTER (action <> 'roll') AS bank_at
        FROM ten_thousand_duel
        WHERE rules = 'crocce_mordecki' AND target = 10000 AND opponent = 5000 AND dice <= 4
        GROUP BY dice, me ORDER BY dice, me
        """,
        "curves",
        {
            "x": ("me", "mover's points (opponent: 5,000)"),
            "y": ("bank_at", "least turn total at which to bank, points"),
            "line": "left_to_roll",
            "steps": True,
        },
    ),
    Picture(
        "multiples",
        "Forbidden multiples: what a turn is worth",
        "The expected points of a turn that loses on every multiple of N, in multiples of N, for dice of different "
        "sizes.",
        ({"table": "forbidden_multiple_turn", "sides": 6, "dice": 1, "multiple": 10},),
        """
        SELECT sides || ' sides' AS die, CAST(parameters->>'multiple' AS INTEGER) AS multiple,
               value / multiple AS worth
        FROM (SELECT *, CAST(parameters->>'sides' AS INTEGER) AS sides FROM tables
              WHERE name = 'forbidden_multiple_turn' AND parameters->>'dice' = '1')
        ORDER BY sides DESC, multiple
        """,
        "curves",
        {
            "x": ("multiple", "the forbidden multiple N"),
            "y": ("worth", "expected points of a turn / N"),
            "line": "die",
            "points": True,
        },
    ),
    Picture(
        "forbidden_ten",
        "Forbidden multiple 10: is another roll right?",
        "What another roll gains over stopping, by the total, when every multiple of 10 loses all: above 0 one rolls. "
        "From a total that ends in 1, 2 or 3 no roll can lose; from one that ends in 4 to 9 one roll in six does.",
        ({"table": "forbidden_multiple_turn", "sides": 6, "dice": 1, "multiple": 10},),
        """
        SELECT CASE WHEN total % 10 < 4 THEN 'ends in 1, 2, 3' ELSE 'ends in ' || total % 10 END AS ends_in, total,
               max(q_value) FILTER (action = 'roll') - max(q_value) FILTER (action = 'stop') AS gain
        FROM forbidden_multiple_turn_actions
        WHERE multiple = 10 AND sides = 6 AND dice = 1 AND total > 0 GROUP BY total ORDER BY ends_in, total
        """,
        "curves",
        {
            "x": ("total", "total, points"),
            "y": ("gain", "value of rolling less value of stopping, points"),
            "line": "ends_in",
            "points": True,
            "level": 0.0,
        },
    ),
    Picture(
        "ten_times_eighteen_scores",
        "Ten Times Eighteen: the score under three strategies",
        "The exact distribution of the score with three dice and ten slots: slots at random, best play, and who knows "
        "all rolls beforehand (Figure 2 of Böcker 2015, there from simulation).",
        ({"table": "ten_times_eighteen_distribution", **BOCKER},),
        """
        SELECT strategy, score, probability FROM ten_times_eighteen_distribution
        WHERE distribution = '3d6' AND slots = 10 AND multipliers = '1..n' ORDER BY strategy, score
        """,
        "curves",
        {"x": ("score", "score, points"), "y": ("probability", "probability"), "line": "strategy"},
    ),
    Picture(
        "hog_dice",
        "Hog: how many dice to throw",
        "The number of dice to throw in Hog to 100 points, up to ten dice: players in turn, and both at once, where "
        "the most likely number of the optimal mix is shown.",
        (HOG, {"table": "hog_duel", "target": 100, "max_dice": 10, "on_one": "nothing"}),
        """
        SELECT 'in turn' AS match, me, opponent, CAST(action AS INTEGER) AS dice FROM hog_duel
        WHERE target = 100 AND max_dice = 10 AND on_one = 'nothing' AND sides = 6
        UNION ALL
        SELECT 'both at once', me, opponent, CAST(arg_max(action, probability) AS INTEGER) FROM hog_simultaneous_actions
        WHERE target = 100 AND max_dice = 10 AND on_one = 'nothing' AND sides = 6 GROUP BY me, opponent
        ORDER BY match = 'in turn' DESC, me, opponent
        """,
        "choices",
        {"x": ME, "y": OPPONENT, "colour": ("dice", "dice"), "panel": "match"},
    ),
    Picture(
        "hog_mixes",
        "Hog: mixing near the end",
        "How often each number of dice is thrown in Hog to 100 points when both choose at once, near the end: with "
        "equal points, five ahead and five behind.",
        (HOG,),
        """
        SELECT CASE opponent - me WHEN 0 THEN 'equal points' WHEN 5 THEN '5 points behind' ELSE '5 points ahead' END
               AS standing, me, CAST(action AS INTEGER) AS dice, probability
        FROM hog_simultaneous_actions
        WHERE target = 100 AND max_dice = 10 AND on_one = 'nothing' AND sides = 6 AND probability > 0
              AND opponent - me IN (0, 5, -5) AND me >= 70
        ORDER BY abs(opponent - me), opponent - me, me, dice
        """,
        "mixes",
        {"x": ("me", "mover's points"), "choice": ("dice", "dice"), "panel": "standing"},
    ),
    Picture(
        "hog_table_5",
        "Hog: Table 5 of Tijms and van der Wal",
        "The optimal mix of player 1 for every standing in the last 13 points, up to five dice, both choosing at once: "
        "Table 5 of Tijms and van der Wal (2005) as a picture. A cell is filled by the numbers of dice as often as "
        "they are thrown, the fewest at the top; a number is written where it is thrown at least one time in five.",
        (HOG | {"max_dice": 5},),
        """
        SELECT target - me AS mine, target - opponent AS others, CAST(action AS INTEGER) AS dice, probability
        FROM hog_simultaneous_actions
        WHERE target = 100 AND max_dice = 5 AND on_one = 'nothing' AND sides = 6 AND probability > 0
              AND target - me <= 13 AND target - opponent <= 13
        ORDER BY mine DESC, others DESC, dice
        """,
        "mix_map",
        {
            "x": ("others", "player 2's points (target: G)"),
            "y": ("mine", "player 1's points (target: G)"),
            "choice": ("dice", "dice"),
            "away": "G",
        },
    ),
    Picture(
        "regret_of_holding",
        "Pig: what it costs to hold at 20",
        "What holding at a turn total of 20 gives up in winning probability, by both players' points at the start of "
        "the turn: nothing where best play holds, too, and most where the opponent is about to win.",
        (PIG,),
        """
        SELECT me, opponent, CASE WHEN action = 'roll' THEN margin ELSE 0 END AS regret FROM pig_duel
        WHERE sides = 6 AND dice = 1 AND target = 100 AND turn_total = 20
        """,
        "heat_map",
        {
            "x": ME,
            "y": OPPONENT,
            "colour": ("regret", "winning probability given up by holding at 20"),
            "most": 92,
        },
    ),
    Picture(
        "first_mover",
        "What it is worth to begin",
        "The first mover's advantage in winning probability, 2 P - 1, by the length of the match in turns: Pig and Ten "
        "Thousand by target.",
        (PIG, TEN),
        """
        SELECT CASE name WHEN 'pig_duel' THEN 'Pig' ELSE 'Ten Thousand' END AS game,
               CAST(parameters->>'target' AS INTEGER) / CASE name WHEN 'pig_duel' THEN 1 ELSE 100 END AS target,
               2 * value - 1 AS advantage
        FROM tables
        WHERE name IN ('pig_duel', 'ten_thousand_duel') AND coalesce(parameters->>'sides', '6') = '6'
              AND coalesce(parameters->>'dice', '1') = '1'
        ORDER BY game, target
        """,
        "curves",
        {
            "x": ("target", "target: points of Pig, hundreds of points of Ten Thousand"),
            "y": ("advantage", "P(first wins) - P(second wins)"),
            "line": "game",
            "points": True,
        },
    ),
)
