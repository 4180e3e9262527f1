"""One turn by plain recursion over its rules, for any kind of number."""

from dicebase.vocabulary import Loss, Turn


def roll_worth(rules: Turn, totals, *, bank, beyond, end=None, bust=0, wipe=0, choose=max):
    """{(total, mode): value of rolling} for `totals`, which are points in falling order.

    bank(total) is the value of banking, end(total) that of a forced end, beyond(total, mode) V above the first total.
    """
    W = {}

    def V(total, mode):
        if mode is None:
            return end(total)
        if total > totals[0]:
            return beyond(total, mode)
        return choose(bank(total), W[total, mode])

    for total in totals:
        for mode in rules.modes:
            rolls = list(rules.rolls(total, mode))
            worth = 0
            for roll in rolls:
                if roll.loss is None:
                    worth += roll.weight * choose(V(total + o.gain, o.mode) for o in roll.options)
                else:
                    worth += roll.weight * {Loss.BUST: bust, Loss.WIPE: wipe}[roll.loss]
            W[total, mode] = worth / sum(roll.weight for roll in rolls)
    return W


def loss_chance(rules: Turn, totals, loss: Loss, *, V, rolls_on, one, choose=max):
    """{(total, mode): chance that rolling ends in `loss`} for a player who rolls on where `rolls_on(total, mode)`.

    Of several options the player takes one of the best V(total, mode), the largest gain first. `one` is the number 1
    in the type to compute with. Nothing is lost above the first of `totals`, nor at a forced end.
    """
    P = {}
    for total in totals:
        for mode in rules.modes:
            rolls = list(rules.rolls(total, mode))
            chance = 0 * one
            for roll in rolls:
                if roll.loss is loss:
                    chance += roll.weight * one
                elif roll.loss is None:
                    options = sorted(roll.options, key=lambda o: (-o.gain, o.mode or 0))
                    o = choose(options, key=lambda o, t=total: V(t + o.gain, o.mode))
                    reached = total + o.gain, o.mode
                    if o.mode is not None and reached[0] <= totals[0] and rolls_on(*reached):
                        chance += roll.weight * P[reached]
            P[total, mode] = chance / sum(roll.weight for roll in rolls)
    return P
