rule map:
    input:
        TABLES,
    output:
        directory(MAPPED) if STORED else update(MAPPED),
    log:
        f"{RESULTS}/logs/map.log",
    threads: 1
    resources:
        **resources(COSTS, PLAN, "map"),
    params:
        digest=PLAN.digest("map"),
        config=workflow.configfiles,
    shell:
        "python -P -m dicebase.pipeline.jobs map {params.digest} {params.config:q} --output {output:q} 2> {log:q}"
