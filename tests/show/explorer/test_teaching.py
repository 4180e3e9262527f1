"""What the page computes to teach: sentences about a position, reviews and puzzles, compared with the catalogue."""

import re

import pytest

from dicebase.catalog.review.walk import Walk
from support import explorer_site
from support.recorded_games import GAMES, parameters, record

PIG = {"sides": 6, "dice": 1, "target": 20}
TEN = {"rules": "pocket", "target": 1000}
POSITIONS = [
    ("pig_duel", PIG, {"me": 3, "opponent": 5, "turn_total": 4}),
    ("pig_duel", PIG | {"dice": 2, "target": 10}, {"me": 1, "opponent": 5, "turn_total": 4}),
    ("pig_turn", {"sides": 6, "dice": 1}, {"turn_total": 12}),
    ("ten_thousand_duel", TEN, {"me": 350, "opponent": 400, "turn_total": 200, "dice": 1}),
    ("ten_thousand_duel", TEN, {"me": 350, "opponent": 400, "turn_total": 0, "roll": "115"}),
    ("ten_thousand_duel", TEN, {"me": 350, "opponent": 400, "turn_total": 0, "roll": "125"}),
    ("ten_thousand_turn", {"rules": "pocket", "moves": "all"}, {"turn_total": 0, "roll": "125"}),
    ("hog_turn", {"max_dice": 5}, {}),
    ("hog_duel", {"max_dice": 3, "target": 15, "on_one": "all"}, {"me": 3, "opponent": 9}),
    ("ten_times_eighteen_score", {"slots": 4}, {"free": 15, "roll_total": 9}),
    ("ten_times_eighteen_exceed", {"slots": 3}, {"free": 7, "needed": 50, "roll_total": 11}),
    ("yahtzee_score", {"rules": "pocket"}, {"open": 15, "upper": 0, "bonus": 0, "roll": "133", "rerolls_left": 2}),
    ("yahtzee_score", {"rules": "pocket"}, {"open": 15, "upper": 0, "bonus": 0, "roll": "133", "rerolls_left": 0}),
    ("shut_the_box_score", {"tiles": 4}, {"open": "1234", "roll_total": 7}),
]


@pytest.fixture(scope="module")
def taught(data):
    asked = [dict(zip(("table", "parameters", "state"), position, strict=True)) for position in POSITIONS]
    return explorer_site.node("explorer_explain.mjs", data, lines=asked)


def known(db, number):
    table, parameters, state = POSITIONS[number]
    return db.lookup(table, **parameters, **state)


def near(text, number, digits=None):
    """Whether a text is the number rounded to these digits, by default to three or four significant ones."""
    digits = (2 if number < 10 else 1 if number < 100 else 0) if digits is None else digits
    return abs(float(text) - number) <= 0.5000001 * 10**-digits


ODDS = r"(?:1 time in (\d+)|([\d.]+) % of the time) and otherwise adds? ([\d.]+) on average"


@pytest.mark.parametrize(
    "number", [i for i, (table, *_) in enumerate(POSITIONS) if "pig" in table or "thousand" in table]
)
def test_a_sentence_has_the_odds_of_the_roll_that_the_catalogue_finds(db, taught, number):
    (times, percent, adds), *others = re.findall(ODDS, taught[number]["why"])
    rolls = [a for a in known(db, number)["actions"] if "lost" in a]
    action = rolls[0]
    assert near(times, 1 / action["lost"], 9) if times else near(percent, 100 * action["lost"], 1)
    assert near(adds, action["gain"] / (1 - action["lost"]))
    assert not others or len(rolls) > 1


@pytest.mark.parametrize("number", [0, 1, 2, 3])
def test_a_sentence_has_the_total_at_which_it_is_best_to_stop(db, taught, number):
    table, parameters, state = POSITIONS[number]
    totals = [t for (t,) in db.rows(f"SELECT DISTINCT turn_total FROM {table} ORDER BY 1")[1] if t]
    stops = {}
    for total in totals:
        answer = db.get(table, **parameters, **state | {"turn_total": total})
        for action in answer["actions"] if answer else ():
            if action["action"] in ("hold", "bank"):
                stops[total] = action["optimal"]
    first = next((t for t in stops if stops[t]), None)
    found = re.search(r"(?:hold|bank) from ([\d,]+) points", taught[number]["why"])
    assert (found and int(found[1].replace(",", ""))) == first
    later = all(stops[t] for t in stops if first and t >= first)
    assert ("but roll again at some higher totals" in taught[number]["why"]) == (first is not None and not later)


@pytest.mark.parametrize("number", range(len(POSITIONS)))
def test_the_nearest_change_of_the_decision_is_the_nearest_in_the_table(db, taught, number):
    table, parameters, state = POSITIONS[number]
    best = {a["action"] for a in known(db, number)["actions"] if a["optimal"]}

    def changes(name, value):
        answer = value >= 0 and db.get(table, **parameters, **state | {name: value})
        if not answer:
            return False
        there = {a["action"] for a in answer["actions"] if a["optimal"]}
        return bool({a["action"] for a in answer["actions"]} & best) and not there & best

    said = taught[number]["change"]
    for found in taught[number]["changes"]:
        here, value = state[found["name"]], found["value"]
        assert changes(found["name"], value) and f" at {value:,}" in said
        closer = range(min(here, value) + 1, max(here, value))
        mirrored = [2 * here - v for v in closer]
        assert not any(changes(found["name"], v) for v in [*closer, *mirrored])
    assert bool(said) == bool(taught[number]["changes"])
    silent = {n for n in ("me", "opponent") if n in state} - {c["name"] for c in taught[number]["changes"]}
    assert not any(
        changes(name, value)
        for name in silent
        for value in range(0, parameters["target"], 50 if "rules" in parameters else 1)
    )


@pytest.mark.parametrize("number", [7, 8])
def test_a_sentence_about_throws_has_their_odds_and_means(db, taught, number):
    odds = {a["action"]: a for a in known(db, number)["actions"]}
    best = next(iter(odds.values()))
    times, percent, adds, mean = re.search(ODDS + r": ([\d.]+) a throw", taught[number]["why"]).groups()
    assert near(times, 1 / best["lost"], 9) if times else near(percent, 100 * best["lost"], 1)
    assert near(adds, best["gain"] / (1 - best["lost"])) and near(mean, best["gain"])
    most = max(a["gain"] for a in odds.values())
    assert ("the most of any number" in taught[number]["why"]) == (best["gain"] == most)


def test_a_sentence_about_a_sheet_says_where_the_turn_ends(db, taught):
    chances = [int(n) for n in re.findall(r"\((\d+) %\)", taught[11]["why"])]
    assert taught[11]["why"].startswith(f"After {known(db, 11)['actions'][0]['action']}, the turn most often ends in ")
    assert chances == sorted(chances, reverse=True) and 50 < sum(chances) <= 101
    best = known(db, 12)["actions"][0]
    name, now, later = re.match(
        r"(.+?) scores (\d+) now and leaves ([\d.]+) points for later", taught[12]["why"]
    ).groups()
    assert name.lower() == best["action"].replace("_", " ") and near(later, best["value"] - int(now))


def test_a_sentence_about_slots_has_their_values(db, taught):
    best = known(db, 9)["actions"][0]
    slot, now, later = re.match(r"Slot (\d) scores (\d+) now and leaves ([\d.]+) points", taught[9]["why"]).groups()
    assert slot == best["action"] and int(now) == 9 * int(slot) and near(later, best["value"] - int(now))
    assert f"with a chance of {100 * known(db, 10)['actions'][0]['value']:.2f} %" in taught[10]["why"]


def test_a_sentence_about_a_board_has_the_outcomes_of_the_next_roll(db, taught):
    game = Walk(db.solved_tables, "shut_the_box_score", {"tiles": "4"}).game
    answer = known(db, 13)
    action = answer["actions"][0]["action"]

    def value(state):
        return db.lookup("shut_the_box_score", tiles=4, open=state[0], roll_total=state[1])["value"] if state else 0

    outcomes = list(game.outcomes(game.afterstate(("1234", 7), action)))
    ahead = [outcome.reward + value(outcome.state) for outcome in outcomes]
    better = sum(o.weight for o, v in zip(outcomes, ahead, strict=True) if v < answer["value"] - 1e-12)
    said = rf"After “{action}” the next roll helps (.+?) and leaves from ([\d.]+) to ([\d.]+) points"
    helps, low, high = re.match(said, taught[13]["why"]).groups()
    share = better / sum(o.weight for o in outcomes)
    times = re.fullmatch(r"1 time in (\d+)", helps)
    assert int(times[1]) == round(1 / share) if times else near(helps.removesuffix(" % of the time"), 100 * share, 1)
    assert near(low, min(ahead), 3) and near(high, max(ahead), 3)


@pytest.mark.parametrize("table", GAMES)
def test_the_page_reviews_a_game_as_the_catalogue_does(db, data, tmp_path, table):
    texts = [record(db, table, seed)[1] for seed in range(3)]
    texts.append("\n".join(texts[0].splitlines()[:5]))
    found = explorer_site.node("explorer_review.mjs", data, lines=[{"text": text} for text in texts])
    for text, ours in zip(texts, found, strict=True):
        (tmp_path / "game.csv").write_text(text)
        review = db.review(tmp_path / "game.csv")
        compared = ("line", "player", "what", "text", "best")
        assert [[s[n] for n in compared] for s in ours["steps"]] == [[s[n] for n in compared] for s in review["steps"]]
        size = max(1, abs(review["expectation"]))
        for step, theirs in zip(ours["steps"], review["steps"], strict=True):
            change = theirs["luck"] if theirs["what"] == "roll" else -theirs["loss"]
            assert (
                abs(step["change"] - change) <= 1e-12 * size
                and abs(step["expected"] - theirs["expected"]) <= 1e-12 * size
            )
        assert ours["ended"] == review["ended"] and abs(ours["begun"] - review["expectation"]) <= 1e-12 * size
        # The page's own record of the game is read by the catalogue.
        (tmp_path / "again.csv").write_text(ours["csv"])
        again = db.review(tmp_path / "again.csv")
        assert [(s["what"], s["text"]) for s in again["steps"]] == [(s["what"], s["text"]) for s in review["steps"]]


WRONG = [
    ("pig_duel target=20\nroll,action\n7,", "line 3: roll '7': cannot be rolled here; rolls are 1 2 3 4 5 6"),
    ("pig_duel target=20\nroll,action\n5,stay", "line 3: action 'stay': the action is not allowed; allowed are "),
    (
        "pig_duel target=20\nplayer,roll\nAnn,5\nAnn,5",
        "line 4: roll '5': the action is missing before it; allowed are ",
    ),
    ("pig_duel target=20\nplayer,roll\nAnn,1\nAnn,5", "line 4: player 'Ann': it is the other player's turn"),
    ("pig_duel target=20\ndice\n5", "line 2: columns dice: 'roll' is missing; others are 'player' and any name"),
    ("pig_dual target=20\nroll\n5", "line 1: there is no table 'pig_dual' on this page"),
    ("pig_duel target\nroll\n5", "line 1: 'target' is not of the form name=value"),
    ("hog_simultaneous\nroll\n5", "line 1: hog_simultaneous cannot be reviewed on this page"),
    ("pig_duel target=20", "a record needs a line such as 'pig_duel target=100', and a line of columns"),
]


def test_a_wrong_record_is_refused_with_its_line(data):
    found = explorer_site.node("explorer_review.mjs", data, lines=[{"text": text} for text, _ in WRONG])
    assert [f["error"][: len(message)] for f, (_, message) in zip(found, WRONG, strict=True)] == [m for _, m in WRONG]


def test_puzzles_are_positions_where_a_habit_costs_what_the_catalogue_says(db, data):
    names = ["hog_duel", "ten_times_eighteen_score", "yahtzee_score", "royal_ur_duel"]
    tables = {"ten_thousand_duel": TEN} | {name: parameters(name) for name in names}
    lines = [{"table": t, "parameters": p, "seed": seed} for t, p in tables.items() for seed in ("a", "b", "a")]
    found = explorer_site.node("explorer_puzzles.mjs", data, lines=lines)
    for i, (table, given) in enumerate(tables.items()):
        first, second, again = (of["puzzles"] for of in found[3 * i : 3 * i + 3])
        assert first == again != second and any(puzzle["cost"] for puzzle in first)
        for puzzle in [*first, *second]:
            assert puzzle["habit"] in found[3 * i]["habits"]
            actions = db.lookup(table, **given, **puzzle["state"])["actions"]
            chosen = next(a for a in actions if a["action"] == puzzle["action"])
            cost = 0 if chosen["optimal"] else chosen["regret"]
            assert abs(puzzle["cost"] - cost) <= 1e-12 * max(1, cost)
        assert len({str(puzzle["state"]) for puzzle in first}) == len(first) == 5


def test_the_habit_of_pig_is_to_hold_at_20(data):
    lines = [{"table": "pig_turn", "parameters": {"sides": 6, "dice": 1}, "seed": "a"}]
    # It is right in one turn for its own sake, so there are no puzzles.
    assert explorer_site.node("explorer_puzzles.mjs", data, lines=lines) == [{"habits": ["hold at 20"], "puzzles": []}]
