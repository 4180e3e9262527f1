rule report:
    input:
        rules.catalog.output,
        MAPPED,
    output:
        pictures=report(
            directory(f"{RESULTS}/pictures"),
            patterns=["{picture}.png"],
            caption="../report/picture.rst",
            category="Pictures",
            labels={"picture": "{picture}"},
        ),
        values=report(f"{RESULTS}/pages/values.html", caption="../report/values.rst", category="Tables"),
        audit=report(f"{RESULTS}/pages/audit.html", caption="../report/audit.rst", category="The printed record"),
        games=f"{RESULTS}/pages/games.md",
        dictionary=f"{RESULTS}/pages/dictionary.md",
    log:
        f"{RESULTS}/logs/report.log",
    threads: 1
    resources:
        **resources(COSTS, PLAN, "report"),
    params:
        digest=PLAN.digest("report"),
        captions={picture.name: picture.caption_text for picture in PICTURES},
    shell:
        "python -P -m dicebase.pipeline.jobs report --output {output.values:q} 2> {log:q}"
