"""The points that each decision of a strategy for a score sheet loses, compared with the best decision. The expected
sum of these losses over a game is the difference between the strategy's score and the optimal score."""

import numpy as np

from dicebase.solvers.sheets.entries import entries_of
from dicebase.solvers.sheets.plays import Strategy, decide, thrown, worths
from dicebase.vocabulary import Sheet
from dicebase.vocabulary.kernels import kernel


def losses(rules: Sheet, strategy: Strategy, optimal: Strategy) -> tuple[np.ndarray, np.ndarray]:
    """Return the points lost and the number of decisions, averages per game, each (boxes + rerolls,): first by the box
    chosen, then by rerolls left (1, 2, ...) for the choice of dice to keep."""
    size = len(rules.boxes) + rules.rolls - 1
    chances = np.zeros_like(optimal.values)
    chances[rules.fresh.open, 0, 0] = 1
    lost, times = np.zeros(size), np.zeros(size)
    _add(chances, lost, times, entries_of(rules), strategy, optimal)
    return lost, times


@kernel(_nrt=True, error_model="numpy")
def _add(chances, lost, times, entries, strategy, optimal):
    """Play forward and add up `lost` and `times`, (boxes + rerolls,). chances : (2**boxes, 2, upper totals)."""
    boxes, at = len(lost) - entries.throws + 1, entries.upper_at
    for card in range(len(chances) - 1, 0, -1):
        for bonus in range(2):
            for upper in range(at + 1):
                chance = chances[card, bonus, upper]
                if chance == 0:
                    continue
                worth = worths(card, bonus, upper, entries, strategy)
                truth = worths(card, bonus, upper, entries, optimal)
                chosen, kept, _ = decide(worth, entries)
                last, best, K = decide(truth, entries)
                there = entries.chances
                for again in range(entries.throws - 1, 0, -1):
                    given = 0.0
                    for roll in range(len(there)):
                        given += there[roll] * (K[again, best[again, roll]] - K[again, kept[again, roll]])
                    lost[boxes + again - 1] += chance * given
                    times[boxes + again - 1] += chance
                    there = thrown(there, kept[again], entries)
                for roll in range(len(there)):
                    e = chosen[roll]
                    share, total = chance * there[roll], min(at, upper + entries.upper[e])
                    lost[entries.box[e]] += share * (truth[last[roll]] - truth[e])
                    times[entries.box[e]] += share
                    chances[card ^ 1 << entries.box[e], bonus | entries.earns[e], total] += share
