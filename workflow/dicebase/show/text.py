"""Answers as text for people. Only this module, cli.py and play.py format or print."""

import shlex
from collections.abc import Iterable, Iterator, Sequence
from io import StringIO
from itertools import chain
from textwrap import wrap

from dicebase.catalog.json_text import json_rows
from dicebase.vocabulary import Json, bound, number, some, words


def lookup_text(answer: Json, why: bool = False, picture: Sequence[str] = ()) -> str:
    """Return a lookup as a small table, best action first, with `=` at optimal ones. `why` adds the odds of rolls;
    `picture` has the lines of a drawing of the position."""
    lines = [
        f"{answer['table']}  {words(answer['parameters'])}".rstrip(),
        f"{words(answer['state'])}: {number(answer['value'])} {answer['unit']}",
    ]
    lines += [f"{name}: {number(value)}" for name, value in answer.get("values", {}).items()]
    lines += [f"Beyond the stored totals: {answer['note']}."] if answer.get("beyond") else []
    lines += ["", *(f"   {line}" for line in picture)] if picture else []
    why = why and any("lost" in a for a in answer["actions"])
    if not answer["actions"]:
        return "\n".join(lines)
    mixed = any(0 < a["probability"] < 1 for a in answer["actions"])
    header = ["", "action", "value", "regret", *["probability"] * mixed, *["lost", "gain"] * why]
    rows = []
    for a in answer["actions"]:
        probability = [f"{a['probability']:.4f}"] if mixed else []
        odds = [f"{100 * a['lost']:.2f} %", number(a["gain"])] if "lost" in a else ["", ""]
        said = [a["action"], number(a["value"]), number(a["regret"]), *probability]
        rows.append(["=" if a["optimal"] else "", *said, *odds * why])
    return "\n".join([*lines, "", *aligned([header, *rows]), "", answer["advice"]])


def description_text(answer: Json, results: str) -> str:
    """Describe a table: rules, parameters, columns and an example to try."""
    lines = [answer["title"], *(line for paragraph in answer["rules"] for line in _paragraph(paragraph))]
    lines += _paragraph(f"value [{answer['unit']}]: {answer['value_is']}")
    for p in answer["parameters"]:
        lines += _paragraph(f"{p['name']}: {p['description']}; {p['allowed']}")
        lines += _indented(f"default: {p['default']}; solved: {some(p['solved'])}")
        for name, said in (p.get("words") or p.get("cards", {})).items():
            lines += _indented(f"{name}: {said if isinstance(said, str) else '; '.join(said)}")
    for c in answer["columns"]:
        unit = f" [{c['unit']}]" if c["unit"] else ""
        ends = " to ".join(map(str, c["stored"])) if c["kind"] == "integer" else some(c["stored"])
        lines += _paragraph(f"{c['name']}{unit}: {c['description']}")
        default = f"default: {c['default']}; " if "default" in c else ""
        lines += _indented(f"{default}stored: {ends}") if ends else []
    lines += _paragraph(f"roll: {answer['roll']}") if answer["roll"] else []
    elsewhere = "" if results == "results" else f" --results {shlex.quote(results)}"
    command = f"dicebase lookup {answer['table']} {words(answer['example'])}".rstrip() + elsewhere
    return "\n".join([*lines, *_paragraph(answer["citation"]), "", "To try:", f"   {command}"])


def game_text(answer: Json) -> str:
    """Describe a game: rules, and the definitions of its names."""
    lines = [answer["title"], *(line for paragraph in answer["rules"] for line in _paragraph(paragraph))]
    for p in answer["parameters"]:
        lines += _paragraph(f"{p['name']}: {p['description']}")
        for name, said in p["cards"].items():
            lines += [
                "",
                f"   {name}",
                *(line for text in said for line in wrap(text, 94, initial_indent=6 * " ", subsequent_indent=9 * " ")),
            ]
    return "\n".join([*lines, *_paragraph(answer["citation"]), *_paragraph(f"Tables: {' '.join(answer['tables'])}")])


def _paragraph(text: str) -> list[str]:
    return ["", *wrap(text, 100)]


def _indented(text: str) -> list[str]:
    return wrap(text, 100, initial_indent="   ", subsequent_indent="      ")


def evaluation_text(answer: Json) -> str:
    """Return the result of a policy, and its most costly habits; on a board or for one player, its most costly
    mistakes."""
    about, what, worst = answer["policy"], "Where it loses most:", answer["mistakes"]
    names = ["value", "best", "cost"]
    if "best" not in answer:
        won = "winning probability" if answer["unit"] == "probability" else f"{answer['unit']} won"
        about = f"{about} against {answer['against']}: {won} moving first, second and on average"
        names = ["first", "second", "average", "cost", "exploitability"]
        names += ["worst_first", "worst_second"] if answer["unit"] != "probability" else []
        what = f"The most costly {'habits' if answer['habits'] else 'mistakes'}:"
        worst = ([*map(_habit, answer["habits"])] or worst)[:3]
    numbers = [[name.replace("_", " "), number(answer[name])] for name in names]
    numbers += [["error bound", bound(answer["error_bound"])]] if "error_bound" in answer else []
    lines = [f"{answer['table']}  {words(answer['parameters'])}", about, ""]
    lines += [*(f"   {line}" for line in aligned([["", answer["unit"]], *numbers])), ""]
    found = [what, *(f"   {line}" for line in _columns(worst))] if worst else ["Every decision that occurs is optimal."]
    return "\n".join([*lines, *found])


def _habit(habit: Json) -> Json:
    """Return a habit with the ends of each range as one text."""
    names = [name.removesuffix("_from") for name in habit if name.endswith("_from")]
    ends = {name: (habit[f"{name}_from"], habit[f"{name}_to"]) for name in names}
    ranges = {name: str(low) if low == high else f"{low}-{high}" for name, (low, high) in ends.items()}
    return {"action": habit["action"]} | ranges | {name: habit[name] for name in ("cost", "frequency", "loss")}


def grade_text(answer: Json) -> str:
    """Return a graded policy: the number of right positions, what it loses, and its most costly errors."""
    lines = [f"{answer['policy']}: {answer['right']} of {answer['positions']} positions of {answer['table']} are right"]
    if answer["cost"] is not None:
        cost = amount(answer["cost"], answer["unit"])
        lines.append(f"Compared with optimal play it loses {cost}, if it plays all other positions optimally.")
    return "\n".join([*lines, *([""] * bool(answer["wrong"])), *_columns(answer["wrong"][:20])])


def cards_text(answer: Json) -> str:
    """Return the best cards of each language, the cheapest first."""
    lines = [f"{answer['table']}  {words(answer['parameters'])}"]
    for card in answer["cards"]:
        said = ";\n   ".join(card_costs(answer, card))
        lines += ["", f"{card['language']}: {said}", *_indented(card["card"])]
        lines += [f"   --policy '{card['policy']}'"]
    return "\n".join(lines)


def card_costs(answer: Json, card: Json) -> list[str]:
    """Return what a card loses and whether it is proved the best of its form, and what it loses in the worst case."""
    costs = card["cost"], card["least_cost"], card.get("worst_case", 0.0)
    cost, least, worst = (amount(x, answer["unit"]) for x in costs)
    best = f"no such card loses less than {least}" if card["least_cost"] > 0 else "not proved the best of its form"
    best = "proved the best of its form" if card["proved"] else best
    said = [f"loses {cost} {answer['loses'][0]}, {best}"]
    return [*said, f"{worst} {answer['loses'][1]}"] if "worst_case" in card else said


def amount(cost: float, unit: str) -> str:
    """Return a cost in its unit; a difference of probabilities, or a part of a bet, in percent."""
    return f"{round(100 * cost, 4) + 0.0:.4f} %" if unit in ("probability", "bets") else f"{cost:.4f} {unit}"


def review_text(answer: Json) -> str:
    """Return a reviewed game: a line for each roll and decision, and the sum that gives the result."""
    players, two = answer["players"], len(answer["players"]) > 1
    rows = [["line", *["player"] * two, "", "luck", "loss", "best", "expected"]]
    for step in answer["steps"]:
        changes = ["" if step[of] is None else number(step[of]) for of in ("luck", "loss")]
        said = f"roll {step['text']}" if step["what"] == "roll" else step["text"]
        named = [str(step["line"]), *[step["player"]] * two, said]
        rows.append([*named, *changes, step["best"], number(step["expected"])])
    sums = [["", "luck", "loss"], *([p["player"], number(p["luck"]), number(p["loss"])] for p in players)]
    lines = [f"{answer['table']}  {words(answer['parameters'])}".rstrip(), "", *aligned(rows), "", *aligned(sums), ""]
    # Luck and loss of one player count against the other; if less is better, signs are reversed.
    signs = [
        (answer["sense"] * sign, x)
        for p, sign in zip(players, (1, -1), strict=False)
        for x, sign in ((p["luck"], sign), (p["loss"], -sign))
    ]
    terms = "".join(f" {'-' if sign * x < 0 else '+'} {number(abs(x))}" for sign, x in signs)
    end = "the result" if answer["ended"] else "the expected result now"
    total = f"{number(answer['expectation'])}{terms} = {number(answer['result'])} {answer['unit']}"
    return "\n".join([*lines, f"{players[0]['player']}: {total}, {end}"])


def review_csv(answer: Json) -> str:
    """Return a reviewed game as CSV: rolls and decisions with all digits."""
    names = ["line", "player", "what", "text", "luck", "loss", "best", "expected"]
    return "".join(rows_csv(names, [[[step[name] for name in names] for step in answer["steps"]]])).rstrip()


def tables_text(variants: Iterable[Json]) -> str:
    """Return one line per variant, or one line per table if there are several tables."""
    variants = list(variants)
    by_table: dict[str, list[Json]] = {}
    for variant in variants:
        by_table.setdefault(variant["name"], []).append(variant)
    if len(by_table) > 1:
        rows = [["table", "variants", "states", "unit", "error bound"]]
        for name, of in by_table.items():
            states, worst = sum(v["states"] for v in of), max(v["error_bound"] for v in of)
            rows.append([name, str(len(of)), str(states), of[0]["unit"], bound(worst)])
        return "\n".join([*aligned(rows), "", "To list the variants of a table: dicebase tables TABLE"])
    rows = [["table", "parameters", "states", "value", "unit", "error bound"]]
    rows += [
        [v["name"], words(v["parameters"]), str(v["states"]), number(v["value"]), v["unit"], bound(v["error_bound"])]
        for v in sorted(variants, key=lambda v: list(v["parameters"].values()))
    ]
    return "\n".join(aligned(rows))


def fetched_text(results: str, files: int) -> str:
    """Return what was fetched, and how to query it."""
    where = "" if results == "results" else f"--results {shlex.quote(results)} "
    return (
        f"{results}: {files} files as released, by their sha256\n"
        f"Tables:  dicebase {where}tables\n"
        f"Lookup:  dicebase {where}lookup pig_turn turn_total=20\n"
        f'SQL:     dicebase {where}sql "FROM tables"\n'
        f"Python:  dicebase.open({results!r}).lookup('pig_turn', turn_total=20)"
    )


def rows_text(names: Sequence[str], parts: Iterable[Sequence[Sequence[object]]]) -> Iterator[str]:
    """Yield the result of a query as lines of text, part by part; the first part fixes the column widths."""
    layout = None
    for part in chain(parts, [[]]):
        rows = [[_cell(x) for x in row] for row in part]
        rows = rows if layout else [list(names), *rows]
        layout = layout or _layout(rows)
        if rows:
            yield "".join(f"{line}\n" for line in _lines(rows, layout))


def rows_json(names: Sequence[str], parts: Iterable[Sequence[Sequence[object]]]) -> Iterator[str]:
    """Yield the result of a query as a JSON array of objects."""
    between = "["
    for part in parts:
        yield between + json_rows(names, part)
        between = ", "
    yield "]\n" if between == ", " else "[]\n"


def rows_csv(names: Sequence[str], parts: Iterable[Sequence[Sequence[object]]]) -> Iterator[str]:
    """Yield the result of a query as CSV, with all digits."""
    import csv

    for part in chain([[names]], parts):
        text = StringIO()
        csv.writer(text, lineterminator="\n").writerows(part)
        yield text.getvalue()


def _columns(rows: Sequence[Json]) -> list[str]:
    """Align dicts with the same keys, under these."""
    return aligned([[*rows[0]], *([_cell(x) for x in row.values()] for row in rows)]) if rows else []


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Align columns, with numbers to the right."""
    return _lines(rows, _layout(rows))


def _layout(rows: Sequence[Sequence[str]]) -> list[tuple[int, bool]]:
    """Return (width, whether it holds numbers) for each column; the first row is the header."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return [(w, all(_is_number(row[i]) for row in rows[1:]) and len(rows) > 1) for i, w in enumerate(widths)]


def _lines(rows: Sequence[Sequence[str]], layout: Sequence[tuple[int, bool]]) -> list[str]:
    return [
        "  ".join(
            cell.rjust(width) if right else cell.ljust(width) for cell, (width, right) in zip(row, layout, strict=True)
        ).rstrip()
        for row in rows
    ]


def _cell(value: object) -> str:
    if value is None:
        return ""
    return number(value) if isinstance(value, float) else str(value)


def _is_number(text: str) -> bool:
    try:
        float(text or "0")
    except ValueError:
        return False
    return True
