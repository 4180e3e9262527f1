rule catalog:
    input:
        # The planned files, not whatever lies in the folder: a value removed from the grid disappears.
        [f"{RESULTS}/certificates/{table}/{name}.parquet" for table, name in PLAN.slices],
        [f"{RESULTS}/tables/{table}/{name}/states.parquet" for table, name in PLAN.slices],
        [f"{RESULTS}/tables/{table}/{name}/actions.parquet" for table, name in PLAN.slices],
    output:
        catalogue=f"{RESULTS}/dicebase.duckdb",
        mapped=directory(f"{RESULTS}/mapped"),
    log:
        f"{RESULTS}/logs/catalog.log",
    benchmark:
        f"{RESULTS}/benchmarks/catalog.tsv"
    threads: 2
    resources:
        mem_mb=lambda w, attempt: mem_mb(COSTS.after("catalog", PLAN), attempt),
        runtime=lambda w, attempt: runtime(COSTS.after("catalog", PLAN), attempt),
    params:
        digest=PLAN.digest,
        printed=PRINTED,
        config=workflow.configfiles,
    shell:
        "python -m dicebase.pipeline.jobs catalog {params.digest} {params.config:q} --output {output.catalogue:q} 2> {log:q}"
