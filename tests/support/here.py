"""Jobs done in the process that asks for them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from rulespec.verifying.processes import Began, Done, Job, News, Tell, Told


class Here:
    """What `Workers` is, without processes: one job after the other, and nothing ends in between."""

    def __init__(self, number: int, memory: int = 0) -> None:
        pass

    def __enter__(self) -> Here:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def do(self, job: Job, tell: Tell) -> object:
        """Tests take this away where there should be nothing to do."""
        return job.do(tell)

    def run(self, jobs: Mapping[int, Job], tick: Callable[[], bool]) -> Iterator[News]:
        for number, job in jobs.items():
            told: list[object] = []
            yield Began(number)
            result = self.do(job, told.append)
            yield from (Told(number, what) for what in told)
            yield Done(number, result)
            if tick():
                return
