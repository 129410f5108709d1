"""Processes: whatever becomes of one job, the others are done."""

from __future__ import annotations

import signal

from jobs import Die, Double, Fail, Hoard, Sleep

from rulespec.verifying.processes import Began, Done, Fault, Job, Lost, News, Told, Workers


def _news(jobs: dict[int, Job], number: int = 2) -> list[News]:
    with Workers(number) as workers:
        return list(workers.run(jobs, lambda: False))


def _lost(news: list[News]) -> Lost:
    (lost,) = (each for each in news if isinstance(each, Lost))
    return lost


def test_jobs_tell_how_far_they_are_and_what_they_come_to() -> None:
    news = _news({number: Double(number) for number in range(5)})

    assert {each.job: each.result for each in news if isinstance(each, Done)} == {n: 2 * n for n in range(5)}
    assert {each.job: each.what for each in news if isinstance(each, Told)} == {n: n for n in range(5)}
    assert [each.job for each in news if isinstance(each, Began)] == [0, 1, 2, 3, 4]


def test_a_process_that_dies_loses_its_job_alone() -> None:
    news = _news({0: Die(), 1: Double(4), 2: Double(5)}, number=1)

    assert [each.result for each in news if isinstance(each, Done)] == [8, 10]
    assert (_lost(news).job, _lost(news).reason) == (0, "its process ended by itself (status 7)")
    assert _lost(news).fault is None


def test_a_job_that_wants_too_much_memory_is_given_up() -> None:
    with Workers(1, memory=600) as workers:
        news = list(workers.run({0: Hoard(), 1: Double(4)}, lambda: False))

    assert [each.result for each in news if isinstance(each, Done)] == [8]
    assert _lost(news).reason.startswith("memory ran out: more than 600 MB would be needed")
    assert _lost(news).fault is None


def test_a_job_that_overstays_its_time_is_given_up() -> None:
    news = _news({0: Sleep(seconds=0.5), 1: Double(4)}, number=1)

    assert [each.result for each in news if isinstance(each, Done)] == [8]
    assert "given up" in _lost(news).reason


def test_an_error_comes_with_what_was_being_done() -> None:
    news = _news({0: Fail(), 1: Double(4)}, number=1)

    assert [each.result for each in news if isinstance(each, Done)] == [8]
    fault = _lost(news).fault
    assert isinstance(fault, Fault)
    assert str(fault) == "ValueError: odd"
    assert fault.__notes__ == ["counting sheep"]
    assert "in do" in str(fault.__cause__)


def test_stopping_does_not_wait_for_jobs() -> None:
    with Workers(1) as workers:
        news: list[News] = []
        for each in workers.run({0: Sleep(), 1: Double(1)}, lambda: len(news) > 1):
            news.append(each)
        process = workers._workers[0].process

    assert [type(each) for each in news] == [Began, Told]
    assert process.exitcode == -signal.SIGKILL
