rule catalog:
    input:
        TABLES,
    output:
        (str if STORED else update)(f"{RESULTS}/dicebase.duckdb"),
    log:
        f"{RESULTS}/logs/catalog.log",
    threads: 1
    resources:
        mem_mb=lambda w, attempt: mem_mb(COSTS.after("catalog", PLAN), attempt),
        runtime=lambda w, attempt: runtime(COSTS.after("catalog", PLAN), attempt),
    params:
        digest=PLAN.digest("catalog"),
        config=workflow.configfiles,
    shell:
        "job catalog {params.digest} {params.config:q} --output {output:q} 2> {log:q}"
