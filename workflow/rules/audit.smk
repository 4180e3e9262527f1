rule audit:
    input:
        f"{RESULTS}/dicebase.duckdb",
    output:
        f"{RESULTS}/audit/index.md",
        f"{RESULTS}/audit/audit.parquet",
        f"{RESULTS}/audit/audit.csv",
    log:
        f"{RESULTS}/logs/audit.log",
    benchmark:
        f"{RESULTS}/benchmarks/audit.tsv"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=digest(["dicebase.audit.page"]),
        printed=PRINTED,
        results=lambda w: RESULTS,
    shell:
        "python -m dicebase.job audit --results {params.results:q} 2> {log:q}"
