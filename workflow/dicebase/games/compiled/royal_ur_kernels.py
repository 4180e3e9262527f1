"""Kernels over the numbered positions of the Royal Game of Ur; royal_ur.py defines the numbers."""

from typing import NamedTuple

import numpy as np

from dicebase.vocabulary.kernels import inner, kernel


class Squares(NamedTuple):
    """The squares as arrays.

    shared : (way,), base-3 digit of each square of a path, or -1.
    alone : (way,), bit of each square of a path that only the mover uses, or -1.
    marked : (way,), whether a square is a rosette.
    safe : (way,), whether pieces are safe on a square.
    mirrored : (3**shared squares,), content of the shared squares as the opponent sees it.
    x, o : (3**shared squares,), the mover's and the opponent's pieces on the shared squares.
    order : (2**own squares,), sets of own squares, ordered by size.
    place : (2**own squares,), the index of each set in `order`.
    up_to : (8,), entry n is the number of sets of own squares with at most n pieces.
    """

    shared: np.ndarray
    alone: np.ndarray
    marked: np.ndarray
    safe: np.ndarray
    mirrored: np.ndarray
    x: np.ndarray
    o: np.ndarray
    order: np.ndarray
    place: np.ndarray
    up_to: np.ndarray


@kernel(_nrt=True)
def mirrored(mirror):
    """Return the arrays (mirrored, x, o) of Squares. mirror : (shared squares,), the opponent's index of each digit."""
    digits = len(mirror)
    found, x, o = np.zeros((3, 3**digits), np.int32)
    for i in range(digits):
        for content in range(3**i, 3 ** (i + 1)):
            digit, rest = content // 3**i, content % 3**i
            x[content] = x[rest] + (digit == 1)
            o[content] = o[rest] + (digit == 2)
            found[content] = found[rest] + (3 - digit) * 3 ** mirror[i]
    return found, x, o


@kernel(_nrt=True)
def offsets_of(of, mine, theirs):
    """Return the first position in a block of each content of the shared squares, or if it has too many pieces, the
    complement ~position of that of the next one, and finally the size of the block: (3**shared squares + 1,)."""
    found, end = np.empty(len(of.x) + 1, np.int64), 0
    for content in range(len(of.x)):
        found[content] = ~end
        if of.x[content] <= mine and of.o[content] <= theirs:
            found[content] = end
            end += of.up_to[mine - of.x[content]] * of.up_to[theirs - of.o[content]]
    found[-1] = end
    return found


@kernel(_nrt=True)
def fill_moves(of, rolls, mine, theirs, capture_again, begins, same, swapped, home, low, high, count, ends, to):
    """Fill in the moves of positions low to high - 1 of a block, and return the number of moves so far.

    of : Squares; rolls : number of outcomes of the dice; mine, theirs : pieces of the players not yet home.
    begins : (3,), first positions of this block, of the opponent's view of it, and of that after a piece came home.
    same, swapped, home : offsets of these three blocks, see `offsets_of`.
    count : the number of moves written before.
    ends : output, [(position - low) * rolls + roll]: end of its moves.
    to : output, [move]: the position it leads to, ~position if the opponent throws next.

    The moves do not depend on the opponent's own squares, so they are found once for all sets of these: `leads` is the
    target with none of them occupied, `wide` the increment per place of the opponent's set.
    """
    way = len(of.shared)
    lies, last = np.empty(way, np.int64), np.empty(rolls + 1, np.int64)
    leads, wide, again = np.empty((3, rolls * (way + 1)), np.int64)
    falls, number = 0, 0
    for content in range(len(of.x)):
        if same[content] < 0:
            continue
        others = of.order[: of.up_to[theirs - of.o[content]]]
        all_own = of.up_to[mine - of.x[content]]
        if number >= high or number + all_own * len(others) <= low:
            number += all_own * len(others)
            continue
        for own in of.order[:all_own]:
            begin, number = number, number + len(others)
            if begin >= high or number <= low:
                continue
            waiting, end = mine - of.x[content] - fill_path(of, content, own, lies), 0
            for roll in range(rolls):
                last[roll] = end
                for square in range(-1, way if roll else -1):
                    there = square + roll
                    if not may_move(of, lies, waiting, square, there):
                        continue
                    if there == way and mine == 1:
                        leads[end], wide[end], again[end] = begins[2], 0, 0
                        end += 1
                        continue
                    captured = there < way and lies[there] == 2
                    shared, alone = moved(of, content, own, square, there, captured)
                    again[end] = there < way and (of.marked[there] or (captured and capture_again))
                    if again[end]:
                        row = of.up_to[theirs - of.o[shared]]
                        leads[end], wide[end] = begins[0] + same[shared] + of.place[alone] * row, 1
                    elif there == way:
                        leads[end], wide[end] = as_the_other_sees(of, shared, alone, mine - 1, home, begins[2])
                    else:
                        leads[end], wide[end] = as_the_other_sees(of, shared, alone, mine, swapped, begins[1])
                    end += 1
                if end == last[roll]:
                    leads[end], wide[end] = as_the_other_sees(of, content, own, mine, swapped, begins[1])
                    again[end] = 0
                    end += 1
            last[rolls] = end
            others_here = others[max(0, low - begin) : high - begin]
            count = fill_others(of, others_here, last, leads, wide, again, falls, count, ends, to)
            falls += rolls * len(others_here)
    return count


@inner
def fill_others(of, others, last, leads, wide, again, falls, count, ends, to):
    """Fill in the moves of the positions with each of the opponent's sets of own squares in `others`; last : (rolls +
    1,), where the moves of each roll begin. Other arguments as in `fill_moves`. Return the number of moves so far."""
    for other in others:
        for roll in range(len(last) - 1):
            for move in range(last[roll], last[roll + 1]):
                place = leads[move] + wide[move] * of.place[other]
                to[count] = place if again[move] else ~place
                count += 1
            ends[falls] = count
            falls += 1
    return count


@inner
def may_move(of, lies, waiting, square, there):
    """Return whether a piece on `square`, or one of those waiting if that is -1, may move to `there`."""
    way = len(lies)
    if there > way or (lies[square] != 1 if square >= 0 else waiting == 0):
        return False
    return there == way or lies[there] == 0 or (lies[there] == 2 and not of.safe[there])


@inner
def fill_path(of, content, own, lies):
    """Fill `lies`, (way,), with what lies on each square of the mover's path: nothing, 1 : the mover's piece, 2 : the
    opponent's. Return the number of the mover's pieces on own squares."""
    pieces = 0
    for square in range(len(lies)):
        if of.alone[square] >= 0:
            lies[square] = own >> of.alone[square] & 1
            pieces += lies[square]
        else:
            lies[square] = content // 3 ** of.shared[square] % 3
    return pieces


@inner
def moved(of, content, own, square, there, captured):
    """Return (content of the shared squares, set of own squares) after a piece has moved from `square`, or has entered
    if that is -1, to `there`, or home if that is beyond the path."""
    way, shared, alone = len(of.shared), content, own
    if square >= 0 and of.alone[square] >= 0:
        alone ^= 1 << of.alone[square]
    elif square >= 0:
        shared -= 3 ** of.shared[square]
    if there < way and of.alone[there] >= 0:
        alone ^= 1 << of.alone[there]
    elif there < way:
        shared += (-1 if captured else 1) * 3 ** of.shared[there]
    return shared, alone


@inner(inline="always")
def as_the_other_sees(of, shared, own, mine, offsets, begin):
    """Return (number of a position as the opponent sees it, if none of the opponent's own squares is occupied;
    increment per place of the opponent's set). `mine` counts my pieces not yet home, `own` is my set of own squares."""
    content = of.mirrored[shared]
    return begin + offsets[content] + of.place[own], of.up_to[mine - of.o[content]]


@kernel(_nrt=True)
def fill_columns(of, mine, theirs, offsets, first, places, board, waits, theirs_wait):
    """Fill in the positions of a block numbered from `first`.

    places : (squares,), index in the board's text of each shared square, own square and opponent's own square.
    board : output, (rows, squares) of uint8, preset to empty squares.
    waits, theirs_wait : output, (rows,), the players' pieces yet to enter.
    """
    shared_squares, alone_squares = len(of.shared) - (of.alone >= 0).sum(), (of.alone >= 0).sum()
    low, high, row, end = 0, len(of.x), 0, len(board)
    while high - low > 1:  # search for the content of the first position
        middle = (low + high) // 2
        if max(offsets[middle], ~offsets[middle]) <= first:
            low = middle
        else:
            high = middle
    number = offsets[low]
    for content in range(low, len(of.x)):
        if offsets[content] < 0:
            continue
        for own in of.order[: of.up_to[mine - of.x[content]]]:
            for other in of.order[: of.up_to[theirs - of.o[content]]]:
                if number >= first:
                    if row == end:
                        return
                    waits[row], theirs_wait[row] = mine - of.x[content], theirs - of.o[content]
                    for i in range(shared_squares):
                        lies = content // 3**i % 3
                        if lies:
                            board[row, places[i]] = 120 if lies == 1 else 111
                    for i in range(alone_squares):
                        if own >> i & 1:
                            board[row, places[shared_squares + i]] = 120
                            waits[row] -= 1
                        if other >> i & 1:
                            board[row, places[shared_squares + alone_squares + i]] = 111
                            theirs_wait[row] -= 1
                    row += 1
                number += 1
