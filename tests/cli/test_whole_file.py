"""Files that are whole or not there."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from rulespec import whole_file


def test_a_file_is_replaced_with_its_rights(tmp_path: Path) -> None:
    file = tmp_path / "a"
    file.write_text("earlier")
    file.chmod(0o600)

    whole_file.write(file, b"later")

    assert file.read_text() == "later"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert list(tmp_path.iterdir()) == [file]


def test_a_new_file_has_the_usual_rights(tmp_path: Path) -> None:
    file, usual = tmp_path / "a", tmp_path / "b"
    whole_file.write(file, b"")
    usual.write_text("")

    assert file.stat().st_mode == usual.stat().st_mode


def test_a_link_goes_on_leading_to_the_file(tmp_path: Path) -> None:
    file, link = tmp_path / "a", tmp_path / "link"
    file.write_text("earlier")
    link.symlink_to(file)

    whole_file.write(link, b"later")

    assert link.is_symlink()
    assert file.read_text() == "later"


def test_nothing_changes_when_writing_fails(tmp_path: Path) -> None:
    file = tmp_path / "a"
    file.write_text("earlier")

    with pytest.raises(KeyboardInterrupt):
        _write_half(file, KeyboardInterrupt())

    assert file.read_text() == "earlier"
    assert list(tmp_path.iterdir()) == [file]


def test_a_fault_of_the_disk_is_said_in_words(tmp_path: Path) -> None:
    file = tmp_path / "a"

    with pytest.raises(whole_file.Unwritable, match="cannot be written: no space left on device"):
        _write_half(file, OSError(28, os.strerror(28)))

    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("place", "answer"),
    [
        (".", "it is a folder"),
        ("no/file", "there is no folder"),
        ("/dev/null", "it is not a plain file"),
        ("a" * 300, "file name too long"),
    ],
)
@pytest.mark.parametrize(
    "act", [whole_file.check, lambda path: whole_file.write(path, b"")], ids=["check", "write"]
)
def test_what_cannot_be_a_file_is_refused(act: object, place: str, answer: str, tmp_path: Path) -> None:
    assert callable(act)

    with pytest.raises(whole_file.Unwritable, match=answer):
        act(tmp_path / place)


def _write_half(file: Path, error: BaseException) -> None:
    with whole_file.replacing(file) as stream:
        stream.write(b"half")
        raise error
