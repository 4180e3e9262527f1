"""dicebase: solve, certify and catalogue every table that the configuration names."""

import sys
from pathlib import Path
from shlex import quote

from dicebase.pipeline import configuration, run
from dicebase.pipeline.costs import read_costs, resources
from dicebase.pipeline.plan import make_plan
from dicebase.show.pictures.gallery import PICTURES
from dicebase.vocabulary import ConfigurationError

# A configuration given with --configfile replaces the default one; it does not add to it.
if not workflow.configfiles:

    configfile: "config/config.yaml"


try:
    configuration.read(workflow.configfiles)  # raises an error for a repeated name, of which `config` has only the last
    configuration.check(config)
    PLAN = make_plan(config)
except ConfigurationError as error:
    raise WorkflowError(str(error))


# The first page of the report.
report: "workflow/report/workflow.rst"


RESULTS = config.get("results", "results")
# Only the planned files, not all files in the folders, so that a value removed from the grid disappears.
CERTIFICATES = [f"{RESULTS}/certificates/{table}/{name}.parquet" for table, name in PLAN.slices]
TABLES = [*CERTIFICATES, *(f"{RESULTS}/{path}" for piece in PLAN.slices.values() for path in piece.files)]
# `update` keeps the old file for readers while a rule builds it again. In object storage it would look for a local copy
# that does not exist, and an output is a folder.
STORED = workflow.storage_settings.default_storage_provider
MAPPED = f"{RESULTS}/mapped" if STORED else f"{RESULTS}/mapped/tables.json"
COSTS = read_costs()  # for requests to a cluster and the estimate before a run; no table depends on them

# Rules run jobs with `python` of this environment, even if it is not activated.
shell.prefix(f"set -euo pipefail; export PATH={quote(str(Path(sys.executable).parent))}:$PATH; ")


include: "workflow/rules/solve.smk"
include: "workflow/rules/certify.smk"
include: "workflow/rules/catalog.smk"
include: "workflow/rules/map.smk"
include: "workflow/rules/datapackage.smk"
include: "workflow/rules/audit.smk"
include: "workflow/rules/report.smk"
include: "workflow/rules/explorer.smk"


onstart:
    said, counted = run.begin(workflow, PLAN, COSTS, Path(RESULTS), bool(STORED))
    logger.info(said, extra=counted)


onsuccess:
    run.HELD.close()


onerror:
    run.HELD.close()


rule all:
    default_target: True
    input:
        TABLES,
        rules.catalog.output,
        rules.map.output,
        rules.datapackage.output,
        rules.audit.output,
        rules.report.output,
        rules.explorer.output,
