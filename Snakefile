"""dicebase: solve, certify and catalogue every table that the configuration names."""

import atexit
import sys
from contextlib import ExitStack
from os.path import exists
from pathlib import Path
from shlex import quote

from dicebase.catalog.row_arrays import are_whole
from dicebase.pipeline import alone, configuration, forked
from dicebase.pipeline.costs import estimate, job_name, mem_mb, read_costs, runtime
from dicebase.pipeline.plan import make_plan
from dicebase.show.explorer.page import is_whole
from dicebase.show.pictures.gallery import PICTURES
from dicebase.vocabulary import ConfigurationError

# A configuration given with --configfile replaces the default one; it does not add to it.
if not workflow.configfiles:

    configfile: "config/config.yaml"


try:
    configuration.read(workflow.configfiles)  # refuses a name given twice, of which only the last is in `config`
    configuration.check(config)
    PLAN = make_plan(config)
except ConfigurationError as error:
    raise WorkflowError(str(error))


# The page on which the report opens.
report: "workflow/report/workflow.rst"


RESULTS = config.get("results", "results")
# The planned files, not whatever lies in the folders: a value removed from the grid disappears.
TABLES = [
    *(f"{RESULTS}/certificates/{table}/{name}.parquet" for table, name in PLAN.slices),
    *(f"{RESULTS}/{path}" for piece in PLAN.slices.values() for path in piece.files),
]
# Files that readers read while they are built again: Snakemake leaves the old ones there. Not in storage, where it looks
# for a local copy that is not there, and a folder is an output.
STORED = workflow.storage_settings.default_storage_provider
MAPPED = f"{RESULTS}/mapped" if STORED else f"{RESULTS}/mapped/tables.json"
HELD = ExitStack()
WHOLE = {} if STORED else {f"{RESULTS}/mapped/tables.json": are_whole, f"{RESULTS}/explorer": is_whole}
# What jobs take: asked of a cluster, and said before a run. No table depends on it.
COSTS = read_costs()
# The rules run a job with `python` of this environment, whether or not somebody has activated it.
JOB = f'{quote(sys.executable)} -IS {quote(forked.__file__)} "$@"'
shell.prefix(
    f"set -euo pipefail; export PATH={quote(str(Path(sys.executable).parent))}:$PATH; job() {{{{ {JOB}; }}}}; "
)


include: "workflow/rules/solve.smk"
include: "workflow/rules/certify.smk"
include: "workflow/rules/catalog.smk"
include: "workflow/rules/map.smk"
include: "workflow/rules/datapackage.smk"
include: "workflow/rules/audit.smk"
include: "workflow/rules/report.smk"
include: "workflow/rules/explorer.smk"


onstart:
    todo = [job_name(j.rule.name, j.wildcards) for j in workflow.dag.needrun_jobs() if j.rule.name != "all"]
    jobs, at_once = COSTS.of(PLAN, todo), workflow.nodes or workflow.cores
    logger.info(estimate(jobs, at_once), extra={"planned": jobs, "at_once": at_once})
    alone.end_when_told()
    atexit.register(HELD.close)  # Snakemake ends without either of the following if it cannot write its own files
    held = [] if STORED else [HELD.enter_context(alone.hold(Path(RESULTS), "the workflow")).fileno()]
    if not workflow.nodes:
        HELD.enter_context(forked.ready(held))


onsuccess:
    HELD.close()


onerror:
    HELD.close()


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
        # No input: of many files in a folder Snakemake sees the folder, or the list of them; where some are missing, they
        # are made again.
        lambda _: workflow.dag.forcefiles.update(
            p for p, whole in WHOLE.items() if exists(p) and not whole(Path(RESULTS))
        )
        or [],
