"""The grammar as data to show: the productions of `rules.lark`, read from its text.

Lark's own reader expands templates and options, after which nobody would know the text again.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from rulespec.compiler.surface.grammar import source

_TOKEN = re.compile(r'\s*("[^"]*"|->\s*\w+|[A-Za-z_]\w*|[\[\](){}|,*+?]|\.\.)')
_HEAD = re.compile(r"^[?!]*([a-z_]\w*)(?:\{(\w+)\})?:(.*)$")


@dataclass(frozen=True)
class Word:
    """A keyword or sign, as it is written."""

    text: str


@dataclass(frozen=True)
class Name:
    """Another production, or in capitals what the scanner makes; `inner` is given to a template."""

    name: str
    inner: tuple[Part, ...] = ()


@dataclass(frozen=True)
class Maybe:
    """What may be left out."""

    inner: Alternatives


@dataclass(frozen=True)
class Either:
    """One of several, in brackets."""

    inner: Alternatives


Part = Word | Name | Maybe | Either
Alternatives = tuple[tuple[Part, ...], ...]


@dataclass(frozen=True)
class Production:
    """One name of the grammar and what it may be."""

    name: str
    alternatives: Alternatives


@cache
def productions() -> dict[str, Production]:
    """All of the grammar but its templates, by name, in its order."""
    found: dict[str, Production] = {}
    for head, argument, body in _entries(source()):
        if not argument:
            found[head] = Production(head, _Reader(body).alternatives())
    return found


@cache
def templates() -> frozenset[str]:
    """Productions with a parameter, such as `commas{item}`."""
    return frozenset(head for head, argument, _ in _entries(source()) if argument)


def names(alternatives: Alternatives) -> set[str]:
    """The productions and terminals that are named in it."""
    found: set[str] = set()
    for parts in alternatives:
        for part in parts:
            if isinstance(part, Name):
                found |= {part.name} | names((part.inner,))
            elif isinstance(part, Maybe | Either):
                found |= names(part.inner)
    return found


def _entries(text: str) -> list[tuple[str, str, str]]:
    """Name, parameter and body of each entry; lines that begin with space go on."""
    entries: list[tuple[str, str, str]] = []
    for line in text.splitlines():
        if line.startswith(("//", "%")) or not line.strip():
            continue
        head = _HEAD.match(line)
        if head:
            entries.append((head[1], head[2] or "", head[3]))
        else:
            name, argument, body = entries[-1]
            entries[-1] = (name, argument, f"{body}\n{line}")
    return entries


class _Reader:
    """Reads the body of one entry."""

    def __init__(self, body: str) -> None:
        self.words = [found[1] for found in _TOKEN.finditer(body)]
        if re.sub(r"\s", "", "".join(self.words)) != re.sub(r"\s", "", body):
            raise ValueError(f"the grammar has signs that are not known here: {body}")
        self.at = 0

    def alternatives(self) -> Alternatives:
        """Sequences with `|` between them, up to a closing bracket or the end."""
        found = [self._sequence()]
        while self._next() == "|":
            self.at += 1
            found.append(self._sequence())
        return tuple(found)

    def _next(self) -> str:
        return self.words[self.at] if self.at < len(self.words) else ""

    def _sequence(self) -> tuple[Part, ...]:
        parts: list[Part] = []
        while self._next() not in ("", "|", "]", ")", "}"):
            word = self.words[self.at]
            self.at += 1
            if not word.startswith("->"):  # the name that the tree builder gives it
                parts.append(self._part(word))
        return tuple(parts)

    def _part(self, word: str) -> Part:
        if word.startswith('"'):
            return Word(word[1:-1])
        if word in "[(":
            inner = self.alternatives()
            self.at += 1
            return Maybe(inner) if word == "[" else Either(inner)
        if self._next() != "{":
            return Name(word)
        self.at += 1
        (inner_parts,) = self.alternatives()
        self.at += 1
        return Name(word, inner_parts)
