"""Games of every_table, and random records of them as `dicebase review` reads them."""

from random import Random

from dicebase.catalog.review.walk import Walk

GAMES = {
    "pig_turn": "sides=6 dice=2",
    "pig_duel": "target=10 dice=2",
    "pig_race": "target=20",
    "ten_thousand_turn": "rules=pocket",
    "ten_thousand_duel": "rules=pocket target=500",
    "ten_thousand_reach": "rules=pocket target=1000 turns=3",
    "pass_the_pigs_duel": "target=30",
    "hog_duel": "target=15 max_dice=3 on_one=all",
    "hog_turn": "max_dice=5",
    "ten_times_eighteen_score": "slots=4",
    "royal_ur_duel": "before=1 middle=2 after=1 dice=2",
    "shut_the_box_score": "tiles=4",
    "yahtzee_score": "rules=pocket",
    "kuhn_poker_duel": "",
    "leduc_poker_duel": "",
    "liars_dice_duel": "faces=2 wild=ones",
    "goofspiel_duel": "cards=2",
}


def parameters(table):
    """The parameters of one of GAMES."""
    given = dict(word.split("=") for word in GAMES[table].split())
    return {name: int(said) if said.isdigit() else said for name, said in given.items()}


def record(db, table, seed):
    """(a random game at its end, its record)."""
    walk = Walk(db.solved_tables, table, parameters(table))
    return walk, "\n".join([f"{table} {GAMES[table]}", *_played(walk, Random(seed))])


def _played(walk, chance):
    """The lines of a random game, one roll or action per line."""
    lines, names = ["roll,player,action"], {1: "Ann", -1: "Bob"}
    while walk.after is not None or walk.state is not None:
        role = walk.role
        if walk.state is not None:
            answer = walk.answer()
            action = chance.choice([a["action"] for a in answer["actions"]])
            if len(answer["actions"]) > 1:
                lines.append(f',{names[role]},"{action}"')
            walk.act(action)
            continue
        outcomes, written = list(walk.game.outcomes(walk.after)), walk.game.falls(walk.after)
        fallen = chance.choices(range(len(outcomes)), [o.weight for o in outcomes])[0]
        if written:
            assert len(written) == len(outcomes)
            dice = " ".join(written[fallen]) if len(outcomes) > 50 else written[fallen]
            lines.append(f'"{dice}",{names[walk.roller(outcomes[fallen])]}')
        walk.fall(outcomes[fallen])
    return lines
