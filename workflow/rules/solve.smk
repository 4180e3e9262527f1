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
        mem_mb=lambda w, attempt: mem_mb(COSTS.of_slice("solve", PLAN.find(w.table, w.slice)), attempt),
        runtime=lambda w, attempt: runtime(COSTS.of_slice("solve", PLAN.find(w.table, w.slice)), attempt),
    params:
        key=lambda w: PLAN.find(w.table, w.slice).key,
    shell:
        "python -m dicebase.pipeline.jobs solve {params.key:q} --output {output.states:q} 2> {log:q}"
