# A slice has rows, possibly with actions or values of pairs in a second file, or values from which decisions follow.
rule solve:
    input:
        lambda w: [f"{RESULTS}/{path}" for path in PLAN.find(w.table, w.slice).needed("tables")],
    output:
        rows=f"{RESULTS}/tables/{{table}}/{{slice}}.parquet",
    log:
        f"{RESULTS}/logs/solve/{{table}}/{{slice}}.log",
    wildcard_constraints:
        table=PLAN.tables_with("tables"),
    threads: 1
    resources:
        **resources(COSTS, PLAN, "solve"),
    params:
        key=lambda w: PLAN.find(w.table, w.slice).key,
    shell:
        "python -P -m dicebase.pipeline.jobs solve {params.key:q} --output {output.rows:q} 2> {log:q}"


use rule solve as solve_decisions with:
    output:
        rows=f"{RESULTS}/tables/{{table}}/{{slice}}.parquet",
        actions=f"{RESULTS}/actions/{{table}}/{{slice}}.parquet",
    wildcard_constraints:
        table=PLAN.tables_with("tables", "actions"),


use rule solve as solve_values with:
    output:
        rows=f"{RESULTS}/values/{{table}}/{{slice}}.parquet",
    wildcard_constraints:
        table=PLAN.tables_with("values"),


use rule solve as solve_pairs with:
    output:
        rows=f"{RESULTS}/tables/{{table}}/{{slice}}.parquet",
        values=f"{RESULTS}/values/{{table}}/{{slice}}.parquet",
    wildcard_constraints:
        table=PLAN.tables_with("tables", "values"),
