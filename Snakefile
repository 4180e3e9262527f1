"""dicebase: solve, certify and catalogue every table that the configuration names."""

import sys

from dicebase import configuration
from dicebase.errors import ConfigurationError
from dicebase.plan import make_plan

# A configuration given with --configfile replaces the default one; it does not add to it.
if "tables" not in config:

    configfile: "config/config.yaml"


try:
    configuration.check(config)
    PLAN = make_plan(config)
except ConfigurationError as error:
    raise WorkflowError(str(error))

RESULTS = config.get("results", "results")
PYTHON = sys.executable


include: "workflow/rules/solve.smk"
include: "workflow/rules/certify.smk"
include: "workflow/rules/catalog.smk"


rule all:
    default_target: True
    input:
        f"{RESULTS}/dicebase.duckdb",
