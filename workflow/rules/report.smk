rule report:
    input:
        f"{RESULTS}/dicebase.duckdb",
        f"{RESULTS}/mapped/tables.json",
    output:
        report(
            directory(f"{RESULTS}/pictures"),
            patterns=["{picture}.png"],
            caption="../report/picture.rst",
            category="Pictures",
            labels={"picture": "{picture}"},
        ),
        report(f"{RESULTS}/pages/values.html", caption="../report/values.rst", category="Tables"),
        report(f"{RESULTS}/pages/certificates.html", caption="../report/certificates.rst", category="Tables"),
        report(f"{RESULTS}/pages/audit.html", caption="../report/audit.rst", category="The printed record"),
        f"{RESULTS}/pages/dictionary.md",
    log:
        f"{RESULTS}/logs/report.log",
    benchmark:
        f"{RESULTS}/benchmarks/report.tsv"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=digest(["dicebase.report"]),
        captions={picture.name: picture.caption_text for picture in PICTURES},
        results=lambda w: RESULTS,
    shell:
        "python -m dicebase.job report --results {params.results:q} 2> {log:q}"
