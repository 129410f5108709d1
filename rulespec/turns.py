"""Processes that would do the same work at the same time take turns, so that the others find it done."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rulespec import cache

try:
    import fcntl
except ImportError:  # Windows: there each does the work itself
    fcntl = None  # type: ignore[assignment]

DIGITS = 2  # of the key: so few files are made at most, and two kinds of work seldom wait for each other


@contextmanager
def turn(*key: str) -> Iterator[None]:
    """Nobody else is inside with the same key, as long as there is a folder for caches.

    A process that ends, however it does, gives its turn up.
    """
    root = cache.root()
    if root is None or fcntl is None:
        yield
        return
    try:
        folder = root / "turns"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        stream = open(folder / cache.key(*key)[:DIGITS], "wb")  # noqa: SIM115  closed below
    except OSError:
        yield
        return
    with stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        yield
