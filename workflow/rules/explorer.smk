rule explorer:
    input:
        f"{RESULTS}/dicebase.duckdb",
        f"{RESULTS}/mapped",
    output:
        directory(f"{RESULTS}/explorer"),
    log:
        f"{RESULTS}/logs/explorer.log",
    benchmark:
        f"{RESULTS}/benchmarks/explorer.tsv"
    threads: 1
    resources:
        mem_mb=lambda w, attempt: mem_mb(COSTS.after("explorer", PLAN), attempt),
        runtime=lambda w, attempt: runtime(COSTS.after("explorer", PLAN), attempt),
    params:
        code=digest(["dicebase.show.explorer.site"]),
        page=PAGE,
    shell:
        "python -m dicebase.pipeline.jobs explorer --output {output:q} 2> {log:q}"
