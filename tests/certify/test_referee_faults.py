"""Games simulated by a table of each kind agree with its value, and detect deliberate faults without other checks."""

import pytest

from dicebase.certify.published import CertificationError
from dicebase.certify.slices import certify_slice, check_simulation
from support import grids
from support.refereed_tables import FAIR, OF_TWO, TABLES, UNDECIDED, UNPLAYED, flip, games_by, solve

PLAYED = [name for name in TABLES if name not in UNPLAYED]
DECIDING = [name for name in PLAYED if name not in UNDECIDED]


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    """A function that returns (folder, certificate) of a sound slice of a table, solved on first use."""
    root, made = tmp_path_factory.mktemp("sound"), {}

    def get(name):
        if name not in made:
            folder = solve(name, root / name.replace(" ", "_"))
            made[name] = folder, *certify_slice(folder, None, None)
        return made[name]

    return get


@pytest.fixture
def damaged(sound, tmp_path):
    """A copy of a sound slice, to be damaged."""
    return lambda name: grids.copied(sound(name)[0], tmp_path / "slice")


def refused(value, games):
    """Whether the simulation refuses a value without any other check."""

    def fail(row, what):
        raise CertificationError(what)

    try:
        check_simulation(value, games, fail)
    except CertificationError as error:
        assert f"the value is {value!r}, but" in str(error)
        return True
    return False


@pytest.mark.parametrize("name", PLAYED)
def test_games_agree_with_a_sound_table_and_not_with_a_shifted_value(sound, name):
    folder, certificate = sound(name)
    games = games_by(folder)
    assert games.games == certificate.games >= 2000
    assert certificate.simulated_low <= certificate.value <= certificate.simulated_high
    assert not refused(certificate.value, games)
    least = 0.05 if certificate.unit.startswith(("probability", "P(")) else 0.15 * certificate.value
    for wrong in (least, -least):
        assert refused(certificate.value + wrong, games)


@pytest.mark.parametrize("name", DECIDING)
def test_games_do_not_agree_with_flipped_actions(sound, damaged, name):
    folder = damaged(name)
    flip(name, folder)
    if name == "hog_hidden":  # the table lacks the rows to which flipped throws lead
        with pytest.raises(CertificationError, match="a row that the table does not have"):
            games_by(folder)
    else:
        assert refused(sound(name)[1].value, games_by(folder))


@pytest.mark.parametrize("name", sorted(OF_TWO - FAIR))
def test_games_do_not_agree_with_the_value_of_the_other_player(sound, name):
    folder, certificate = sound(name)
    assert refused(1 - certificate.value, games_by(folder))


@pytest.mark.parametrize("name", sorted(UNPLAYED))
def test_a_certificate_says_if_no_games_were_played(sound, name):
    certificate = sound(name)[1]
    assert {certificate.simulated, certificate.simulated_low, certificate.simulated_high, certificate.games} == {None}
