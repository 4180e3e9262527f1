"""Policies in games of hidden information: exact worst cases, the losses of mistakes, and reviews of recorded games."""

from fractions import Fraction

import pyarrow as pa
import pyarrow.csv
import pytest

from dicebase import policies
from dicebase.vocabulary import ConfigurationError
from reference.hidden import best_response
from support import grids
from support.contract_boards import build

NAME = "kuhn_poker_duel"
HONEST = {("K", "-"): "bet", ("Q", "-"): "check", ("J", "-"): "check", ("Q", "check,bet"): "fold"}
HONEST |= {("J", "check,bet"): "fold"}


GRID = grids.of("kuhn", f"tables: {{{NAME}: [{{}}]}}")


def rows(moves):
    keys = [{"player": 1, "card": card, "history": history, "action": a} for (card, history), a in moves.items()]
    return pa.Table.from_pylist(keys)


def test_the_worst_case_of_a_policy_is_that_of_a_best_response_in_rationals(results):
    """The policy of player 1 never bluffs; the table plays for player 2."""
    found = policies.report(results, NAME, rows(HONEST))
    strategy = {seen: {action: Fraction(1)} for seen, action in HONEST.items()}
    gain, _ = best_response(build(NAME, {}).rules, 2, [(Fraction(1), strategy)])
    assert gain == Fraction(1, 3)  # fold to the bet of a king, bet against the other cards
    assert found["worst_first"] == pytest.approx(-float(gain), abs=1e-15)
    assert found["worst_second"] == pytest.approx(1 / 18, abs=1e-15)
    assert found["exploitability"] == pytest.approx(float(gain - Fraction(1, 18)) / 2, abs=1e-15)


def test_losses_of_mistakes_add_up_to_the_loss_against_the_table(results):
    found = policies.report(results, NAME, "random")
    rows = policies.mistakes(results, NAME, "random")
    assert sum(rows["loss"].to_pylist()) == pytest.approx(-found["average"], abs=1e-14)
    assert policies.evaluate(results, NAME, "optimal")["first"] == pytest.approx(-1 / 18, abs=1e-15)


def test_the_best_response_earns_what_it_should(results):
    answer = policies.respond(results, NAME, rows(HONEST))
    response = policies.response(results, NAME, rows(HONEST))
    assert policies.evaluate(results, NAME, response, rows(HONEST))["second"] == pytest.approx(answer["second"])


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({("Q", "-"): "call"}, "not a legal action there: player=1 card=Q history=- action=call"),
        ({("A", "-"): "bet"}, "not an information set: player=1 card=A history=-"),
        ({("Q", "-"): None}, "a set is missing: player=1 card=Q history=-"),
    ],
)
def test_a_wrong_policy_is_refused_by_its_row(results, changed, message):
    moves = {seen: action for seen, action in (HONEST | changed).items() if action}
    with pytest.raises(ConfigurationError, match=message):
        policies.evaluate(results, NAME, rows(moves))


def test_a_file_may_state_exceptions_from_a_policy(results, tmp_path):
    pa.csv.write_csv(rows({("Q", "-"): "bet"}), tmp_path / "queen.csv")
    found = policies.report(results, NAME, f"optimal except {tmp_path}/queen.csv")
    assert found["first"] == pytest.approx(-1 / 18 - 1 / 3 * 1 / 6, abs=1e-15)
    assert [m["card"] for m in found["mistakes"]] == ["Q"] and found["second"] == pytest.approx(1 / 18, abs=1e-15)
