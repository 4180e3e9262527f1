# Another hash seed than that of the solver: rules whose answers depend on the order of a set do not pass.
rule certify:
    input:
        lambda w: [f"{RESULTS}/{path}" for path in PLAN.find(w.table, w.slice).files],
        lambda w: [f"{RESULTS}/{path}" for path in PLAN.find(w.table, w.slice).needed("tables")],
        lambda w: [f"{RESULTS}/{path}" for path in PLAN.find(w.table, w.slice).needed("certificates")],
    output:
        f"{RESULTS}/certificates/{{table}}/{{slice}}.parquet",
    log:
        f"{RESULTS}/logs/certify/{{table}}/{{slice}}.log",
    threads: 1
    resources:
        **resources(COSTS, PLAN, "certify"),
    params:
        key=lambda w: PLAN.find(w.table, w.slice).certificate_key,
    shell:
        "PYTHONHASHSEED=random python -P -m dicebase.pipeline.jobs certify "
        "{params.key:q} {wildcards.table:q} {wildcards.slice:q} --output {output:q} 2> {log:q}"
