rule explorer:
    input:
        f"{RESULTS}/dicebase.duckdb",
        f"{RESULTS}/mapped/tables.json",
    output:
        f"{RESULTS}/explorer/index.html",
    log:
        f"{RESULTS}/logs/explorer.log",
    benchmark:
        f"{RESULTS}/benchmarks/explorer.tsv"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=digest(["dicebase.explorer.site"]),
        page=PAGE,
        results=lambda w: RESULTS,
    shell:
        "python -m dicebase.job explorer --results {params.results:q} 2> {log:q}"
