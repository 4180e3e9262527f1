"""The second witness: what a published table claims, checked from the rules and the Parquet files alone.

A table of decisions is checked by decisions.py, another listing by the module that has the name of its match format.
Then games are played by the table, where that can be done, and the value must lie in the interval of their mean.
Nothing here has seen the production solvers or their arrays.
"""

import math
import sys
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn

from dicebase.certify.certificate import Certificate, write_certificates
from dicebase.certify.finding import Certifier, Fail
from dicebase.certify.published import CertificationError, File, Published, Rows
from dicebase.certify.simulation import Simulation, seed_of
from dicebase.tables.names import Table, find_table
from dicebase.tables.parquet import ACTIONS, STATES, actions_schema, check_pair, states_schema
from dicebase.vocabulary import Layout, Listing, State, read_rational


def certify_slice(folder: Path, certificate: Path | None, key: Mapping[str, Any] | None) -> list[Certificate]:
    """Certify the tables of a slice; write the certificate, if a path is given, only when every variant holds.

    Raises CertificationError at the first claim that fails, DamagedFileError where a file cannot be read.
    """
    footer = check_pair(folder)
    table = find_table(footer["key"]["table"])
    certificates = []
    for claim, game, published, place in published_in(folder):
        certificates.append(_certify(game, published, place, claim, footer, table))
        print(f"{place}: holds, error bound {certificates[-1].error_bound:.3g}", file=sys.stderr)
    if certificate:
        write_certificates(certificate, certificates, table, footer["title"], key)
    return certificates


def published_in(folder: Path) -> Iterator[tuple[Mapping[str, Any], Listing, Any, str]]:
    """(what the footer claims, what is listed, its rows, how messages call it) of each variant of a slice."""
    footer = check_pair(folder)
    table = find_table(footer["key"]["table"])
    states, actions = (File(folder / name) for name in (STATES, ACTIONS))
    for claim in footer["variants"]:
        variant = table.variant(claim["parameters"], footer["key"]["definitions"], str(folder))
        place = f"{table.name} {' '.join(f'{name}={value}' for name, value in variant.items())}"
        try:
            game = table.build(variant, footer["key"]["definitions"], claim["continuation"]).stored
        except ValueError as error:
            raise CertificationError(f"{place}: {error}") from error
        for file, schema in ((states, states_schema(table, game)), (actions, actions_schema(table, game))):
            if file.names != schema.names:
                raise CertificationError(f"{folder}: has the columns {file.names}, not {schema.names}")
        rows, of_actions = states.following(variant, place), actions.following(variant, place)
        if not rows.count:
            raise CertificationError(f"{place}: has no rows where they should begin, row {rows.first}")
        if actions.count and game.layout is not Layout.DECISIONS:
            raise CertificationError(f"{folder}: {ACTIONS} has rows; those of states say everything")
        yield claim, game, _whole(game, rows, of_actions, place), place
    if states.read < states.count or actions.read < actions.count:
        raise CertificationError(f"{folder}: has rows of variants that its footer does not name")


def _whole(game: Listing, states: Rows, actions: Rows, place: str) -> Published | Rows:
    """The rows of a variant, read but where they may be millions."""
    if game.layout is Layout.TWO_ACTIONS:
        return states
    published = Published(game, states.columns(), actions.columns())
    published.check_order(place)
    return published


def _certify(
    game: Listing,
    published: Published | Rows,
    place: str,
    claim: Mapping[str, Any],
    footer: Mapping[str, Any],
    table: Table,
) -> Certificate:
    def fail(row: State | None, what: str) -> NoReturn:
        names = [c.name for c in game.columns]
        where = "" if row is None else " at " + " ".join(f"{n}={v}" for n, v in zip(names, row, strict=True))
        raise CertificationError(f"{place}{where}: {what}")

    try:
        exact = None if claim["exact"] is None else read_rational(claim["exact"])
    except ValueError as error:
        raise CertificationError(f"{place}: the exact value: {error}") from error
    checks: Certifier = import_module(table.certifier(game))
    found = checks.check(game, published, exact, fail)
    if exact is not None and abs(float(exact) - found.value) > found.value_bound + math.ulp(found.value):
        fail(None, f"the exact value is given as {float(exact)!r}, the rules give {found.value!r}")
    value = found.value if exact is None else float(exact)
    seed = seed_of(table.name, claim["parameters"], footer["key"]["definitions"])
    games = checks.simulated(game, published, seed)
    check_simulation(value, games, fail)
    # What the solver claims of the variant, and says of itself, besides what is found here.
    said = {name: claim[name] for name in ("parameters", "exact", "continuation", "seconds", "note")}
    said |= {name: footer["key"][name] for name in ("slice", "definitions", "solver")}
    return Certificate(
        **said,
        table=table.name,
        citation=footer["citation"],
        value=value,
        unit=game.unit_of_game,
        error_bound=found.bound,
        error_bound_proof=found.proof,
        states=published.count if found.states is None else found.states,
        actions=len(published.actions["action"]) if found.actions is None else found.actions,
        residual=found.residual,
        simulated=games and games.mean,
        simulated_low=games and games.low,
        simulated_high=games and games.high,
        games=games and games.games,
    )


def check_simulation(value: float, games: Simulation | None, fail: Fail) -> None:
    """Fail where the value of the game is not what games by its table agree with."""
    if games and not games.low <= value <= games.high:
        between = f"{games.mean:.6g} in the mean, which says from {games.low:.6g} to {games.high:.6g}"
        fail(None, f"the value is {value!r}, but {games.games} games by the table earn {between}")
    if games and games.against_chance is not None and value > games.against_chance:
        fail(None, f"the value is {value!r}, but against chance the table earns {games.against_chance:.6g} at the most")
