"""Files that are whole or not there: written beside their place, and put there when all went well."""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO


class Unwritable(Exception):
    """A file that cannot be written; the text says why. What was there before is as it was."""


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[IO[bytes]]:
    """A stream whose bytes become the file when the `with` block ends well; else nothing has changed.

    Raises:
        Unwritable: its folder is not there or may not be written, the disk is full, or it is no plain file.
    """
    place = Path(os.path.realpath(path))  # a link goes on leading to the file
    try:
        _check_plain(place, path)
        handle, name = tempfile.mkstemp(prefix=f".{place.name[:100]}.", suffix=".part", dir=place.parent)
        try:
            with os.fdopen(handle, "wb") as stream:
                yield stream
                stream.flush()
                os.fsync(stream.fileno())
            os.chmod(name, _mode(place))
            os.replace(name, place)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(name)
            raise
    except OSError as error:
        raise Unwritable(f"`{path}` cannot be written: {_reason(error)}") from None


def write(path: Path, data: bytes) -> None:
    """Make `data` the content of a file.

    Raises:
        Unwritable: see `replacing`.
    """
    with replacing(path) as stream:
        stream.write(data)


def check(path: Path) -> None:
    """Find out early that a file could not be written.

    Raises:
        Unwritable: see `replacing`; that the disk is full shows only later.
    """
    place = Path(os.path.realpath(path))
    _check_plain(place, path)
    if not os.access(place.parent, os.W_OK):
        raise Unwritable(f"`{path}` cannot be written: permission denied")


def _check_plain(place: Path, path: Path) -> None:
    try:
        mode = place.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        pass  # what is not there yet can be made
    except OSError as error:
        raise Unwritable(f"`{path}` cannot be written: {_reason(error)}") from None
    else:
        if not stat.S_ISREG(mode):
            what = "it is a folder" if stat.S_ISDIR(mode) else "it is not a plain file"
            raise Unwritable(f"`{path}` cannot be written: {what}")
    if not os.path.isdir(place.parent):
        raise Unwritable(f"`{path}` cannot be written: there is no folder `{path.parent}`")


def _mode(place: Path) -> int:
    """The rights of the file that was there, else those of any new file."""
    with contextlib.suppress(OSError):
        return stat.S_IMODE(place.stat().st_mode)
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def _reason(error: OSError) -> str:
    return (error.strerror or str(error) or type(error).__name__).lower()
