"""The one place that reads rulebook files: bundled games, the standard library, and files of the user's own.

Nothing else opens a rulebook, so what is said here holds everywhere: only plain UTF-8 files of at most
1 MB are read, and `use` never leaves the standard library or the folder of the main file.
"""

from __future__ import annotations

import difflib
import os
import re
import stat
from dataclasses import dataclass
from pathlib import Path

from rulespec.compiler.diagnostics import Diagnostic
from rulespec.compiler.spans import Span

PACKAGE = Path(__file__).resolve().parent
GAMES = PACKAGE / "games"
STANDARD = PACKAGE / "std"
PROOFS = STANDARD / "proofs"
PREFIX = "std/"  # before the name of a rulebook that proves a mechanism of the standard library
ENDINGS = (".rules.md", ".rules")
LIMIT = 1_000_000  # bytes


class Unreadable(Exception):
    """A file that cannot be had, as a diagnostic whose place is in that file."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic


@dataclass(frozen=True)
class Rulebook:
    """A main file: where it is, and the name that its diagnostics show."""

    path: Path
    shown: str


def games() -> tuple[str, ...]:
    """The names of the bundled games, in alphabetical order."""
    return tuple(sorted(_bundled()))


def _bundled() -> dict[str, Path]:
    """The main file of each bundled game, by its name, which is that of the folder it stands in."""
    return {path.parent.name: path for path in sorted(GAMES.glob("**/*.rules.md"), reverse=True)}


def proofs() -> tuple[str, ...]:
    """The rulebooks that prove the standard library, each for one mechanism: `std/NAME`, alphabetically."""
    return tuple(sorted(PREFIX + path.name.removesuffix(".rules") for path in PROOFS.glob("*.rules")))


def find(game: str | os.PathLike[str]) -> Rulebook:
    """The main file of a bundled game's name, of a path to a `.rules.md` or `.rules` file, or of its folder.

    `std/NAME` is one of `proofs()`.

    Raises:
        Unreadable: there is neither a game nor a file of that name, or the file is not named like a rulebook.
    """
    name = os.fspath(game)
    if re.fullmatch(r"[a-z][a-z0-9_]*", name) and (path := _bundled().get(name)) is not None:
        return Rulebook(path, _shown_of_ours(path))
    if name.startswith(PREFIX) and name in proofs():
        path = PROOFS / f"{name.removeprefix(PREFIX)}.rules"
        return Rulebook(path, _shown_of_ours(path))
    return at(name)


def at(name: str) -> Rulebook:
    """The main file at a path; a folder with one rulebook in it stands for that.

    Raises:
        Unreadable: the file is not named like a rulebook, or the folder does not hold just one.
    """
    path = Path(name)
    if name.endswith(ENDINGS):
        return Rulebook(path, name)
    there = os.path.exists(name)  # also of names that no file can have
    if there and path.is_dir():
        if len(inside := _rulebooks_in(path)) == 1:
            return Rulebook(path / inside[0], os.path.join(name, inside[0]))
        raise _unreadable("R0002", f"`{name}` is a folder", name, _advice_on_folder(path))
    if there:
        raise _unreadable("R0007", f"`{name}` is not named like a rulebook", name, _advice_on_endings())
    known, what = games(), "bundled games"
    if name.startswith(PREFIX):
        known, what = proofs(), "proofs of the standard library"
    near = difflib.get_close_matches(name, known, n=1)
    advice = f"did you mean `{near[0]}`?" if near else f"the {what} are {_listed(known)}"
    raise _unreadable("R0001", f"there is no game and no file `{name}`", name, advice)


def read(rulebook: Rulebook) -> str:
    """The text of a main file.

    Raises:
        Unreadable: the file is not there, not a plain file, not readable, not UTF-8, or too large.
    """
    return read_text(rulebook.path, rulebook.shown)


@dataclass(frozen=True)
class Module:
    """A file that a rulebook uses."""

    shown: str
    text: str


def load_module(rulebook: Rulebook, name: str) -> Module:
    """The file that `use "name"` means in that rulebook.

    A plain name is a module of the standard library, or else `name.rules` or `name.rules.md` beside the
    main file; a name with its ending is a file beside the main file.

    Raises:
        Unreadable: there is none, it lies elsewhere, or it cannot be read.
    """
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,99}", name):
        raise _outside(name)
    bundled = STANDARD / f"{name}.rules"
    if bundled.is_file():
        shown = _shown_of_ours(bundled)
        return Module(shown, read_text(bundled, shown))
    folder = rulebook.path.parent
    for file in [name] if name.endswith(ENDINGS) else [f"{name}.rules", f"{name}.rules.md"]:
        path = folder / file
        if os.path.lexists(path):
            if os.path.dirname(os.path.realpath(path)) != os.path.realpath(folder):
                raise _outside(name)
            shown = os.path.join(os.path.dirname(rulebook.shown), file)
            return Module(shown, read_text(path, shown))
    raise _unreadable("R0001", f"there is no module `{name}`", name, _advice_on_module(name))


def modules() -> tuple[str, ...]:
    """The names of the standard library's modules."""
    return tuple(sorted(path.name.removesuffix(".rules") for path in STANDARD.glob("*.rules")))


def read_text(path: Path, shown: str) -> str:
    """The text of a plain UTF-8 file within the limit, a byte order mark left out.

    Raises:
        Unreadable: with the place of the first wrong byte when it is not UTF-8.
    """
    try:
        # Not waiting: a pipe without a writer would otherwise never open.
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0))
    except (OSError, ValueError) as error:
        raise _refused(error, path, shown) from None
    try:
        data = _bytes_of(handle, path, shown)
    except OSError as error:
        raise _refused(error, path, shown) from None
    finally:
        os.close(handle)
    return decode(data, shown)


def decode(data: bytes, shown: str) -> str:
    """Bytes as UTF-8 text within the limit, a byte order mark left out.

    Raises:
        Unreadable: with the place of the first wrong byte.
    """
    if len(data) > LIMIT:
        raise _unreadable("R0005", f"`{shown}` is larger than {LIMIT // 1_000_000} MB", shown)
    try:
        return data.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        good = data[: error.start].decode("utf-8")
        line = good.count("\n") + 1
        column = len(good) - (good.rfind("\n") + 1) + 1
        message = f"`{shown}` is not UTF-8: byte 0x{data[error.start]:02x} cannot stand here"
        place = Span(shown, line, column, line, column + 1)
        raise Unreadable(Diagnostic("R0004", message, place, help=("save the file as UTF-8",))) from None


def _bytes_of(handle: int, path: Path, shown: str) -> bytes:
    mode = os.fstat(handle).st_mode
    if stat.S_ISDIR(mode):
        raise _unreadable("R0002", f"`{shown}` is a folder", shown, _advice_on_folder(path))
    if not stat.S_ISREG(mode):
        raise _unreadable("R0002", f"`{shown}` is not a plain file", shown)
    with os.fdopen(handle, "rb", closefd=False) as stream:
        return stream.read(LIMIT + 1)


def _refused(error: OSError | ValueError, path: Path, shown: str) -> Unreadable:
    match error:
        case FileNotFoundError() | NotADirectoryError() | ValueError():
            return _unreadable("R0001", f"there is no file `{shown}`", shown, *_neighbors(path))
        case IsADirectoryError():
            return _unreadable("R0002", f"`{shown}` is a folder", shown, _advice_on_folder(path))
        case PermissionError():
            return _unreadable("R0003", f"you may not read `{shown}`", shown)
        case _:
            reason = (error.strerror or type(error).__name__).lower()
            return _unreadable("R0003", f"`{shown}` cannot be read: {reason}", shown)


def _unreadable(code: str, message: str, shown: str, *advice: str) -> Unreadable:
    return Unreadable(Diagnostic(code, message, Span(shown, 1, 1, 1, 1), help=advice))


def _outside(name: str) -> Unreadable:
    advice = "name a module of the standard library, or a file beside this one by its name alone"
    return _unreadable("R0006", f"`{name}` is not a file in the folder of the rulebook", name, advice)


def _advice_on_endings() -> str:
    return "name it `.rules.md` (Markdown with blocks of rules) or `.rules` (rules alone)"


def _advice_on_folder(path: Path) -> str:
    inside = _rulebooks_in(path)
    return f"it holds {_listed(inside[:5])}" if inside else "give the rulebook inside it"


def _advice_on_module(name: str) -> str:
    near = difflib.get_close_matches(name, modules(), n=1)
    return f"did you mean `{near[0]}`?" if near else f"the standard library has {_listed(modules())}"


def _neighbors(path: Path) -> list[str]:
    stems = {_stem(name): name for name in _rulebooks_in(path.parent)}
    near = difflib.get_close_matches(_stem(path.name), stems, n=1)
    return [f"did you mean `{path.parent / stems[near[0]]}`?"] if near else []


def _stem(name: str) -> str:
    return name.partition(".rules")[0]


def _rulebooks_in(folder: Path) -> list[str]:
    try:
        return sorted(name for name in os.listdir(folder) if name.endswith(ENDINGS))
    except (OSError, ValueError):
        return []


def _listed(names: tuple[str, ...] | list[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def is_standard(shown: str) -> bool:
    """Whether a text of this name is one of the standard library's."""
    return shown.startswith(_shown_of_ours(STANDARD) + "/")


def _shown_of_ours(path: Path) -> str:
    # The same wherever it is installed, so that golden texts and caches hold; in a clone it is the path.
    return path.relative_to(PACKAGE.parent).as_posix()
