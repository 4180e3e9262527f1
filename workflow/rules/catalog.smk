rule catalog:
    input:
        # The planned files, not whatever lies in the folder: a value removed from the grid disappears.
        [f"{RESULTS}/certificates/{table}/{name}.parquet" for table, name in PLAN.slices],
        [f"{RESULTS}/tables/{table}/{name}/states.parquet" for table, name in PLAN.slices],
        [f"{RESULTS}/tables/{table}/{name}/actions.parquet" for table, name in PLAN.slices],
    output:
        f"{RESULTS}/dicebase.duckdb",
        f"{RESULTS}/mapped/tables.json",
    log:
        f"{RESULTS}/logs/catalog.log",
    benchmark:
        f"{RESULTS}/benchmarks/catalog.tsv"
    threads: 2
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        digest=PLAN.digest,
        printed=PRINTED,
        config=workflow.configfiles,
        results=lambda w: RESULTS,
    shell:
        "python -m dicebase.job catalog {params.digest} {params.config:q} --results {params.results:q} 2> {log:q}"
