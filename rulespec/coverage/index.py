"""The index of a rulebook's sources: line ranges, kinds and hashes, a paragraph on each line, and no text.

It stands beside the rulebook (`il-principe.sources.json` beside `il-principe.rules.md`), so that what is
accounted for can be told where the sources themselves are not.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any

from rulespec import library, whole_file
from rulespec.coverage.paragraphs import KINDS, MARK, Paragraph

ENDING = ".sources.json"
FORMAT = 1
ABOUT = (
    "where the paragraphs of the sources stand, and hashes of them; `rulespec coverage --update` writes it"
)
LIMIT = 16_000_000  # bytes


class Unusable(Exception):
    """An index that cannot be read; the text says why."""


@dataclass(frozen=True)
class Indexed:
    """A source as it was when it was read: so many lines, and the paragraphs in them."""

    lines: int
    paragraphs: tuple[Paragraph, ...]


Index = Mapping[str, Indexed]  # by the names that the rulebook gives its sources


def path_of(rulebook: Path) -> Path:
    """Where the index of a rulebook is."""
    name = rulebook.name
    stem = next((name.removesuffix(end) for end in library.ENDINGS if name.endswith(end)), name)
    return rulebook.with_name(stem + ENDING)


def read(path: Path) -> Index:
    """The index in a file; empty where there is none.

    Raises:
        Unusable: it cannot be read, or is not as `write` has written it.
    """
    try:
        with open(path, "rb") as stream:
            data = stream.read(LIMIT + 1)
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise Unusable(f"`{path}` cannot be read: {(error.strerror or str(error)).lower()}") from None
    if len(data) > LIMIT:
        raise Unusable(f"`{path}` is larger than {LIMIT // 1_000_000} MB")
    try:
        return _index(json.loads(data))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        advice = "remove it, and make it anew from the sources with `rulespec coverage --update`"
        raise Unusable(f"`{path}` is not an index as rulespec writes it: {advice}") from None


def write(path: Path, index: Index) -> None:
    """Put an index in the place of the one that was there.

    Raises:
        Unwritable: see `whole_file`.
    """
    whole_file.write(path, "\n".join(_rows(index)).encode() + b"\n")


def _rows(index: Index) -> Iterator[str]:
    yield "{"
    yield f'"rulespec.sources": {FORMAT},'
    yield f'"about": {json.dumps(ABOUT)},'
    yield '"sources": {'
    for number, (name, one) in enumerate(index.items(), 1):
        yield f'{json.dumps(name)}: {{"lines": {one.lines}, "paragraphs": ['
        for at, paragraph in enumerate(one.paragraphs, 1):
            yield json.dumps(astuple(paragraph)) + ("," if at < len(one.paragraphs) else "")
        yield "]}" + ("," if number < len(index) else "")
    yield "}}"


def _index(data: Any) -> Index:
    """Raises ValueError, KeyError, TypeError or AttributeError where that is none."""
    if data["rulespec.sources"] != FORMAT:
        raise ValueError("another format")
    return {str(name): _indexed(one) for name, one in data["sources"].items()}


def _indexed(data: Any) -> Indexed:
    lines = _number(data["lines"])
    found = tuple(_paragraph(row) for row in data["paragraphs"])
    end = 0
    for paragraph in found:
        if not end < paragraph.first <= paragraph.last <= lines:
            raise ValueError("paragraphs that do not follow one another")
        end = paragraph.last
    return Indexed(lines, found)


def _paragraph(row: Any) -> Paragraph:
    first, last, kind, mark = row
    if kind not in KINDS or not isinstance(mark, str) or len(mark) != MARK:
        raise ValueError("not a paragraph")
    return Paragraph(_number(first), _number(last), kind, mark)


def _number(value: Any) -> int:
    if type(value) is not int:
        raise TypeError("not a number")
    return value
