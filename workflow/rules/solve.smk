rule solve:
    output:
        states=f"{RESULTS}/tables/{{table}}/{{slice}}/states.parquet",
        actions=f"{RESULTS}/tables/{{table}}/{{slice}}/actions.parquet",
    log:
        f"{RESULTS}/logs/solve/{{table}}/{{slice}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/solve/{{table}}/{{slice}}.tsv"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        key=lambda w: PLAN.find(w.table, w.slice).key,
        results=lambda w: RESULTS,
    shell:
        "python -m dicebase.job solve {params.key:q} --results {params.results:q} 2> {log:q}"
