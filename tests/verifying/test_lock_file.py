"""The lock file itself: what is written is read again, whatever else stands there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rulespec.verifying import lock
from rulespec.verifying.lock import Entry, Held, Lock, Run, Section

RUN = Run("2026-11-30", "0.1.0", 1, "z3 4.15", {"total": 180.0, "plays": 3000})
LATER = Run("2026-12-01", "0.1.0", 1, "z3 4.16", {"total": 60.5})
FOUND: dict[str, Any] = {
    "kind": "bound",
    "verdict": "unknown",
    "reason": "a line\u2028 and\n another",
    "seconds": 0.1,
}
LOCK = Lock(
    {
        ("a.rules", "2 players"): Section(
            {"bound x": Entry("bound x", FOUND, "c0", "d0", RUN), "é": Entry("é", FOUND, "c0", "", LATER)},
            "c0",
        ),
        ("b.rules", "3 players"): Section({"bound x": Entry("bound x", FOUND, "c1", "", RUN)}),
    },
    {"a.rules": Held(7, "e0", RUN)},
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    lock.write(tmp_path / lock.NAME, LOCK)
    return tmp_path / lock.NAME


def test_what_is_written_is_read_again(file: Path) -> None:
    assert lock.read(file) == LOCK
    before = file.read_bytes()
    lock.write(file, lock.read(file))
    assert file.read_bytes() == before


def test_there_need_not_be_one(tmp_path: Path) -> None:
    assert lock.read(tmp_path / lock.NAME) == Lock()


def test_a_line_of_another_kind_of_line_end_is_the_same(file: Path) -> None:
    file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))

    assert lock.read(file) == LOCK


@pytest.mark.parametrize("number", range(2, 9))
def test_any_change_of_a_line_is_found(file: Path, number: int) -> None:
    lines = file.read_text(encoding="utf-8").split("\n")
    assert len(lines) == 9
    lines[number - 1] = lines[number - 1].replace("0", "9", 1)
    file.write_text("\n".join(lines), encoding="utf-8")

    assert any(f"line {number}: it is not as it was written" in each for each in lock.read(file).wrong)


@pytest.mark.parametrize(
    "data",
    [
        {"run": "r", "date": "soon", "rulespec": "1", "verifier": 1, "solver": "z3", "limits": {}},
        {"run": "r", "date": 3, "rulespec": "1", "verifier": 1, "solver": "z3", "limits": {}},
        {"run": "r", "date": "2026-11-30", "rulespec": "1", "verifier": 1, "solver": "z3", "limits": []},
        {"run": "r", "limits": {}},
        {
            "book": "a.rules",
            "in": "2 players",
            "claim": "x",
            "found": {},
            "core": "",
            "cone": "",
            "run": "none",
        },
        {"book": "a.rules", "examples": 1},
        {"whole": "c0"},
    ],
)
def test_what_has_a_mark_and_no_sense_is_told(file: Path, data: dict[str, Any]) -> None:
    with open(file, "a", encoding="utf-8") as stream:
        stream.write(lock._line(data) + "\n")

    read = lock.read(file)
    assert read.wrong == (f"`{file}`, line 9: it is not as it was written",) or "`x`" in read.wrong[0]
    assert read.sections == LOCK.sections


def test_a_folder_is_no_lock_file(tmp_path: Path) -> None:
    (tmp_path / lock.NAME).mkdir()

    with pytest.raises(lock.Unusable, match="is a directory"):
        lock.read(tmp_path / lock.NAME)


def test_lines_nested_too_deep_are_told(file: Path) -> None:
    file.write_text("[" * 100_000)

    assert len(lock.read(file).wrong) == 1
