rule explorer:
    input:
        MAPPED,
        CERTIFICATES,
    output:
        directory(f"{RESULTS}/explorer"),
    log:
        f"{RESULTS}/logs/explorer.log",
    threads: 1
    resources:
        **resources(COSTS, PLAN, "explorer"),
    params:
        digest=PLAN.digest("explorer"),
    shell:
        "python -P -m dicebase.pipeline.jobs explorer --output {output:q} 2> {log:q}"
