"""A card of policies/cards.py, or one that a search found, as a printed page."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from dicebase.show.pictures.page import Page, with_dice
from dicebase.show.text import card_costs
from dicebase.tables.names import find_table
from dicebase.vocabulary import Json

COMBINATION = re.compile(r"(?<!\w)[1-6]+(?= = )")
"""Dice in the lines of a definition."""


def draw(card: Json, path: Path) -> None:
    """Write a card made by policies.cards.make_card."""
    page = Page(": ".join([card["game"], *card["labels"].values()]))
    page.add("p", "; ".join(card["setting"]))
    (_of_throws if "throw" in card else _of_turns)(page, card)
    page.add("h2", "What this card costs")
    page.add("p", *given_up(card))
    _write(page, card["rules"], path)


def draw_found(answer: Json, path: Path) -> None:
    """Write the cheapest card that pipeline.simplify found; see there, and Table.told."""
    title, _, about = find_table(answer["table"]).title.partition(": ")
    card, page = answer["cards"][0], Page(": ".join([title, *answer["labels"].values()]))
    page.add("p", about, "; ".join(answer["setting"]))
    page.add("h2", "What to do")
    # A policy of several lines is a list; its parts are paragraphs.
    page.add("strong", *(re.split("(?<=:) |; ", card["card"]) if "; " in card["policy"] else [card["card"]]))
    page.add("h2", "What this card costs")
    lost, *worst = card_costs(answer, card)
    page.add("p", f"This card {lost}.", *(f"It loses {said}." for said in worst))
    _write(page, answer["rules"], path)


def _write(page: Page, rules: Mapping[str, Sequence[str]], path: Path) -> None:
    """Write a page that ends with the definitions of its rules, {parameter: lines}."""
    if lines := [line for of in rules.values() for line in of if not line.startswith("label ")]:
        page.add("h2", "The rules of this card")
        said = "; ".join(COMBINATION.sub(lambda dice: with_dice(dice[0]), line) for line in lines)
        page.add("small", said.replace("_", " "))
    page.write(path)


def given_up(card: Json) -> list[str]:
    """Return what the card loses to optimal play, in sentences."""
    turn, match = card["turn"], card["match"]
    lost = turn["best"] - turn["card"]
    less = f"{lost:.2f} less than" if lost >= 0.005 else "as many as"
    what = "throw" if "throw" in card else "turn"
    of_turn = f"{turn['card']:.2f} points per {what} on average, {less} optimal play ({turn['best']:.2f})."
    if "why" in match:
        return [of_turn, f"No match is evaluated: {match['why']}."]
    of_turn *= "card" not in match  # a card for the match
    of_match = f"Of 100 matches to {match['target']:,} against optimal play it loses {100 * match['cost']:.2f} more"
    worst = f"against an opponent who knows it and plays best against it, {100 * match['worst_case']:.2f} more"
    return [f"{of_match} than it wins; {worst}.", of_turn]


def _of_throws(page: Page, card: Json) -> None:
    dice = card["throw"]
    page.add("h2", "What to do")
    page.add("strong", f"Throw {dice} {'die' if dice == 1 else 'dice'}.")


def _of_turns(page: Page, card: Json) -> None:
    stop, match = card["stop"], card["match"]
    if said := match.get("card"):
        page.add("h2", "What to do")
        page.add("strong", said)
    elif len(card["stop_at"]) == 1 and not card["keep"]:
        page.add("h2", f"When to {stop}")
        at = card["stop_at"][0]["from"]
        page.add("strong", "Never." if at is None else f"{stop.capitalize()} from {at:,} on.")
    else:
        _keeps(page, card)
    if "why" in match:
        return
    target = match["target"]
    page.add("h2", "In the match")
    if race := match.get("race"):
        page.add("strong", f"Once either player has {race:,} or more, never {stop} before {target:,}.")
    if card["opening"]:
        page.add("p", f"While you have banked nothing, roll until this turn has {card['opening']:,} points.")
    if card["last_turn"]:
        page.add("p", f"Stop as soon as you have {target:,}; the opponent then has one last turn.",
                 "In your own last turn, roll until you have more points than the opponent.")  # fmt: skip
    else:
        page.add("p", f"Stop as soon as you have {target:,}: you have won.")


def _keeps(page: Page, card: Json) -> None:
    """Say which dice to keep, and when to stop with the dice that are left."""
    stop = card["stop"]
    page.add("h2", "1. Which dice to keep")
    if card["keep"]:
        rolled = sorted({hand for row in card["keep"] for hand in row["of"]}, key=lambda hand: -hand or -9)
        page.add("p", "Keep all dice that score, except in these rolls. Find the dice of your roll that score on the "
                 "left, and the number of dice that you rolled above:")  # fmt: skip
        head = ["score", *(f"{hand} {'die' if hand == 1 else 'dice'}" if hand else "first" for hand in rolled)]
        rows = [[with_dice(row["scores"]), *(_kept(row, hand) for hand in rolled)] for row in card["keep"]]
        page.table([head, *rows])
    else:
        page.add("p", "Keep all dice that score.")
    page.add("h2", f"2. When to {stop}")
    from_on = ["never" if (at := row["from"]) is None or at >= card["match"]["target"] else f"{at:,}"
               for row in card["stop_at"]]  # fmt: skip
    page.table([["dice left", *(str(row["hand"]) for row in card["stop_at"])], [f"{stop} from", *from_on]])
    page.add("p", f"Add up the points of this turn with the dice that you keep. If they reach the number below the "
             f"number of dice left, {stop}, and count all dice of this roll that score. Otherwise roll the dice left; "
             "all of them again when all have scored.")  # fmt: skip


def _kept(row: Json, hand: int) -> str:
    keep = row["of"].get(hand, "")
    return "all" if keep == row["scores"] else with_dice(keep)
