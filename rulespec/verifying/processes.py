"""Processes that do jobs side by side, tell how far they are, and can be ended at any moment.

Each has a pipe of its own, so that ending one in the middle of a message harms no other.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import Any, Protocol

from rulespec.collection import collect_seldom
from rulespec.interruption import interruptible
from rulespec.proofs.memory import bound

# Between two looks at whether to stop; also how often a display can be brought up to date.
TICK = 0.1

MEMORY = 4000  # megabytes for one process, if nothing else is said

Tell = Callable[[object], None]


class Job(Protocol):
    """Work for one process. `seconds` is when it is given up, None for never."""

    @property
    def seconds(self) -> float | None: ...

    def do(self, tell: Tell) -> object:
        """Do it here, telling now and then how far it is."""
        ...


class Fault(Exception):
    """An internal fault in another process; its notes say what was being worked on, its cause where."""

    def __init__(self, text: str, notes: tuple[str, ...], trace: str) -> None:
        super().__init__(text)
        for note in notes:
            self.add_note(note)
        # As `concurrent.futures` does, so that a traceback of this one shows the other.
        self.__cause__ = Exception(f"\n{trace}") if trace else None


@dataclass(frozen=True)
class Began:
    """A job has been given to a process."""

    job: int


@dataclass(frozen=True)
class Told:
    """Something a job tells of itself on the way."""

    job: int
    what: Any


@dataclass(frozen=True)
class Done:
    """A job's result, which is what its `do` gives."""

    job: int
    result: Any


@dataclass(frozen=True)
class Lost:
    """A job without a result, and why; `fault` is there when it is rulespec's own."""

    job: int
    reason: str
    fault: Fault | None = None


News = Began | Told | Done | Lost


@dataclass
class _Worker:
    process: SpawnProcess
    pipe: Connection
    job: int | None = None
    until: float = float("inf")


class Workers:
    """A number of processes, each of which may have so many megabytes of `memory`. To be used in a `with`, at
    the end of which they are gone, done or not.
    """

    def __init__(self, number: int, memory: int = MEMORY) -> None:
        self._memory = memory
        with _interruptions_ignored():
            self._workers = [_start(memory) for _ in range(number)]

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self._workers:
            worker.process.kill()
            worker.pipe.close()
        for worker in self._workers:
            worker.process.join()

    def run(self, jobs: Mapping[int, Job], tick: Callable[[], bool]) -> Iterator[News]:
        """Do all jobs, begun in their order; what they tell and come to, as it comes.

        `tick` is called some times a second; once it says True, all is stopped.
        """
        waiting = dict(jobs)
        while waiting or any(worker.job is not None for worker in self._workers):
            for worker in self._workers:
                if worker.job is None and waiting:
                    number = next(iter(waiting))
                    self._give(worker, number, waiting.pop(number))
                    yield Began(number)
            busy = {worker.pipe: worker for worker in self._workers if worker.job is not None}
            for pipe in wait(list(busy), TICK):
                yield self._hear(busy[pipe])  # type: ignore[index]
            yield from self._late()
            if tick():
                return

    def _give(self, worker: _Worker, number: int, job: Job) -> None:
        worker.job = number
        worker.until = float("inf") if job.seconds is None else time.monotonic() + job.seconds
        # A process that has died is noticed when it is listened to.
        with suppress(OSError):
            worker.pipe.send(job)

    def _hear(self, worker: _Worker) -> News:
        assert worker.job is not None
        number = worker.job
        try:
            kind, what = worker.pipe.recv()
        except (EOFError, OSError):
            return self._replace(worker, f"its process ended by itself{_ending(worker.process)}")
        if kind == "told":
            return Told(number, what)
        if kind == "full":
            limit = f"more than {self._memory:,} MB would be needed, and `--memory` allows no more"
            return self._replace(worker, f"memory ran out: {limit}")
        worker.job = None
        if kind == "done":
            return Done(number, what)
        fault = Fault(*what)
        return Lost(number, f"an internal fault: {fault}", fault)

    def _late(self) -> Iterator[Lost]:
        now = time.monotonic()
        for worker in self._workers:
            if worker.job is not None and now > worker.until:
                yield self._replace(worker, "given up: no answer long after its time was over")

    def _replace(self, worker: _Worker, reason: str) -> Lost:
        number = worker.job
        assert number is not None
        worker.process.kill()
        worker.process.join()
        worker.pipe.close()
        with _interruptions_ignored():
            fresh = _start(self._memory)
        worker.process, worker.pipe, worker.job = fresh.process, fresh.pipe, None
        return Lost(number, reason)


@dataclass
class Gathered:
    """What jobs came to, by their numbers; after Ctrl-C those that were finished by then."""

    results: dict[int, Any] = field(default_factory=dict)
    lost: dict[int, Lost] = field(default_factory=dict)
    interrupted: bool = False

    @property
    def faults(self) -> list[Fault]:
        """Whatever kept a job from its result."""
        return [lost.fault or Fault(lost.reason, (), "") for lost in self.lost.values()]


def gather(
    jobs: Mapping[int, Job],
    workers: Workers,
    *,
    tell: Callable[[int, Any], None] = lambda job, what: None,
    done: Callable[[int, Any], None] = lambda job, result: None,
) -> Gathered:
    """Do all jobs, to the last or to Ctrl-C; `tell` hears what they tell on the way, `done` each result."""
    found = Gathered()
    with interruptible() as interrupted:
        for news in workers.run(jobs, interrupted):
            match news:
                case Told(job, what):
                    tell(job, what)
                case Done(job, result):
                    found.results[job] = result
                    done(job, result)
                case Lost(job):
                    found.lost[job] = news
        found.interrupted = interrupted()
    return found


def processors() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _ending(process: SpawnProcess) -> str:
    process.join(10)
    code = process.exitcode
    return "" if code is None else f" (signal {-code})" if code < 0 else f" (status {code})"


def _start(memory: int) -> _Worker:
    # Not forked: a process that has threads, as a display has, cannot be copied safely.
    context = get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(theirs, memory), daemon=True)
    process.start()
    theirs.close()
    return _Worker(process, ours)


@contextmanager
def _interruptions_ignored() -> Iterator[None]:
    """Processes started in it ignore Ctrl-C from the first: it is for the one that started them."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    earlier = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, earlier)


# --- in a process of its own -------------------------------------------------------------------------------


def _serve(pipe: Connection, memory: int) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    bound(memory)
    collect_seldom()
    import rulespec.proofs.verify  # noqa: F401  while there is nothing to do yet

    with suppress(EOFError, BrokenPipeError, ConnectionResetError):
        while True:
            pipe.send(_answer(pipe.recv(), pipe))


def _answer(job: Job, pipe: Connection) -> tuple[str, object]:
    try:
        return "done", job.do(lambda what: pipe.send(("told", what)))
    except (BrokenPipeError, ConnectionResetError):
        sys.exit()
    except MemoryError:
        # A solver without memory cannot even be taken down, so that the process ends as it stands.
        bound(None)
        pipe.send(("full", None))
        os._exit(1)
    except Exception as error:  # noqa: BLE001  whoever asked is told
        text = " ".join(f"{type(error).__name__}: {error}".split())
        notes = tuple(getattr(error, "__notes__", ()))
        return "fault", (text[:300], notes, "".join(traceback.format_exception(error)))
