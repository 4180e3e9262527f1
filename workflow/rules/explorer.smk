rule explorer:
    input:
        MAPPED,
    output:
        directory(f"{RESULTS}/explorer"),
    log:
        f"{RESULTS}/logs/explorer.log",
    threads: 1
    resources:
        mem_mb=lambda w, attempt: mem_mb(COSTS.after("explorer", PLAN), attempt),
        runtime=lambda w, attempt: runtime(COSTS.after("explorer", PLAN), attempt),
    params:
        digest=PLAN.digest("explorer"),
    shell:
        "job explorer --output {output:q} 2> {log:q}"
