"""A site appears whole or not at all: made beside its place, and put there when all went well."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from rulespec.whole_file import Unwritable

MARK = ".rulespec-site"
_SAYS = "This folder is made by `rulespec docs build`, which will replace it with all that is in it.\n"


@contextlib.contextmanager
def replacing(out: Path) -> Iterator[Path]:
    """A new folder that becomes `out` when the `with` block ends well; else nothing has changed.

    Raises:
        Unwritable: there is something at `out` that is no site of ours, its folder is not there or may not be
            written, or the disk is full.
    """
    place = Path(os.path.realpath(out))  # a link goes on leading to the folder
    try:
        check(out)
        making = Path(tempfile.mkdtemp(prefix=f".{place.name[:100]}.", suffix=".part", dir=place.parent))
        try:
            yield making
            (making / MARK).write_text(_SAYS, encoding="utf-8")
            making.chmod(0o755)
            _put(making, place)
        finally:
            shutil.rmtree(making, ignore_errors=True)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise Unwritable(f"`{out}` cannot be written: {reason}") from None


def check(out: Path) -> None:
    """Find out early that a site may not be put somewhere.

    Raises:
        Unwritable: see `replacing`; that the disk is full shows only later.
    """
    place = Path(os.path.realpath(out))
    if not place.parent.is_dir():
        raise Unwritable(f"`{out}` cannot be written: there is no folder `{out.parent}`")
    if not os.access(place.parent, os.W_OK):
        raise Unwritable(f"`{out}` cannot be written: permission denied")
    if place.exists() and not place.is_dir():
        raise Unwritable(f"`{out}` cannot be written: it is a file")
    if place.is_dir() and any(place.iterdir()) and not (place / MARK).is_file():
        raise Unwritable(f"`{out}` is a folder that `rulespec docs build` has not made, and is left as it is")


def _put(made: Path, place: Path) -> None:
    if not place.exists():
        made.rename(place)
        return
    before = Path(tempfile.mkdtemp(prefix=f".{place.name[:100]}.", suffix=".old", dir=place.parent))
    place.rename(before / "site")
    try:
        made.rename(place)
    except BaseException:
        (before / "site").rename(place)
        raise
    finally:
        shutil.rmtree(before, ignore_errors=True)
