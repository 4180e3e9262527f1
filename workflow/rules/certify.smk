def certificate_key(wildcards):
    return PLAN.find(wildcards.table, wildcards.slice).certificate_key


rule certify:
    input:
        states=rules.solve.output.states,
        actions=rules.solve.output.actions,
    output:
        f"{RESULTS}/certificates/{{table}}/{{slice}}.parquet",
    params:
        key=certificate_key,
    log:
        f"{RESULTS}/logs/certify/{{table}}/{{slice}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/certify/{{table}}/{{slice}}.tsv"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    shell:
        "{PYTHON} -m dicebase.job certify {params.key:q} {wildcards.table:q} {wildcards.slice:q}"
        " --results {RESULTS:q} 2> {log:q}"
