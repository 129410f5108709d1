"""A bound on the memory of this process, where the system has such."""

from __future__ import annotations

import importlib

MEGABYTE = 1_000_000


def bound(megabytes: int | None) -> None:
    """Let this process have so much: whoever asks for more gets a MemoryError. None takes the bound away."""
    try:
        resource = importlib.import_module("resource")
    except ImportError:  # not a POSIX system
        return
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    wanted = most if megabytes is None else megabytes * MEGABYTE
    if most == resource.RLIM_INFINITY or wanted <= most:
        resource.setrlimit(resource.RLIMIT_AS, (wanted, most))
