rule datapackage:
    input:
        TABLES,
        # It describes the catalogue's bytes too.
        rules.catalog.output,
    output:
        descriptor=f"{RESULTS}/datapackage.json",
        schemas=directory(f"{RESULTS}/schemas"),
    log:
        f"{RESULTS}/logs/datapackage.log",
    threads: 1
    resources:
        **resources(COSTS, PLAN, "datapackage"),
    params:
        digest=PLAN.digest("datapackage"),
        config=workflow.configfiles,
    shell:
        "python -P -m dicebase.pipeline.jobs datapackage {params.digest} {params.config:q}"
        " --output {output.descriptor:q} 2> {log:q}"
