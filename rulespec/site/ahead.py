"""The pages that take longest are made in a second process meanwhile, for what it keeps on disk: whoever
makes them afterwards finds most of the work done.

Nothing depends on it: where it cannot run, or is not done in time, the work is done where it is wanted.
"""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator, Sequence
from multiprocessing import get_context

from rulespec.site.pages import playouts, readings
from rulespec.site.subject import Subject

LONGEST = (readings.page, playouts.page)  # what these find out is kept


@contextlib.contextmanager
def working(games: Sequence[str]) -> Iterator[None]:
    """A process is at work on these games until the `with` block ends."""
    process = get_context("spawn").Process(target=_work, args=(tuple(games),), daemon=True)
    try:
        process.start()
    except (OSError, RuntimeError):  # there may be no more processes, or this one may not have any
        yield
        return
    try:
        yield
    finally:
        process.kill()
        process.join()


def _work(games: Sequence[str]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever has begun it ends it
    with contextlib.suppress(Exception):  # it is told of where the page is wanted
        for subject in map(Subject, games):
            for page in LONGEST:
                page(subject)
