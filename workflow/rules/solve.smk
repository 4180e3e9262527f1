def table_key(wildcards):
    return PLAN.find(wildcards.table, wildcards.slice).key


rule solve:
    output:
        states=f"{RESULTS}/tables/{{table}}/{{slice}}/states.parquet",
        actions=f"{RESULTS}/tables/{{table}}/{{slice}}/actions.parquet",
    params:
        key=table_key,
    log:
        f"{RESULTS}/logs/solve/{{table}}/{{slice}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/solve/{{table}}/{{slice}}.tsv"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    shell:
        "{PYTHON} -m dicebase.job solve {params.key:q} --results {RESULTS:q} 2> {log:q}"
