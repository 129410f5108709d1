"""What no file of the repository may say."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

# In pieces, so that this file does not say them either.
MACHINE_PATH = re.compile(r"(?<![\w.])/" + r"(work|root|home|Users)" + r"/[\w.]")
PACKAGE_HOST = re.compile(r"pypi" + r"\.org|python" + r"hosted|npmjs" + r"\.(com|org)")
LEFT_OVER = re.compile("TO" + "DO|FIX" + "ME|NotImplemented" + "Error")


def test_no_file_names_a_place_on_one_machine(root: Path, repository_files: list[Path]) -> None:
    assert _lines_with(MACHINE_PATH, root, repository_files) == []


def test_no_file_names_a_package_host(root: Path, repository_files: list[Path]) -> None:
    assert _lines_with(PACKAGE_HOST, root, repository_files) == []


def test_nothing_is_left_for_later(root: Path, repository_files: list[Path]) -> None:
    assert _lines_with(LEFT_OVER, root, repository_files) == []


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("in /" + "home/ann/x", True),
        ("'/" + "root/.cache'", True),
        ("games/root/x", False),
        ("a/home/b", False),
    ],
)
def test_machine_paths_are_told_from_others(text: str, seen: bool) -> None:
    assert bool(MACHINE_PATH.search(text)) is seen


def _lines_with(pattern: re.Pattern[str], root: Path, files: list[Path]) -> list[str]:
    return [
        f"{path.relative_to(root)}:{number}: {line.strip()[:80]}"
        for path in files
        for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1)
        if pattern.search(line)
    ]
