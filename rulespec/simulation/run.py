"""A simulation from its first game to its last, or to Ctrl-C."""

from __future__ import annotations

import contextlib
from collections.abc import Generator, Iterator, Sequence
from pathlib import Path
from typing import Protocol

from rulespec.engine.simulate import Result, simulate
from rulespec.interruption import interruptible
from rulespec.simulation import report
from rulespec.simulation.progress import Advance
from rulespec.simulation.report import Setting
from rulespec.simulation.tally import Tally


class Rows(Protocol):
    """Where games are kept."""

    def add(self, games: Sequence[Result]) -> None: ...


def play(setting: Setting, jobs: int, out: Path | None, advance: Advance) -> Tally:
    """Play the games of a setting; after Ctrl-C those that were played by then.

    With `out` they are in that file when this returns; it is not touched when this fails.

    Raises:
        Unwritable: `out` cannot be written.
    """
    tally = Tally(setting.core)
    with interruptible() as interrupted, _kept(out, setting, tally) as rows:
        chunks = simulate(setting.core, setting.asked, seed=setting.seed, jobs=jobs, engine=setting.engine)
        assert isinstance(chunks, Generator)
        with contextlib.closing(chunks):
            for chunk in chunks:
                tally.add(chunk)
                rows.add(chunk.results)
                advance(len(chunk.results))
                if interrupted():
                    break
    return tally


@contextlib.contextmanager
def _kept(out: Path | None, setting: Setting, tally: Tally) -> Iterator[Rows]:
    if out is None:
        yield _Nowhere()
        return
    from rulespec.simulation import parquet

    with parquet.written(out, setting) as rows:
        yield rows
        rows.describe(report.as_json(setting, tally))


class _Nowhere:
    def add(self, games: Sequence[Result]) -> None:
        return None
