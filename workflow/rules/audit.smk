rule audit:
    input:
        rules.catalog.output,
    output:
        page=f"{RESULTS}/audit/index.md",
        parquet=f"{RESULTS}/audit/audit.parquet",
        csv=f"{RESULTS}/audit/audit.csv",
    log:
        f"{RESULTS}/logs/audit.log",
    threads: 1
    resources:
        **resources(COSTS, PLAN, "audit"),
    params:
        digest=PLAN.digest("audit"),
    shell:
        "python -P -m dicebase.pipeline.jobs audit --output {output.page:q} 2> {log:q}"
