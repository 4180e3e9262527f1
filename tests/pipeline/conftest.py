"""What the tests of the pipeline share."""

import hashlib
import shutil

import pytest

from dicebase.pipeline import made_again
from dicebase.tables.layout import CATALOG, SliceFiles


@pytest.fixture(scope="module")
def catalogues(tmp_path_factory):
    """What `verify` makes again of tables that nobody has altered is made once a module, by their bytes."""
    real, made = made_again.build_catalog, tmp_path_factory.mktemp("catalogues")

    def build(results, slices, finish, made_by):
        slices = list(slices)
        key = hashlib.sha256(repr((slices, finish is made_again.store_audit, made_by)).encode())
        for place in slices:
            for folder in ("tables", "actions", "values", "certificates"):
                path = SliceFiles(results, *place).within(folder)
                key.update(path.read_bytes() if path.exists() else folder.encode())
        kept = made / key.hexdigest()
        if not kept.exists():
            shutil.copy(real(results, slices, finish, made_by), kept)
        shutil.copy(kept, results / CATALOG)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(made_again, "build_catalog", build)
        yield
