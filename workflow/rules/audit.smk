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
        mem_mb=lambda w, attempt: mem_mb(COSTS.after("audit", PLAN), attempt),
        runtime=lambda w, attempt: runtime(COSTS.after("audit", PLAN), attempt),
    params:
        digest=PLAN.digest("audit"),
    shell:
        "job audit --output {output.page:q} 2> {log:q}"
