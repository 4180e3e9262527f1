rule datapackage:
    input:
        rules.catalog.input,
        # Its bytes are described too.
        f"{RESULTS}/dicebase.duckdb",
    output:
        f"{RESULTS}/datapackage.json",
        directory(f"{RESULTS}/schemas"),
    log:
        f"{RESULTS}/logs/datapackage.log",
    benchmark:
        f"{RESULTS}/benchmarks/datapackage.tsv"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=digest(["dicebase.datapackage"]),
        digest=PLAN.digest,
        config=workflow.configfiles,
        results=lambda w: RESULTS,
    shell:
        "python -m dicebase.job datapackage {params.digest} {params.config:q}"
        " --results {params.results:q} 2> {log:q}"
