"""Results kept on disk between runs, each under the hash of everything it depends on.

An entry is text with a hash of itself in front, never anything that can run: who can change the files
can make a result wrong, but not make this program do something. Whatever is broken, missing or not
writable counts as absent.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent
# What decides about a result is hashed whole: a change of any of it makes all earlier entries unseen.
STAGES = ("compiler",)
TOOL_FOLDER = "tool-" + "[0-9a-f]" * 16
ENTRY = "*-" + "[0-9a-f]" * 64
KEPT_TOOLS = 3  # folders of earlier versions of the tool that stay
KEPT_ENTRIES = 400  # entries of one version
ENTRY_LIMIT = 64_000_000  # bytes; nothing of ours comes near


def key(*parts: str) -> str:
    """One hash for a list of texts; how they are cut up counts."""
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        digest.update(b"%d\n" % len(data))
        digest.update(data)
    return digest.hexdigest()


@cache
def tool() -> str:
    """The hash of the code that makes the results: the compiler, and the face's own modules."""
    digest = hashlib.sha256()
    for path in _own_files():
        data = path.read_bytes()
        digest.update(b"%s %d\n" % (path.name.encode(), len(data)))
        digest.update(data)
    return digest.hexdigest()


def _own_files() -> Iterable[Path]:
    yield from sorted(PACKAGE.glob("*.py"))
    for stage in STAGES:
        # The folder itself may be a link, and a walk does not mind that of its top.
        for folder, folders, files in os.walk(PACKAGE / stage):
            folders[:] = sorted(name for name in folders if name != "__pycache__")
            yield from (Path(folder, name) for name in sorted(files) if name.endswith((".py", ".lark")))


@dataclass(frozen=True)
class Cache:
    """A folder of entries made by this version of the tool; None keeps nothing."""

    folder: Path | None

    def get(self, kind: str, name: str) -> str | None:
        """The text kept under a kind (`check`, `core`, ...) and a key, if it is there and whole."""
        if self.folder is None:
            return None
        try:
            with open(self.folder / f"{kind}-{name}", "rb") as stream:
                data = stream.read(ENTRY_LIMIT + 1)
            mark, _, body = data.partition(b"\n")
            if len(data) > ENTRY_LIMIT or mark.decode("ascii") != hashlib.sha256(body).hexdigest():
                return None
            return body.decode("utf-8")
        except (OSError, ValueError):
            return None

    def put(self, kind: str, name: str, text: str) -> None:
        """Keep a text, all of it or nothing."""
        if self.folder is None:
            return
        body = text.encode("utf-8", "surrogatepass")
        mark = hashlib.sha256(body).hexdigest().encode("ascii")
        try:
            if not self.folder.is_dir():
                self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
                _keep_newest(self.folder.parent, TOOL_FOLDER, KEPT_TOOLS)
            _write(self.folder / f"{kind}-{name}", mark + b"\n" + body)
            _keep_newest(self.folder, ENTRY, KEPT_ENTRIES)
        except OSError:
            return


def opened() -> Cache:
    """The cache of this user: in `RULESPEC_CACHE` (`off`: none), else in the system's folder for caches."""
    folder = root()
    return Cache(None if folder is None else folder / f"tool-{tool()[:16]}")


def root() -> Path | None:
    """The folder for all that is kept for this user, None for none."""
    chosen = os.environ.get("RULESPEC_CACHE")
    if chosen is not None:
        return None if chosen in ("", "off") else Path(chosen)
    system = os.environ.get("XDG_CACHE_HOME", "")
    if os.path.isabs(system):  # a relative one is to be ignored, says the convention
        return Path(system) / "rulespec"
    home = os.path.expanduser("~")
    return Path(home) / ".cache" / "rulespec" if os.path.isabs(home) else None


def _write(path: Path, data: bytes) -> None:
    import tempfile  # a hundredth of a second that a warm run does not need

    handle, name = tempfile.mkstemp(prefix=".new-", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


def _keep_newest(folder: Path, pattern: str, number: int) -> None:
    found = list(folder.glob(pattern))
    if len(found) <= number:
        return
    found.sort(key=lambda path: path.lstat().st_mtime_ns)
    for path in found[:-number]:
        if path.is_dir() and not path.is_symlink():
            _empty(path)
            path.rmdir()
        else:
            path.unlink(missing_ok=True)


def _empty(folder: Path) -> None:
    for path in folder.iterdir():
        path.unlink()
