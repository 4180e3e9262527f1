"""The exact distribution of a scorecard's final score, in integers.

A distribution is a polynomial, the coefficient of z**s being the weight of score s, and a polynomial is one long
integer: its value at z = 2**bits with coefficients of fewer bits. Sums and shifts of integers then do all the work.
"""

from math import comb

from dicebase.solve.sheets.one_roll.policies import Card


class Scores(Card):
    """Final scores under the weights of a scorecard, which are not in lowest terms."""

    @property
    def total(self) -> int:
        """The sum of all weights of a whole game."""
        return sum(self.weights.values()) ** len(self.factors)

    @property
    def bits(self) -> int:
        return self.total.bit_length() + 1

    def _shift(self, slot: int, roll: int) -> int:
        """A gain as a shift of a polynomial, which must not be negative."""
        return (self._gain(slot, roll) - min(self._gain(slot, x) for x in self.weights)) * self.bits

    def _unpacked(self, polynomial: int) -> dict[int, int]:
        mask = (1 << self.bits) - 1
        return {self.least + s: n for s in range(self.size) if (n := polynomial >> s * self.bits & mask)}

    def optimal(self) -> dict[int, int]:
        """{score: weight} of the strategy that maximises the expected score, ties to the lowest slot."""
        polynomials = [1] + [0] * (len(self.order) - 1)
        for free, best in enumerate(self.order[1:, :, 0].tolist(), 1):
            for (roll, weight), i in zip(self.weights.items(), best, strict=True):
                polynomials[free] += weight * polynomials[free ^ 1 << i] << self._shift(i + 1, roll)
        return self._unpacked(polynomials[-1])

    def random(self) -> dict[int, int]:
        """{score: weight} where slots are chosen at random."""
        counted = self.play_at_random()
        return {self.least + s: n * (self.total // self.games) for s, n in enumerate(counted) if n}

    def clairvoyant(self) -> dict[int, int]:
        """{score: weight} where the rolls are sorted before they are placed.

        From the highest roll down: of `open_slots` rolls not above y, k are equal to y and go to the highest slots.
        """
        slots = len(self.factors)
        polynomials = [0] * slots + [1]  # by the number of slots still open
        for roll, weight in sorted(self.weights.items(), reverse=True):
            after = [0] * (slots + 1)
            for open_slots, polynomial in enumerate(polynomials):
                shift = 0
                for k in range(open_slots + 1 if polynomial else 0):
                    if k:
                        shift += self._shift(open_slots - k + 1, roll)
                    after[open_slots - k] += comb(open_slots, k) * weight**k * polynomial << shift
            polynomials = after
        return self._unpacked(polynomials[0])
