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
        mem_mb=lambda w, attempt: mem_mb(COSTS.of_slice("certify", PLAN.find(w.table, w.slice)), attempt),
        runtime=lambda w, attempt: runtime(COSTS.of_slice("certify", PLAN.find(w.table, w.slice)), attempt),
    params:
        key=lambda w: PLAN.find(w.table, w.slice).certificate_key,
    shell:
        "job certify {params.key:q} {wildcards.table:q} {wildcards.slice:q}" " --output {output:q} 2> {log:q}"
