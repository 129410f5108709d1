"""Which files below a folder are rulebooks: the main file of a game, not a module that others use.

A rulebook declares a `game`. A `.rules.md` file that has rules but declares none counts too, so that one with
a slip in that line is not passed over, unless a file beside it uses it, or it holds nothing but examples. A
`.rules` file without a `game` is a module, or something of another program.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from rulespec import library

# Folders of what is built or installed; a virtual environment is known by a file in it.
PASSED_OVER = frozenset({"node_modules", "build", "dist", "__pycache__"})
ENVIRONMENT = "pyvenv.cfg"
DEPTH = 20

_GAME = re.compile(r"^game[ \t]+\w", re.MULTILINE)
_USE = re.compile(r'^use[ \t]+"([^"\n]*)"', re.MULTILINE)
_HEAD = re.compile(r"^([a-z]+)\b", re.MULTILINE)


@dataclass(frozen=True)
class Looked:
    """What a glance at a file tells; `rules` is its text with all but the rules turned into spaces.

    None where the file cannot be read.
    """

    rules: str | None

    @cached_property
    def is_game(self) -> bool:
        return self.rules is not None and _GAME.search(self.rules) is not None

    @property
    def line(self) -> int:
        """Where the game is declared; 1 where none is."""
        found = _GAME.search(self.rules or "")
        return 1 if found is None else found.string.count("\n", 0, found.start()) + 1

    @cached_property
    def uses(self) -> frozenset[str]:
        """The names in its `use` lines."""
        return frozenset(_USE.findall(self.rules or ""))

    @cached_property
    def has_only_examples(self) -> bool:
        return set(_HEAD.findall(self.rules or "")) <= {"example"}


def look(path: Path) -> Looked:
    """Read a file without compiling it."""
    from rulespec.compiler.surface import literate
    from rulespec.compiler.surface.findings import Findings

    try:
        text = library.read_text(path, path.name)
    except library.Unreadable:
        return Looked(None)
    return Looked(literate.read(text, path.name, Findings()).text)


def is_rulebook(path: Path) -> bool:
    """Whether a file is the main file of a game, as far as a glance tells."""
    if not path.name.endswith(library.ENDINGS):
        return False
    looked = look(path)
    if looked.rules is None:
        return path.name.endswith(".md")
    if looked.is_game:
        return True
    in_prose = path.name.endswith(".md")
    return in_prose and not looked.has_only_examples and not any(users(path))


def users(path: Path) -> Iterator[Path]:
    """The files beside a module that name it in a `use`."""
    names = {path.name, *(path.name.removesuffix(end) for end in library.ENDINGS if path.name.endswith(end))}
    for other in _rules_files(path.parent):
        if other.name != path.name and look(other).uses & names:
            yield other


def rulebooks_of(module: Path) -> list[Path]:
    """The rulebooks beside a module that use it, directly or by way of others."""
    found: dict[Path, None] = {module: None}
    waiting = [module]
    while waiting:
        for user in users(waiting.pop()):
            if user not in found:
                found[user] = None
                waiting.append(user)
    return sorted(path for path in found if path != module and look(path).is_game)


def below(folder: Path) -> Iterator[Path]:
    """The rulebooks in a folder and the folders in it, in a fixed order; links are not followed."""
    for place, folders, names in os.walk(folder):
        depth = len(Path(place).relative_to(folder).parts)
        keep = [name for name in sorted(folders) if _is_entered(Path(place, name), name)]
        folders[:] = keep if depth < DEPTH else []
        for name in sorted(names):
            path = Path(place, name)
            if name.endswith(library.ENDINGS) and not name.startswith(".") and is_rulebook(path):
                yield path


def named(paths: Sequence[str]) -> list[str]:
    """The rulebooks that paths and names of bundled games stand for, each once.

    A folder stands for all that are below it, a module for the rulebooks beside it that use it; what is
    neither stands for itself, and is told of when it is opened.
    """
    found: dict[str, str] = {}
    for path in paths:
        if os.path.isdir(path):
            inside = [str(each) for each in below(Path(path))]
        elif os.path.isfile(path) and path.endswith(library.ENDINGS) and not is_rulebook(Path(path)):
            inside = [str(each) for each in rulebooks_of(Path(path))] or [path]
        else:
            inside = [path]
        for each in inside:
            found.setdefault(os.path.realpath(each) if os.path.exists(each) else each, each)
    return list(found.values())


def _is_entered(path: Path, name: str) -> bool:
    return not name.startswith(".") and name not in PASSED_OVER and not (path / ENVIRONMENT).exists()


def _rules_files(folder: Path) -> list[Path]:
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        return []
    return [folder / name for name in names if name.endswith(library.ENDINGS)]
