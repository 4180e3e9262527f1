rule datapackage:
    input:
        TABLES,
        # Its bytes are described too.
        rules.catalog.output,
    output:
        descriptor=f"{RESULTS}/datapackage.json",
        schemas=directory(f"{RESULTS}/schemas"),
    log:
        f"{RESULTS}/logs/datapackage.log",
    threads: 1
    resources:
        mem_mb=lambda w, attempt: mem_mb(COSTS.after("datapackage", PLAN), attempt),
        runtime=lambda w, attempt: runtime(COSTS.after("datapackage", PLAN), attempt),
    params:
        digest=PLAN.digest("datapackage"),
        config=workflow.configfiles,
    shell:
        "job datapackage {params.digest} {params.config:q}" " --output {output.descriptor:q} 2> {log:q}"
