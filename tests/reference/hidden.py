"""Best responses and payoffs in games of hidden information, in rationals and without linear programs over sequences.

A best response is found by walking forward: all positions that a player cannot tell apart at the next own decision are
carried on together. If no best response to either player's strategy gains, the strategies are an equilibrium.
"""

from fractions import Fraction


def best_response(rules, player, mixture):
    """(payoff to `player`, plan) of a best response to a mixture of the opponent's strategies, [(weight, strategy)].

    A strategy maps an observation to {action: probability}; where it has none, the first action is played. A plan is
    a strategy too, without the sets that the mixture never leads to.
    """
    plan, sign = {}, 1 if player == 1 else -1

    def value(positions):
        total, sets = Fraction(0), {}
        while positions:
            after, weight, paid, strategy = positions.pop()
            outcomes = list(rules.outcomes(after))
            share = weight / sum(outcome[0] for outcome in outcomes)
            for times, state, reward, _ in outcomes:
                here = share * times, paid + reward, strategy
                if state is None:
                    total += sign * here[0] * here[1]
                    continue
                seen = rules.observation(state, rules.mover(state))
                if rules.mover(state) == player:
                    sets.setdefault(seen, []).append((state, here))
                    continue
                for action, chance in strategy.get(seen, {rules.actions(state)[0]: 1}).items():
                    if chance:
                        positions.append((rules.afterstate(state, action), here[0] * chance, *here[1:]))
        for seen, group in sets.items():
            worth = {
                action: value([(rules.afterstate(state, action), *here) for state, here in group])
                for action in rules.actions(group[0][0])
            }
            best = max(worth, key=worth.get)
            plan[seen] = {best: Fraction(1)}
            total += worth[best]
        return total

    return value([(rules.start(), weight, Fraction(0), strategy) for weight, strategy in mixture if weight]), plan


def payoff(rules, mine, theirs):
    """The payoff to player 1 if both follow strategies, as in `best_response`."""
    total, positions = Fraction(0), [(rules.start(), Fraction(1), Fraction(0))]
    while positions:
        after, weight, paid = positions.pop()
        outcomes = list(rules.outcomes(after))
        for times, state, reward, _ in outcomes:
            share = weight * times / sum(outcome[0] for outcome in outcomes)
            if state is None:
                total += share * (paid + reward)
                continue
            player = rules.mover(state)
            seen = rules.observation(state, player)
            for action, chance in (mine, theirs)[player - 1].get(seen, {rules.actions(state)[0]: 1}).items():
                positions.append((rules.afterstate(state, action), share * chance, paid + reward))
    return total
