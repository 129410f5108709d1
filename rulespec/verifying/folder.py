"""A folder of files that is whole or not there, and that never takes the place of anybody else's."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from rulespec.whole_file import Unwritable

LIST = ".rulespec-files"  # in a folder of ours: the names of all files that were written


def check(folder: Path) -> None:
    """Find out early that the folder could not be written.

    Raises:
        Unwritable: it holds what is not ours, is no folder, or lies where nothing can be written.
    """
    if folder.exists() and not folder.is_dir():
        raise Unwritable(f"`{folder}` cannot be written: it is not a folder")
    if folder.is_symlink():
        raise Unwritable(f"`{folder}` cannot be written: it is a link; name the folder itself")
    strange = _not_ours(folder)
    if strange:
        raise Unwritable(f"`{folder}` cannot be written: `{strange}` in it is not from an export")
    parent = folder.absolute().parent
    if not parent.is_dir():
        raise Unwritable(f"`{folder}` cannot be written: there is no folder `{folder.parent}`")
    if not os.access(parent, os.W_OK):
        raise Unwritable(f"`{folder}` cannot be written: permission denied")


def write(folder: Path, files: Mapping[str, str]) -> None:
    """Make `files`, texts by their names below the folder, all that there is in it.

    Raises:
        Unwritable: see `check`, or the disk is full. What was there before is then as it was.
    """
    check(folder)
    place = folder.absolute()
    made: Path | None = None
    try:
        made = Path(tempfile.mkdtemp(prefix=f".{place.name[:80]}.", suffix=".part", dir=place.parent))
        for name, text in {**files, LIST: "".join(f"{n}\n" for n in sorted(files))}.items():
            path = made / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        os.chmod(made, 0o755)
        _put(made, place)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise Unwritable(f"`{folder}` cannot be written: {reason}") from None
    finally:
        if made is not None:
            shutil.rmtree(made, ignore_errors=True)


def _put(made: Path, place: Path) -> None:
    """The new folder in the place of the old one, which goes only when the new one is there."""
    old = made.with_suffix(".old")
    if place.exists():
        os.rename(place, old)
    try:
        os.rename(made, place)
    except OSError:
        if old.exists():
            os.rename(old, place)
        raise
    with suppress(OSError):
        shutil.rmtree(old)


def _not_ours(folder: Path) -> str:
    """The name of something in the folder that no export has put there; "" if there is nothing such."""
    if not folder.is_dir():
        return ""
    try:
        listed = set((folder / LIST).read_text(encoding="utf-8").splitlines()) | {LIST}
    except (OSError, UnicodeDecodeError):
        listed = set()
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if not path.is_dir() and name not in listed:
            return name
        if path.is_symlink():
            return name
    return ""
