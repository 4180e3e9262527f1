"""Rules of board games, stated a second time from the printed rules and without dicebase.

Each function is named after a game and takes an objective and the parameters of a variant. It returns `Plain` rules,
which tests/reference/value_iteration.py solves. States are the keys of the table, so that every row can be compared.
"""

from collections import Counter
from functools import cache
from itertools import combinations, permutations, product
from operator import eq, ne


class Plain:
    """Rules whose actions are the tuples of their outcomes: (weight, state, or None at the end, reward, sign).

    `named` maps a state to the key of its row.
    """

    discount = 1

    def __init__(self, start, actions, named=lambda state: state):
        self.start, self.actions, self.named = lambda: start, actions, named

    def afterstate(self, _, action):
        return action

    def outcomes(self, action):
        return action


@cache
def rolls(dice):
    """{sorted digits: number of throws} of six-sided dice."""
    return Counter("".join(sorted(roll)) for roll in product("123456", repeat=dice))


def total_of(digits):
    return sum(int(digit, 16) for digit in digits)


def cards_up(_, cards, sides):
    dice = range(1, sides + 1)

    def throw(up, turns):
        if not up:
            return ((1, None, turns),)
        return tuple((1, (up, f"{min(a, b)}{max(a, b)}"), turns) for a in dice for b in dice)

    def actions(state):
        a, b = map(int, state[1])
        for card in (f"{n:X}" for n in {a, b, a + b} if n <= cards):
            up = state[0].replace(card, "") if card in state[0] else "".join(sorted(state[0] + card))
            yield throw(up, 1)

    return Plain(throw("123456789ABC"[:cards], 0), actions)


def risk(objective, attackers, defenders, victory=0):
    gain = objective == "gain"

    @cache
    def losses(attack, defence):
        """{(armies that the attacker loses, armies that the defender loses): number of throws}."""
        found = Counter()
        for dice in product(range(6), repeat=attack + defence):
            mine, theirs = sorted(dice[:attack])[::-1], sorted(dice[attack:])[::-1]
            lost = sum(mine[i] <= theirs[i] for i in range(min(attack, defence)))
            found[lost, min(attack, defence) - lost] += 1
        return found

    def after(a, d, lost):
        if a and d:
            return (a, d), -lost * gain
        return None, {"win": int(not d), "left": a, "gain": victory * (not d) - lost}[objective]

    def actions(state):
        a, d = state
        for dice in range(1, min(a, 3) + 1):
            fought = losses(dice, min(d, 2)).items()
            yield tuple((ways, *after(a - lost, d - beaten, lost)) for (lost, beaten), ways in fought)
        if gain:
            yield ((1, None),)

    return Plain(tuple((1, (a + 1, d + 1)) for a in range(attackers) for d in range(defenders)), actions)


def shut_the_box(objective, tiles, one_die):
    @cache
    def shut(tiles):
        """{sum: [tiles left open]} of all ways to shut some of these tiles."""
        found = {}
        for many in range(1, len(tiles) + 1):
            for gone in combinations(tiles, many):
                found.setdefault(total_of(gone), []).append("".join(t for t in tiles if t not in gone))
        return found

    def throw(tiles, dice):
        over = None, 0 if objective == "win" else total_of(tiles)
        totals = (sum(roll) for roll in product(range(1, 7), repeat=dice))
        return tuple((1, (tiles, n)) if n in shut(tiles) else (1, *over) for n in totals)

    def turn(tiles):
        if not tiles:
            return ((1, None, int(objective == "win")),)
        may = {"never": False, "above_6_shut": not {*tiles} & {*"789ABC"}, "sum_at_most_6": total_of(tiles) < 7}
        return ((1, (tiles, 0)),) if may[one_die] else throw(tiles, 2)

    def actions(state):
        tiles, total = state
        return map(turn, shut(tiles)[total]) if total else (throw(tiles, 1), throw(tiles, 2))

    return Plain(turn("123456789ABC"[:tiles]), actions)


def decathlon_races(_, event):
    sets, dice = {"100_metres": (2, 4), "110_metre_hurdles": (1, 5), "400_metres": (4, 2), "1500_metres": (8, 1)}[event]

    def throw(sets, rethrows, points=0):
        thrown = rolls(dice).items()
        return tuple((n, (sets, rethrows, roll), points) for roll, n in thrown) if sets else ((1, None, points),)

    def actions(state):
        sets, rethrows, roll = state
        yield throw(sets - 1, rethrows, total_of(roll) - (0 if "hurdle" in event else 12 * roll.count("6")))
        if rethrows:
            yield throw(sets, rethrows - 1)

    return Plain(throw(sets, 5), actions)


def decathlon_heights(_, event):
    vault = event == "pole_vault"
    faces, most = (range(2, 7), 8) if vault else (range(1, 7), 5)
    sums = [Counter({0: 1})]
    for _ in range(most):
        sums.append(Counter())
        for total, face in product(sums[-2], faces):
            sums[-1][total + face] += sums[-2][total]

    def bar(height, cleared, jumps=3):
        return (None, cleared) if not jumps or height > 6 * most else ((height, cleared, jumps),)

    def actions(state):
        height, cleared, jumps = state
        if jumps == 3:
            yield ((1, *bar(height + 2, cleared)),)
        for dice in range(1 if vault else 5, most + 1):
            over = sum(ways for total, ways in sums[dice].items() if total >= height)
            fails = 6**dice - over, *bar(height, cleared, jumps - 1)
            yield ((over, *bar(height + 2, height)), fails) if over else (fails,)

    return Plain(((1, *bar(10, 0)),), actions)


def decathlon_shot_put(_, attempts, dice):
    def stop(left, best):
        return ((left, best, 0, 0),) if left else (None, best)

    def throw(left, best, thrown, total):
        totals = range(total + 2, total + 7)
        last = thrown + 1 == dice
        good = ((1, *(stop(left - 1, max(best, n)) if last else ((left, best, thrown + 1, n),))) for n in totals)
        return (1, *stop(left - 1, best)), *good

    def actions(state):
        left, best, thrown, total = state
        yield throw(*state)
        if thrown:
            best = max(best, total)
            yield throw(left - 1, best, 0, 0) if left > 1 else ((1, None, best),)

    return Plain(throw(attempts, 0, 0, 0), actions)


def decathlon_attempts(_, event, attempts):
    dice, faces = {"long_jump": (5, "123456"), "discus": (5, "246"), "javelin": (6, "135")}[event]

    def ready(left, best):
        return ((left, best, "ready", 0, "none"),) if left else (None, best)

    @cache
    def frozen(phase, total, roll):
        """The sets of dice that may be frozen."""
        good = [face for face in roll if face in faces]
        found = {kept for many in range(1, len(good) + 1) for kept in combinations(good, many)}
        return [kept for kept in found if phase != "run_up" or total + total_of(kept) <= 8]

    @cache
    def throw(left, best, phase, total, dice):
        invalid = ready(left - 1, best)
        states = ((ways, (left, best, phase, total, roll)) for roll, ways in rolls(dice).items())
        return tuple((ways, *((s,) if frozen(*s[2:]) else invalid)) for ways, s in states)

    def actions(state):
        left, best, phase, total, roll = state
        if phase == "ready":
            yield throw(left, best, "run_up" if event == "long_jump" else "throw", 0, dice)
            return
        for kept in frozen(phase, total, roll):
            more, rest = total + total_of(kept), len(roll) - len(kept)
            if rest:
                yield throw(left, best, phase, more, rest)
            if phase == "run_up":
                yield throw(left, best, "jump", 0, dice - rest)
            elif phase == "throw" or not rest:
                yield ((1, *ready(left - 1, max(best, more))),)

    return Plain(((1, *ready(attempts, 0)),), actions)


def royal_ur(_, pieces, before, middle, after, dice, path, rosettes, captures):
    """A state has the squares of the mover's and the opponent's pieces and the throw. Squares are numbered along each
    player's path; 0 is before it, and the number after the last square is home."""
    masters, turning = path == "masters", before + middle
    last = turning + after + 2 * masters
    marked = {before, before + middle // 2, last} | ({turning} if masters else set())

    def meets(square):
        """The opponent's number of my square, or None: the last five squares of a Masters' path run backwards."""
        if before < square < turning or (square == turning and not masters):
            return square
        return 2 * turning + 4 - square if masters and turning <= square <= last else None

    own = [square for square in range(1, last + 1) if not meets(square)]

    def throw(mine, theirs, again=False):
        if min(mine) > last:
            return ((1, None, 1),)
        after = ((mine, theirs), 0, 1) if again else ((theirs, mine), 1, -1)
        return tuple((1, (*after[0], sum(shown)), *after[1:]) for shown in product((0, 1), repeat=dice))

    def actions(state):
        mine, theirs, roll = state
        moves = [(at, at + roll) for at in {*mine} if roll and at <= last and at + roll <= last + 1]
        moves = [(at, to) for at, to in moves if to > last or to not in mine]
        if rosettes == "safe":
            moves = [(at, to) for at, to in moves if to not in marked or meets(to) not in theirs]
        for at, to in moves:
            hit = meets(to) in theirs
            again = to in marked or (hit and captures == "again")
            moved = [*mine]
            moved[mine.index(at)] = to
            yield throw(tuple(sorted(moved)), tuple(sorted(0 if s == meets(to) else s for s in theirs)), again)
        if not moves:
            yield throw(mine, theirs)

    def named(state):
        mine, theirs, roll = state
        board = ["."] * (last + len(own))
        for square in {*mine} - {0, last + 1}:
            board[square - 1] = "x"
        for square in {*theirs} - {0, last + 1}:
            board[(meets(square) or last + 1 + own.index(square)) - 1] = "o"
        return "".join(board), mine.count(0), theirs.count(0), roll

    return Plain(throw((0,) * pieces, (0,) * pieces, True), actions, named)


def bear_off(objective, checkers):
    """A state has the sorted points of each side's checkers, the mover's first, and the throw."""

    @cache
    def moved(side, dice):
        """The sides to which dice can be played in this order."""
        if not dice or not side:
            return {side}
        die, *rest = dice
        found = set()
        for i, point in enumerate(side):
            if point >= die or point == side[-1]:
                left = [point - die] if point > die else []
                found |= moved(tuple(sorted((*side[:i], *side[i + 1 :], *left))), tuple(rest))
        return found

    def throw(sides, sign=1, reward=1):
        return tuple((ways, (*sides, roll), reward, sign) for roll, ways in rolls(2).items())

    def actions(state):
        side, *other, roll = state
        a, b = map(int, roll)
        for left in moved(side, (a,) * 4) if a == b else moved(side, (a, b)) | moved(side, (b, a)):
            yield throw((*other, left), -1 if other else 1) if left else ((1, None, 1),)

    def named(state):
        *sides, roll = state
        return *("".join(f"{side.count(point):X}" for point in range(1, 7)) for side in sides), roll

    placed = [(*points,) for points in product(range(1, 7), repeat=checkers) if [*points] == sorted(points)]
    sides = product(placed, repeat=2 if objective == "duel" else 1)
    return Plain(sum((throw(both, reward=0) for both in sides), ()), actions, named)


def cant_stop(_, sides, shortest, goal):
    """A state has the squares kept and climbed in each column, and the throw, if there is one."""
    tops = [shortest + 2 * min(i, 2 * sides - 2 - i) for i in range(2 * sides - 1)]
    throws = Counter("".join(sorted(roll)) for roll in product("123456"[:sides], repeat=4))

    @cache
    def climbs(kept, climbed, roll):
        """The squares that a throw can lead to."""
        found = set()
        for a, b, c, d in {*permutations(map(int, roll))}:
            now = [*climbed]
            for column in (a + b - 2, c + d - 2):
                free = sum(map(ne, kept, now)) < 3 or now[column] != kept[column]
                now[column] += free and now[column] < tops[column]
            found.add(tuple(now))
        return found - {climbed}

    def ready(kept, climbed, turns=0):
        return ((1, None, 1) if sum(map(eq, climbed, tops)) >= goal else (1, (kept, climbed, "-"), turns),)

    def actions(state):
        kept, climbed, roll = state
        if roll != "-":
            yield from (ready(kept, now) for now in climbs(*state))
            return
        lost = (kept, kept, "-"), 1
        found = ((ways, (kept, climbed, roll)) for roll, ways in throws.items())
        yield tuple((ways, there) if climbs(*there) else (ways, *lost) for ways, there in found)
        if climbed != kept:
            yield ready(climbed, climbed, 1)

    def named(state):
        return *("".join(f"{square:X}" for square in squares) for squares in state[:2]), state[2]

    return Plain(ready(*[(0,) * len(tops)] * 2), actions, named)


def einstein(_, size, stones, endgame):
    """A state has the places of the mover's and the opponent's stones by number, None for a lost one, and the throw.
    Places are seen from the mover's corner."""
    places, last = [*product(range(size), repeat=2)], size - 1

    def turned(side):
        return tuple(place and (last - place[0], last - place[1]) for place in side)

    def throw(mine, theirs, reward=0, sign=1):
        return tuple((1, (mine, theirs, roll), reward, sign) for roll in range(stones))

    def actions(state):
        mine, theirs, roll = state
        lower, higher = ([i for i in side if mine[i]] for side in (range(roll), range(roll + 1, stones)))
        for i in [roll] if mine[roll] else [*lower[-1:], *higher[:1]]:
            for down, right in ((0, 1), (1, 0), (1, 1)):
                there = mine[i][0] + down, mine[i][1] + right
                if max(there) <= last:
                    own, other = (tuple(None if place == there else place for place in side) for side in (mine, theirs))
                    own = (*own[:i], there, *own[i + 1 :])
                    won = there == (last, last) or not any(other)
                    yield ((1, None, 1),) if won else throw(turned(other), turned(own), 1, -1)

    def named(state):
        """A player's last stone is written 1 or a, and moves with the throw 1."""
        *sides, roll = state
        board = ["."] * size**2
        for side, letters in zip(sides, ("123456", "abcdef"), strict=True):
            left = [(place, letter) for place, letter in zip(side, letters, strict=False) if place]
            for (row, column), letter in left:
                board[row * size + column] = letter if len(left) > 1 else letters[0]
        return "".join(board), 1 if sum(map(bool, sides[0])) == 1 else roll + 1

    def endgames():
        """All placements of at most `endgame` stones without a winner; a single stone is the first."""
        numbers = [[(0,)], *([*combinations(range(stones), many)] for many in range(2, stones + 1))]
        for mine, theirs in product(range(1, endgame), repeat=2):
            for here in permutations(places, mine + theirs) if mine + theirs <= endgame else ():
                if (last, last) not in here[:mine] and (0, 0) not in here[mine:]:
                    for a, b in product(numbers[mine - 1], numbers[theirs - 1]):
                        sides = (dict(zip(*of, strict=True)) for of in ((a, here[:mine]), (b, here[mine:])))
                        yield tuple(tuple(side.get(i) for i in range(stones)) for side in sides)

    corner = [place for place in places if sum(place) < {1: 1, 3: 2, 6: 3}[stones]]
    orders = (
        endgames() if endgame else ((mine, turned(other)) for mine, other in product(permutations(corner), repeat=2))
    )
    return Plain(tuple(outcome for sides in orders for outcome in throw(*sides)), actions, named)
