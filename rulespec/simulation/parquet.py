"""One row a game in a Parquet file that is whole or not there."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from rulespec import whole_file
from rulespec.engine.simulate import Result
from rulespec.simulation.report import Setting

# Games in a row group, so that small groups do not make a large file.
_GROUP = 1000


# The names under which a file's metadata keep the configuration, and what all games came to; both are JSON.
CONFIGURATION = "rulespec"
RESULTS = "rulespec.results"


def schema(setting: Setting) -> pa.Schema:
    """`score_p0`, ... are the scores; `key2_p0`, ... the further keys of the ranking.

    A game that did not end has neither winners nor keys; `fault` is null unless the rules failed.
    """
    seats, keys = len(setting.seats), len(setting.core.ranking)
    fields = [
        ("seed", pa.int64()),
        ("moves", pa.int32()),
        ("steps", pa.int32()),
        ("finished", pa.bool_()),
        ("winners", pa.list_(pa.int8())),
        *((f"score_p{seat}", pa.int64()) for seat in range(seats if keys else 0)),
        *((f"key{key}_p{seat}", pa.int64()) for key in range(2, keys + 1) for seat in range(seats)),
        ("fault", pa.string()),
    ]
    return pa.schema(fields, {CONFIGURATION: _json(setting.facts())})


class Rows:
    """An open file of games; a row group is written whenever there are enough."""

    def __init__(self, writer: pq.ParquetWriter, setting: Setting) -> None:
        self._writer = writer
        self._form = schema(setting)
        self._seats = len(setting.seats)
        self._keys = len(setting.core.ranking)
        self._waiting: list[Result] = []

    def add(self, games: Sequence[Result]) -> None:
        """Append games."""
        self._waiting.extend(games)
        if len(self._waiting) >= _GROUP:
            self.flush()

    def flush(self) -> None:
        """Write what waits."""
        games, self._waiting = self._waiting, []
        if not games:
            return
        columns: list[object] = [
            [game.seed for game in games],
            [game.decisions for game in games],
            [game.steps for game in games],
            [game.finished for game in games],
            [list(game.winners) for game in games],
            *(
                [game.keys[seat][key] if game.finished else None for game in games]
                for key in range(self._keys)
                for seat in range(self._seats)
            ),
            [game.fault or None for game in games],
        ]
        arrays = [pa.array(values, field.type) for values, field in zip(columns, self._form, strict=True)]
        self._writer.write_table(pa.Table.from_arrays(arrays, schema=self._form))

    def describe(self, results: Mapping[str, Any]) -> None:
        """Keep in the file's metadata what all games came to."""
        self._writer.add_key_value_metadata({RESULTS: _json(results)})


def _json(facts: Mapping[str, Any]) -> str:
    return json.dumps(facts, ensure_ascii=False)


@contextlib.contextmanager
def written(path: Path, setting: Setting) -> Iterator[Rows]:
    """A file of games, which is in its place when the `with` block ends well; else nothing has changed.

    Raises:
        Unwritable: the file cannot be written, or the disk is full.
    """
    with (
        whole_file.replacing(path) as stream,
        pq.ParquetWriter(stream, schema(setting), compression="zstd") as writer,
    ):
        rows = Rows(writer, setting)
        yield rows
        rows.flush()
