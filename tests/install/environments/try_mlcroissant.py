"""Run by test_environments.py in an environment with mlcroissant: the metadata is valid and leads to the rows."""

import itertools
import sys

import mlcroissant

dataset = mlcroissant.Dataset(sys.argv[2])
assert not dataset.metadata.issues.errors if hasattr(dataset.metadata, "issues") else True
names = {record_set.name for record_set in dataset.metadata.record_sets}
assert {"pig_turn", "ten_thousand_turn", "ten_thousand_turn_actions", "pig_duel_values"} & names >= {"pig_turn"}
row = next(r for r in dataset.records("pig_turn") if r["pig_turn/sides"] == 6 and r["pig_turn/turn_total"] == 20)
assert row["pig_turn/value"] == 20 and row["pig_turn/action"] == b"hold"
assert len([*itertools.islice(dataset.records("pig_turn_actions"), 5)]) == 5
