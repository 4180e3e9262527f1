rule catalog:
    input:
        TABLES,
    output:
        (str if STORED else update)(f"{RESULTS}/dicebase.duckdb"),
    log:
        f"{RESULTS}/logs/catalog.log",
    threads: 1
    resources:
        **resources(COSTS, PLAN, "catalog"),
    params:
        digest=PLAN.digest("catalog"),
        config=workflow.configfiles,
    shell:
        "python -P -m dicebase.pipeline.jobs catalog {params.digest} {params.config:q} --output {output:q} 2> {log:q}"
