"""A source's text as paragraphs: where each stands, what it looks like, and a hash of its words.

Sources come from PDFs, web pages and program files. In some a line is a paragraph, in others paragraphs are
wrapped, and in some both. Two lines belong together when the second goes on in the middle of a sentence, or
when the first is so full that the next word would not have fitted. Where that is guessed wrongly, no harm is
done: a paragraph is accounted for line by line.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

KINDS = ("heading", "item", "row", "text", "comment", "code")
MARK = 16  # hexadecimal digits of a hash

WIDEST = 160  # a longer line was not wrapped by anybody
NARROW = 50  # in a text no wider than this, a line that ends like a sentence ends a paragraph
THIN = 20  # no text is wrapped to so little
FULL = 0.9  # of the width of the text around it: such a line has no room for another word
HEADING = 80  # characters; a longer line is no heading
CODE = 0.25  # so many of the lines of a program end like a program's

_ENDS = re.compile(r"\r\n|\r|\n")
_WORD = re.compile(r"\w")
_ITEM = re.compile(r"[-*+•–—▪◦‣·]\s|\(?(?:\d{1,3}|[A-Za-z]|[ivxIVX]{1,5})[.)]\s")
_HEADED = re.compile(r"#{1,6}\s|<h[1-6]\b")
_CODE_END = re.compile(r"[;{}]$|^#\s*(?:include|define|if|endif)\b")
_COMMENT = re.compile(r"//+|/\*+|\*+/|\*")
_SENTENCE_ENDS = (".", "!", "?", ":", "…", ".)", ".”", '."')
_NO_HEADING = (*_SENTENCE_ENDS, ";", ",")


@dataclass(frozen=True)
class Paragraph:
    """Lines `first` to `last`, counted from 1; `hash` is of the words, however they are wrapped."""

    first: int
    last: int
    kind: str
    hash: str


def lines_of(text: str) -> list[str]:
    """The lines as an editor numbers them."""
    lines = _ENDS.split(text)
    return lines[:-1] if lines[-1] == "" else lines


def split(lines: Sequence[str]) -> tuple[Paragraph, ...]:
    """The paragraphs in the order of the text. Lines without a letter or a digit belong to none."""
    runs = _runs(lines)
    if _is_program(lines):
        found = [_of_program(lines, run) for run in runs]
    else:
        found = [part for run in runs for part in _of_prose(lines, run)]
    return tuple(Paragraph(r.start + 1, r.stop, kind, hash_of(lines[r.start : r.stop])) for r, kind in found)


def hash_of(lines: Sequence[str]) -> str:
    """The hash of these lines' words, to which spaces and ends of lines make no difference."""
    words = unicodedata.normalize("NFC", " ".join(" ".join(lines).split()))
    return hashlib.sha256(words.encode("utf-8", "surrogatepass")).hexdigest()[:MARK]


_Part = tuple[range, str]


def _runs(lines: Sequence[str]) -> list[range]:
    """Lines that follow one another with nothing between them."""
    found: list[range] = []
    start = 0
    for number in range(len(lines) + 1):
        if number == len(lines) or not _WORD.search(lines[number]):
            if start < number:
                found.append(range(start, number))
            start = number + 1
    return found


# --- prose -------------------------------------------------------------------------------------------------


def _of_prose(lines: Sequence[str], run: range) -> Iterator[_Part]:
    width = max(len(lines[number].rstrip()) for number in run)
    start = run.start
    for number in run:
        if number + 1 == run.stop or not _goes_on(lines[number], lines[number + 1], width):
            yield range(start, number + 1), _kind(lines[start : number + 1])
            start = number + 1


def _goes_on(line: str, following: str, width: int) -> bool:
    """Whether a paragraph goes on from one line to the next; `width` is that of the widest around."""
    this, after = line.strip(), following.strip()
    if _begins(after) or _is_row(this) or _HEADED.match(this):
        return False
    if after[0].islower():
        return True
    needed = len(line.rstrip()) + 1 + len(after.split(maxsplit=1)[0])
    if this.endswith(_SENTENCE_ENDS):
        return NARROW < width <= WIDEST and needed > width
    return THIN < width <= WIDEST and needed > width * FULL and len(this) > width / 2


def _begins(line: str) -> bool:
    return bool(_ITEM.match(line) or _HEADED.match(line) or _is_row(line))


def _is_row(line: str) -> bool:
    return line.startswith("|") and line.endswith("|") and len(line) > 1


def _kind(lines: Sequence[str]) -> str:
    first = lines[0].strip()
    if _HEADED.match(first):
        return "heading"
    if _is_row(first):
        return "row"
    if _ITEM.match(first):
        return "item"
    return "heading" if len(lines) == 1 and _looks_like_heading(first) else "text"


def _looks_like_heading(line: str) -> bool:
    letters = [c for c in line if c.isalpha()]
    if len(line) > HEADING or not letters:
        return False
    capital = line[0].isdigit() or letters[0].isupper()
    return capital and (not line.endswith(_NO_HEADING) or all(c.isupper() for c in letters))


# --- program files -----------------------------------------------------------------------------------------


def _is_program(lines: Sequence[str]) -> bool:
    written = [line.strip() for line in lines if line.strip()]
    plain = [line for line in written if not line.startswith(("//", "/*", "*"))]
    ends = sum(1 for line in plain if _CODE_END.search(line))
    return bool(plain) and ends > CODE * len(plain)


def _of_program(lines: Sequence[str], run: range) -> _Part:
    """`//` alone is in no run, so a comment's paragraphs are apart."""
    comment = all(_COMMENT.match(lines[number].strip()) for number in run)
    return run, "comment" if comment else "code"
