"""Fixtures for the tests of `verify`."""

import hashlib
import shutil

import pytest

from dicebase.cli import main
from dicebase.pipeline.checks import compare_copies, verify
from dicebase.tables.layout import ACTIONS, CATALOG, CERTIFICATES, TABLES, VALUES, SliceFiles


@pytest.fixture(scope="module")
def catalogues(tmp_path_factory):
    """Save time: `verify` builds a catalogue and certifies a slice only once per module for files of the same bytes."""
    real, made = compare_copies.build_catalog, tmp_path_factory.mktemp("catalogues")
    certify, certified = verify.certify_slice, {}

    def key_of(said, places, folders):
        key = hashlib.sha256(repr(said).encode())
        for files in places:
            for folder in folders:
                path = files.within(folder)
                key.update(path.read_bytes() if path.exists() else folder.encode())
        return key.hexdigest()

    def build(results, slices, finish):
        slices = list(slices)
        said, places = (slices, finish is compare_copies.store_audit), [SliceFiles(results, *s) for s in slices]
        kept = made / key_of(said, places, (TABLES, ACTIONS, VALUES, CERTIFICATES))
        if not kept.exists():
            shutil.copy(real(results, slices, finish), kept)
        shutil.copy(kept, results / CATALOG)

    def certified_once(files, *nowhere):
        key = key_of((files.table, files.name), [files], (TABLES, ACTIONS, VALUES))
        if key not in certified:
            certified[key] = certify(files, *nowhere)
        return certified[key]

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(compare_copies, "build_catalog", build)
        patched.setattr(verify, "certify_slice", certified_once)
        yield


@pytest.fixture(name="verify")
def verify_command(request, capsys):
    """Run `dicebase verify` on the results, or on the copy that a test damages; return (lines of what holds, {place:
    problem})."""
    name = "results_copy" if "results_copy" in request.fixturenames else "results"
    results = request.getfixturevalue(name)

    def verify(*words):
        capsys.readouterr()
        code = main(["verify", str(results), *map(str, words)])
        out, err = capsys.readouterr()
        assert "Traceback" not in err
        found = [line.split(": ", 1) for line in err.splitlines() if ": " in line and ": holds, value " not in line]
        assert code == bool(found)
        return out.splitlines(), dict(found)

    return verify
