rule map:
    input:
        TABLES,
    output:
        directory(MAPPED) if STORED else update(MAPPED),
    log:
        f"{RESULTS}/logs/map.log",
    threads: 1
    resources:
        mem_mb=lambda w, attempt: mem_mb(COSTS.after("map", PLAN), attempt),
        runtime=lambda w, attempt: runtime(COSTS.after("map", PLAN), attempt),
    params:
        digest=PLAN.digest("map"),
        config=workflow.configfiles,
    shell:
        "job map {params.digest} {params.config:q} --output {output:q} 2> {log:q}"
