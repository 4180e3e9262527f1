"""S. Böcker, Ten Times Eighteen (2015): Tables 1 to 7. Plain points."""

from collections.abc import Iterator

from dicebase.audit.catalogue import Catalogue, Place, Variant, View
from dicebase.audit.record import Cell, Ours, read
from dicebase.games.ten_times_eighteen import Rules
from dicebase.vocabulary.parameters import Definition

SOURCE = "Böcker (2015)"
# Section 9: two dice of twelve sides, on which a 12 is twice as likely as any other face.
DIE = {"dice": 2, "faces": {str(face): 1 + (face == 12) for face in range(1, 13)}}
FAIR, LOADED = Rules(), Rules(Definition("two_loaded_d12", {"dice": 2, "faces": DIE["faces"]}), 5)
FREE = (1 << FAIR.slots) - 1
"""All slots are free."""


def variant(objective: str, rules: Rules) -> Variant:
    """A table of one of the two games of the paper."""
    parameters = {"distribution": str(rules.distribution), "slots": rules.slots}
    if objective != "rank":
        parameters["multipliers"] = "1..n"
    definitions = {"distribution": DIE} if rules is LOADED else {}
    return Variant(f"ten_times_eighteen_{objective}", parameters, definitions)


SCORE, RANK, SCORES = (variant(objective, FAIR) for objective in ("score", "rank", "distribution"))
LOADED_RANK, LOADED_SCORES = (variant(objective, LOADED) for objective in ("rank", "distribution"))


def decisions(catalogue: Catalogue) -> View:
    """What each first roll is best used for."""
    return catalogue.view(SCORE, "free roll_total")


def distribution(file: str, rules: Rules) -> Iterator[Cell]:
    for row in read(file):
        ours = Ours(rules.weights[int(row["roll"])], "dicebase.games.ten_times_eighteen.Rules.weights")
        yield Cell(f"roll {row['roll']}", row["count"], ours)


def table_1(catalogue: Catalogue) -> Iterator[Cell]:
    return distribution("bocker_table1", FAIR)


def table_2(catalogue: Catalogue) -> Iterator[Cell]:
    """What is expected of nine rolls: what the first of ten is worth in a slot, without the score of that slot."""
    view = catalogue.view(SCORE, "roll_total action", "_actions", free=FREE)
    roll = min(FAIR.weights)
    for row in read("bocker_table2"):
        slot = int(row["slot"])
        worth = view.get("q_value", roll, row["slot"]) - slot * roll
        question = view.question(f"q_value - {slot * roll}", roll, row["slot"])
        yield Cell(f"slot {slot} taken", row["value"], Ours(worth, question, view.bound))


def table_3(catalogue: Catalogue) -> Iterator[Cell]:
    best = catalogue.view(SCORE, "roll_total", "_actions", free=FREE)
    for row in read("bocker_table3"):
        roll = int(row["roll"])
        yield Cell(f"roll {roll}, slot", row["slot"], best.best(roll))
        yield Cell(f"roll {roll}, value", row["expected_score"], decisions(catalogue).value(FREE, roll))


def expected_ranks(file: str, view: View) -> Iterator[Cell]:
    for row in read(file):
        yield Cell(f"E_{row['j']}[{row['i']}]", row["value"], view.value(int(row["j"]), int(row["i"])))


def table_4(catalogue: Catalogue) -> Iterator[Cell]:
    # One row of expected ranks serves every number of slots up to its own.
    return expected_ranks("bocker_table4", catalogue.view(RANK, "free_slots rank"))


def table_5(catalogue: Catalogue) -> Iterator[Cell]:
    view = catalogue.view(SCORES, "strategy", "_summary")
    computed = {"minimum": view.chosen("least", "random"), "maximum": view.chosen("greatest", "random")}
    for (strategy,) in view.rows:
        computed[f"expected_{strategy}"] = mean(view, strategy)
        computed[f"median_{strategy}"] = view.chosen("median", strategy)
    for row in read("bocker_table5"):
        yield Cell(row["name"], row["printed"], computed[row["name"]])


def mean(view: View, strategy: str) -> Ours:
    """The mean score. The certificate bounds each probability, and a mean is a sum of scores times probabilities."""
    least, greatest = (view.get(column, strategy) for column in ("least", "greatest"))
    ours = view.value(strategy, column="mean")
    return ours._replace(bound=view.bound * greatest * (greatest - least + 1))


def table_6(catalogue: Catalogue) -> Iterator[Cell]:
    return distribution("bocker_table6", LOADED)


def table_7(catalogue: Catalogue) -> Iterator[Cell]:
    return expected_ranks("bocker_table7", catalogue.view(LOADED_RANK, "free_slots rank"))


PLACES = (
    Place(SOURCE, "Table 1, probabilities of three dice", table_1, (SCORE,)),
    Place(SOURCE, "Table 2, expected score with one slot taken", table_2, (SCORE,)),
    Place(SOURCE, "Table 3, first moves and their values", table_3, (SCORE,)),
    Place(SOURCE, "Table 4, expected rolls, three dice", table_4, (RANK,)),
    Place(SOURCE, "Table 5, least, greatest, mean and median scores", table_5, (SCORES,)),
    Place(SOURCE, "Table 6, probabilities of the loaded dice", table_6, (LOADED_RANK,)),
    Place(SOURCE, "Table 7, expected rolls, loaded dice", table_7, (LOADED_RANK,)),
)
