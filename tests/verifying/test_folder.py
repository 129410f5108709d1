"""A folder is written whole, and only where it takes the place of nobody's files."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulespec.verifying import folder
from rulespec.whole_file import Unwritable

FILES = {"README.md": "all of it\n", "a/one.smt2": "(check-sat)\n"}


def content(place: Path) -> dict[str, str]:
    return {
        p.relative_to(place).as_posix(): p.read_text()
        for p in place.rglob("*")
        if p.is_file() and p.name != folder.LIST
    }


def test_a_folder_is_made_and_made_anew(tmp_path: Path) -> None:
    place = tmp_path / "out"
    folder.write(place, FILES)
    assert content(place) == FILES

    folder.write(place, {"b/two.smt2": "x"})
    assert content(place) == {"b/two.smt2": "x"}
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_an_empty_folder_is_taken(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    folder.write(tmp_path / "out", FILES)

    assert content(tmp_path / "out") == FILES


@pytest.mark.parametrize("first", [False, True])
def test_files_of_others_are_left_alone(first: bool, tmp_path: Path) -> None:
    place = tmp_path / "out"
    if first:
        folder.write(place, FILES)
    place.mkdir(exist_ok=True)
    (place / "thesis.tex").write_text("years of work")

    with pytest.raises(Unwritable, match=r"`thesis\.tex` in it is not from an export"):
        folder.write(place, FILES)
    assert (place / "thesis.tex").read_text() == "years of work"


def test_a_file_and_a_missing_folder_are_told_of(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    with pytest.raises(Unwritable, match="it is not a folder"):
        folder.check(tmp_path / "file")
    with pytest.raises(Unwritable, match="there is no folder"):
        folder.check(tmp_path / "no" / "out")


def test_a_full_disk_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "out"
    folder.write(place, FILES)
    usual = Path.write_text

    def full(self: Path, text: str, encoding: str = "utf-8") -> int:
        if self.name == "two.smt2":
            raise OSError(28, "No space left on device")
        return usual(self, text, encoding=encoding)

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(Unwritable, match="no space left on device"):
        folder.write(place, {"a/one.smt2": "new", "b/two.smt2": "x"})

    assert content(place) == FILES
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
