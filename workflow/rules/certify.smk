rule certify:
    input:
        states=rules.solve.output.states,
        actions=rules.solve.output.actions,
    output:
        f"{RESULTS}/certificates/{{table}}/{{slice}}.parquet",
    log:
        f"{RESULTS}/logs/certify/{{table}}/{{slice}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/certify/{{table}}/{{slice}}.tsv"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        key=lambda w: PLAN.find(w.table, w.slice).certificate_key,
        results=lambda w: RESULTS,
    shell:
        "python -m dicebase.job certify {params.key:q} {wildcards.table:q} {wildcards.slice:q}"
        " --results {params.results:q} 2> {log:q}"
