"""Facts that stand in several files of the project agree."""

import re
import tomllib

import pytest
import yaml

import dicebase
from support.commands import ROOT

MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def test_all_files_state_the_same_version():
    version = tomllib.loads(read("pyproject.toml"))["project"]["version"]
    assert yaml.safe_load(read("CITATION.cff"))["version"] == version
    assert re.search(r"^## (\S+)", read("CHANGELOG.md"), re.M)[1] == version


def test_the_package_is_typed_and_lists_its_public_names():
    assert {"Catalog", "DicebaseError", "Limits", "open", "solve"} <= {*dicebase.__all__}
    assert all(hasattr(dicebase, name) for name in dicebase.__all__)
    assert (ROOT / "workflow/dicebase/py.typed").is_file()


@pytest.mark.parametrize("name", ["tests.yml", "publish.yml", ".ci/run", "CONTRIBUTING.md", "docs/use/install.md"])
def test_targets_named_in_files_are_in_the_makefile(name):
    text = read(f".github/workflows/{name}" if name.endswith(".yml") else name)
    called = {word for words in re.findall(r"\bmake((?: [a-z0-9]+)+)(?= PY|`|$)", text, re.M) for word in words.split()}
    targets = {word for line in re.findall(r"^([a-z0-9 ]+):", MAKEFILE, re.M) for word in line.split()}
    assert called and called <= targets | {"s3", "slurm"}


def test_the_locks_agree_and_have_all_dependencies():
    """Every pinned package has its digest, and building needs the same versions with and without the tools."""
    pinned = {
        name: dict(
            re.findall(r"^([a-z0-9._-]+)==(\S+) \\\n    --hash=sha256:", read(f"requirements/{name}.lock"), re.M)
        )
        for name in ("dicebase", "dev", "environments")
    }
    assert pinned["dicebase"].items() < pinned["dev"].items()
    project = tomllib.loads(read("pyproject.toml"))["project"]
    extras = project["optional-dependencies"]
    asked = {"dicebase": ["build", "excel", "serve"]}
    asked["dev"] = re.search(r"^DEV_EXTRAS := (.*)", MAKEFILE, re.M)[1].split()
    asked["environments"] = ["gymnasium", "pettingzoo", "openspiel", "verifiers", "model"]
    assert {*extras} == {*asked["environments"], *asked["dev"]}
    for name, of in asked.items():
        needed = project["dependencies"] * (name != "environments") + [p for extra in of for p in extras[extra]]
        names = {re.match(r"[a-z0-9_-]+", package)[0].replace("_", "-") for package in needed}
        assert names - {"dicebase"} <= pinned[name].keys()


def test_a_tag_publishes_the_wheel_the_dataset_and_the_explorer():
    jobs = yaml.safe_load(read(".github/workflows/publish.yml"))["jobs"]
    assert {*jobs} == {"build", "explorer", "release", "wheel", "dataset"}
    assert all(jobs[name]["needs"] == "build" for name in jobs.keys() - {"build"})
    told = read("CONTRIBUTING.md")
    assert all(word in told for word in ("publish.yml", "`PYPI`", "`DATASET`", "`HF_TOKEN`"))
