"""The file `rulespec.lock`: verdicts of earlier runs, a line for each, so that versions of it can be compared
and merged.

Each line is a JSON object with a mark of the rest of it, so that a line that somebody changed is found. That
is a guard against accidents: whoever means to deceive can work out the mark too.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import Any

from rulespec import whole_file

NAME = "rulespec.lock"
FORMAT = 1
ABOUT = "verdicts of `rulespec verify`, which reads and writes this file; not to be changed by hand"
LIMIT = 64_000_000  # bytes
MARK = 16  # hexadecimal digits


class Unusable(Exception):
    """A lock file that cannot be read at all; the text says why."""


@dataclass(frozen=True)
class Run:
    """What found a verdict, when (`date` is a day, `2026-11-30`), and within which limits."""

    date: str
    rulespec: str
    verifier: int
    solver: str
    limits: Mapping[str, float]

    @cached_property
    def id(self) -> str:
        return _mark(asdict(self))[:8]


@dataclass(frozen=True)
class Entry:
    """A verdict (as `proofs.saved` has it), and the hashes of the core and of the part of it that it depends
    on; `cone` is "" for the whole."""

    claim: str
    verdict: Mapping[str, Any]
    core: str
    cone: str
    run: Run


@dataclass(frozen=True)
class Section:
    """The verdicts on one configuration. `whole` is the hash of the core of which they are all that there
    are, "" where some may be missing."""

    entries: Mapping[str, Entry] = field(default_factory=dict)
    whole: str = ""


@dataclass(frozen=True)
class Held:
    """So many examples held, for rules with this hash."""

    number: int
    rules: str
    run: Run


@dataclass(frozen=True)
class Lock:
    """What a lock file says. Sections are by rulebook and configuration; `wrong` has a sentence for each line
    that is not as it was written, and is left out."""

    sections: Mapping[tuple[str, str], Section] = field(default_factory=dict)
    examples: Mapping[str, Held] = field(default_factory=dict)
    wrong: tuple[str, ...] = ()


def read(path: Path) -> Lock:
    """The content of a lock file; nothing where there is none.

    Raises:
        Unusable: it cannot be read, or a later version of rulespec wrote it.
    """
    try:
        with open(path, "rb") as stream:
            data = stream.read(LIMIT + 1)
    except FileNotFoundError:
        return Lock()
    except OSError as error:
        raise Unusable(f"`{path}` cannot be read: {(error.strerror or str(error)).lower()}") from None
    if len(data) > LIMIT:
        raise Unusable(f"`{path}` is larger than {LIMIT // 1_000_000} MB")
    return _Reader(path).read(data.decode("utf-8", "replace"))


def write(path: Path, lock: Lock) -> None:
    """Put a lock file in the place of the one that was there.

    Raises:
        Unwritable: see `whole_file`; what was there is as it was.
    """
    whole_file.write(path, "".join(f"{line}\n" for line in _lines(lock)).encode())


# --- reading -----------------------------------------------------------------------------------------------


class _Reader:
    """Puts lines together; those that are not as they were written are told of."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.runs: dict[str, Run] = {}
        self.entries: dict[tuple[str, str], dict[str, Entry]] = {}
        self.marks: dict[tuple[str, str], list[str]] = {}
        self.wholes: dict[tuple[str, str], tuple[str, str]] = {}
        self.examples: dict[str, Held] = {}
        self.wrong: list[str] = []

    def read(self, text: str) -> Lock:
        for number, line in enumerate(text.split("\n"), 1):
            if line.strip():
                self._line(number, line)
        sections = {place: Section(found, self._whole(place)) for place, found in self.entries.items()}
        return Lock(sections, self.examples, tuple(self.wrong))

    def _whole(self, place: tuple[str, str]) -> str:
        core, of = self.wholes.get(place, ("", ""))
        if not core or of == _all(self.marks[place]):
            return core
        self.wrong.append(f"`{self.path}`: the lines on {place[1]} are not those that were written together")
        return ""

    def _line(self, number: int, line: str) -> None:
        data: dict[str, Any] = {}
        with suppress(ValueError, RecursionError):
            found = json.loads(line)
            data = found if isinstance(found, dict) else {}
        if data.get("rulespec.lock", FORMAT) != FORMAT:
            raise Unusable(f"`{self.path}` was written by another version of rulespec")
        mark = data.pop("mark", None)
        if mark == _mark(data):
            with suppress(TypeError, KeyError, ValueError):
                self._take(data, mark)
                return
        claim = data.get("claim")
        about = f" (`{claim}`, {data.get('in')})" if isinstance(claim, str) else ""
        self.wrong.append(f"`{self.path}`, line {number}: it is not as it was written{about}")

    def _take(self, data: dict[str, Any], mark: str) -> None:
        if "limits" in data:
            number = data.pop("run")
            self.runs[number] = _run(data)
        elif "examples" in data:
            run = self.runs[data["run"]]
            self.examples[data["book"]] = Held(data["examples"], data["rules"], run)
        elif "claim" in data:
            place = data.pop("book"), data.pop("in")
            claim, found, core, cone = (data[key] for key in ("claim", "found", "core", "cone"))
            entry = Entry(claim, found, core, cone, self.runs[data["run"]])
            self.entries.setdefault(place, {})[claim] = entry
            self.marks.setdefault(place, []).append(mark)
        elif "whole" in data:
            self.wholes[data["book"], data["in"]] = data["whole"], data["of"]


def _run(data: Mapping[str, Any]) -> Run:
    """Raises TypeError or ValueError where that is none."""
    date.fromisoformat(data["date"])
    if not isinstance(data["limits"], dict):
        raise TypeError("limits have names")
    return Run(**data)


# --- writing -----------------------------------------------------------------------------------------------


def _lines(lock: Lock) -> Iterator[str]:
    runs = {entry.run.id: entry.run for s in lock.sections.values() for entry in s.entries.values()}
    runs |= {held.run.id: held.run for held in lock.examples.values()}
    yield _line({"rulespec.lock": FORMAT, "about": ABOUT})
    for run in sorted(runs.values(), key=lambda run: (run.date, run.id)):
        yield _line({"run": run.id} | asdict(run))
    for book, held in sorted(lock.examples.items()):
        yield _line({"book": book, "examples": held.number, "rules": held.rules, "run": held.run.id})
    for (book, where), section in sorted(lock.sections.items()):
        made = [_entry(book, where, entry) for _, entry in sorted(section.entries.items())]
        if section.whole and made:
            of = _all(_mark(data) for data in made)
            yield _line({"book": book, "in": where, "whole": section.whole, "of": of})
        yield from map(_line, made)


def _entry(book: str, where: str, entry: Entry) -> dict[str, Any]:
    return {
        "book": book,
        "in": where,
        "claim": entry.claim,
        "found": dict(entry.verdict),
        "core": entry.core,
        "cone": entry.cone,
        "run": entry.run.id,
    }


def _line(data: Mapping[str, Any]) -> str:
    return json.dumps({**data, "mark": _mark(data)}, ensure_ascii=False)


def _mark(data: Mapping[str, Any]) -> str:
    text = json.dumps(data, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:MARK]


def _all(marks: Iterable[str]) -> str:
    return hashlib.sha256(" ".join(sorted(marks)).encode()).hexdigest()[:MARK]
