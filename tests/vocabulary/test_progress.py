"""Progress reports of long runs."""

from types import SimpleNamespace

from dicebase.vocabulary import progress


def test_a_report_has_the_time_left(monkeypatch, capsys):
    clock = iter([0.0, 6.0, 15.0, 35.0, 41.0, 51.0, 57.0])
    monkeypatch.setattr(progress, "time", SimpleNamespace(monotonic=lambda: next(clock)))
    report = progress.reporter("pair")
    for done, total in ((1, 40), (10, 40), (20, 40), (4, 40), (8, 40)):  # at 41 s another sweep begins
        report(done, total)
    report(9, 0)
    assert capsys.readouterr().err.splitlines() == [
        "pair 1 of 40",
        "pair 10 of 40, about 30 s left",
        "pair 20 of 40, about 31 s left",
        "pair 4 of 40",
        "pair 8 of 40, about 80 s left",
        "pair 9",
    ]
