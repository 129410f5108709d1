"""Jobs for other processes, which can only import them from where everything shared is."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Double:
    """Tells its number, and comes to twice that."""

    number: int
    seconds: float | None = None

    def do(self, tell: Callable[[object], None]) -> int:
        tell(self.number)
        return 2 * self.number


@dataclass(frozen=True)
class Sleep:
    """Does not come to an end."""

    seconds: float | None = None

    def do(self, tell: Callable[[object], None]) -> None:
        tell("asleep")
        time.sleep(600)


@dataclass(frozen=True)
class Die:
    """Ends its process."""

    seconds: float | None = None

    def do(self, tell: Callable[[object], None]) -> None:
        os._exit(7)


@dataclass(frozen=True)
class Hoard:
    """Takes all the memory that there is."""

    seconds: float | None = None

    def do(self, tell: Callable[[object], None]) -> None:
        taken = []
        while True:
            taken.append(bytearray(10_000_000))


@dataclass(frozen=True)
class Fail:
    """Meets an error, and says what it was at."""

    seconds: float | None = None

    def do(self, tell: Callable[[object], None]) -> None:
        error = ValueError("odd")
        error.add_note("counting sheep")
        raise error
