"""The contract of every game. The test file of a game subclasses it and states facts only.

class TestPig(TurnRulesContract):
    game = "pig"
    small = ({"sides": 6}, ...)  # variants small enough to be solved in rationals
    published = (Published("where it is printed", {"sides": 6}, "8.14"), ...)

A game of single throws subclasses ThrowRulesContract, with small variants for each match format.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from fractions import Fraction
from typing import Any, ClassVar, NamedTuple

import pytest

from dicebase.tables.names import Table, find_table, known_tables
from dicebase.tables.writer import Rows
from dicebase.tabulate.slices import tabulator
from dicebase.tabulate.turns import complete
from dicebase.vocabulary import ConfigurationError, Parameter, check_rules, parameters_of
from reference import board_rules, hidden, hidden_rules
from support import contract_boards, contract_throws, contract_turns
from support.printed import agrees


class Published(NamedTuple):
    """A value of the whole game that does not come from this project."""

    source: str  # the publication, or the reason for the value
    variant: dict[str, Any]
    value: str | Fraction | int  # as printed, or exact
    unit: int | Fraction = 1  # points that the source counts as one


class Contract:
    """Checks for any game: its file is found, its parameters are described, and a value is known from elsewhere."""

    game: ClassVar[str]  # the name of its file
    match: ClassVar[str]  # the format in which values are known
    published: ClassVar[Sequence[Published]]
    definitions: ClassVar[Mapping[str, Mapping[str, Any]]] = {}

    def table(self) -> Table:
        return find_table(f"{self.game}_{self.match}")

    def parameters(self) -> list[tuple[Table, Parameter]]:
        """Each parameter of each table of the game, except `layer`, which the plan sets."""
        tables = (table for table in known_tables().values() if table.game == self.game)
        return [(table, p) for table in tables for p in table.parameters if p.name != "layer"]

    def defined(self) -> Mapping[str, Mapping[str, Any]]:
        return {"policies": {"league": ["optimal"]}, **self.definitions}

    def names(self, table: Table) -> dict[str, str]:
        """A defined name for each parameter of a table that takes one."""
        return {p.name: next(iter(self.defined()[p.name])) for p in table.parameters if p.name in self.defined()}

    def build(self, variant: Mapping[str, Any]) -> Any:
        table = self.table()
        return table.build(table.variant(variant, self.definitions, "here"), self.definitions)

    def tabulate(self, variant: Mapping[str, Any]) -> Rows:
        return next(tabulator(self.table())(self.build(variant)))

    def value(self, variant: Mapping[str, Any]) -> tuple[Fraction | float, float]:
        """(value of the whole game, bound on its error)."""
        return self.tabulate(variant).exact, 0

    def test_it_says_what_it_is_and_where_it_comes_from(self):
        rules = self.table().rules_class
        for text in (rules.title, rules.citation, rules.__doc__):
            assert text and text == text.strip()

    def test_every_parameter_has_a_description_limits_and_a_default_within_them(self):
        declared = [p.name for p in parameters_of(self.table().rules_class)]
        chosen = [f.name for f in fields(self.table().rules_class) if not f.kw_only]
        assert declared == chosen, "a field that no variant can choose"
        for _, p in self.parameters():
            assert p.description and not p.description.endswith(".")
            assert (p.low is not None and p.high is not None) if p.kind is int else (p.choices or p.defined)
            if p.kind is int:
                assert p.low <= p.default <= p.high
            elif p.choices:
                assert p.default in p.choices

    def test_a_parameter_out_of_range_is_refused_by_its_place(self):
        for table, p in self.parameters():
            wrong = [p.low - 1, p.high + 1, 1.5, True, "six", "", "--5", "²"] if p.kind is int else ["nosuch", "", 1]
            # Only the rules check a parameter that may be any text; they do not know its place in the configuration.
            for value in (x for x in (wrong[:1] if p.text else wrong) if str(x) not in p.choices):
                with pytest.raises(ConfigurationError) as error:
                    variant = table.variant(self.names(table) | {p.name: value}, self.defined(), "tables.here[0]")
                    assert p.text
                    table.build(variant, self.defined())
                where = p.name if p.text else f"tables.here[0].{p.name}"
                assert where in str(error.value) and repr(value) in str(error.value)
                assert p.text or p.allowed in str(error.value)

    def test_limits_themselves_are_allowed_also_as_text(self):
        for table, p in self.parameters():
            for value in (p.low, p.high) if p.kind is int else p.choices:
                for given in (value, str(value)):
                    variant = table.variant(self.names(table) | {p.name: given}, self.defined(), "here")
                    assert variant[p.name] == value

    def test_an_unknown_parameter_is_refused_by_name(self):
        for table, _ in self.parameters():
            with pytest.raises(ConfigurationError, match=r"tables.here\[0\]: 'sidez' is not a parameter of"):
                table.variant({"sidez": 6}, self.defined(), "tables.here[0]")

    def test_a_value_is_known_from_elsewhere(self):
        assert getattr(self, "published", None), "name at least one published or closed-form value"
        for known in self.published:
            value, bound = (Fraction(x) / known.unit for x in self.value(known.variant))
            printed = isinstance(known.value, str)
            holds = agrees(known.value, value) if printed else abs(known.value - value) <= bound
            assert known.source and holds, f"{known.source}: {known.value}, computed {float(value)!r}"


class TurnRulesContract(Contract):
    """Checks for the rules of a turn; `small` lists the variants to compare state by state."""

    match = "turn"
    small: ClassVar[Sequence[dict[str, Any]]]

    def pytest_generate_tests(self, metafunc):
        if "variant" in metafunc.fixturenames:
            names = [",".join(f"{k}={v}" for k, v in variant.items()) or "default" for variant in self.small]
            metafunc.parametrize("variant", self.small, ids=names)

    def build(self, variant):
        """The game with its values beyond the last total."""
        return complete(super().build(variant))

    def test_it_has_a_word_for_banking(self):
        rules = self.table().rules_class
        assert rules.stop and rules.stop == rules.stop.strip() and "," not in rules.stop
        assert rules.total.isidentifier()

    def test_the_rules_are_lawful(self, variant):
        check_rules(self.build(variant).rules)

    def test_every_state_has_actions_and_play_moves_on(self, variant):
        contract_turns.check_play(self.build(variant))

    def test_the_table_is_the_reference_solution_state_by_state(self, variant):
        contract_turns.check_table(self.build(variant))

    def test_the_exact_solver_is_right_at_every_total_and_mode(self, variant):
        contract_turns.check_exact_turn(self.build(variant))


class FormatsContract(Contract):
    """Checks for several formats; `small` maps a format to the variants to compare state by state."""

    small: ClassVar[Mapping[str, Sequence[dict[str, Any]]]]

    def pytest_generate_tests(self, metafunc):
        if "variant" in metafunc.fixturenames:
            cases = [(format, variant) for format, variants in self.small.items() for variant in variants]
            names = [f"{format}:" + ",".join(f"{k}={v}" for k, v in variant.items()) for format, variant in cases]
            metafunc.parametrize(("format", "variant"), cases, ids=names)


class ThrowRulesContract(FormatsContract):
    """Checks for the rules of a single throw; a format is a match."""

    match = "turn"

    def test_every_match_of_single_throws_is_among_the_small_variants(self):
        assert {"turn", "race", "reach", "duel", "simultaneous"} <= self.small.keys()
        assert all(self.small.values())

    def test_the_rules_are_lawful(self, format, variant):
        check_rules(contract_throws.build(self.game, format, variant).rules)

    def test_the_table_is_the_reference_solution_state_by_state(self, format, variant):
        contract_throws.check_format(self.game, format, variant)


class BoardRulesContract(FormatsContract):
    """Checks for a board; a format is an objective, and `match` is the objective whose values are known. If
    reference/board_rules.py states the rules a second time, tables of `small` and `larger` have the values of these."""

    larger: ClassVar[Mapping[str, Sequence[dict[str, Any]]]] = {}

    def value(self, variant):
        certificate = contract_boards.solved(f"{self.game}_{self.match}", variant).certificate
        return certificate.value, certificate.error_bound

    def test_every_objective_is_among_the_small_variants(self):
        assert self.small.keys() == self.table().rules_class.objectives.keys()
        assert all(self.small.values())

    def test_every_position_has_actions_and_can_be_drawn(self, format, variant):
        contract_boards.check_positions(contract_boards.build(f"{self.game}_{format}", variant))

    def test_the_certified_table_is_the_reference_solution_state_by_state(self, format, variant):
        contract_boards.check_table(f"{self.game}_{format}", variant)

    def test_tables_have_the_values_of_separately_stated_rules(self):
        if hasattr(board_rules, self.game):
            for objective, variants in self.small.items():
                for variant in (*variants, *self.larger.get(objective, ())):
                    contract_boards.check_stated(f"{self.game}_{objective}", variant)


class HiddenRulesContract(Contract):
    """Checks for a game of hidden information, whose rules reference/hidden_rules.py states a second time; `small`
    lists further variants to compare."""

    match = "duel"
    small: ClassVar[Sequence[dict[str, Any]]] = ()
    value = BoardRulesContract.value

    def stated(self, variant: dict[str, Any]) -> hidden_rules.Plain:
        return getattr(hidden_rules, self.game)(**self.table().variant(variant, {}, "here"))

    def test_no_best_response_by_separately_stated_rules_gains_more_than_the_bound(self):
        for variant in (*(known.variant for known in self.published), *self.small):
            table = contract_boards.solved(f"{self.game}_{self.match}", variant)
            strategies: dict[int, dict] = {1: {}, 2: {}}
            for (player, *seen), actions in table.actions.items():
                total = sum(Fraction(row["probability"]) for row in actions.values())
                mix = {action: Fraction(row["probability"]) / total for action, row in actions.items()}
                strategies[player][tuple(seen)] = mix
            rules = self.stated(variant)
            high, low = (hidden.best_response(rules, p, [(Fraction(1), strategies[3 - p])])[0] for p in (1, 2))
            middle, bound = (Fraction(getattr(table.certificate, name)) for name in ("value", "error_bound"))
            assert 0 <= high + low <= bound <= Fraction(1, 10**12)
            assert -low - bound <= middle <= high + bound


def subclasses(module: Any) -> Iterator[type[Contract]]:
    """The contracts that a test module fulfils."""
    return (c for c in vars(module).values() if isinstance(c, type) and issubclass(c, Contract) and hasattr(c, "game"))
