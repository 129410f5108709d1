"""Markdown around the rules: which lines are rules text, and under which headings they stand."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from operator import attrgetter

from rulespec.compiler.spans import Span
from rulespec.compiler.surface.findings import Findings
from rulespec.compiler.surface.tree import Heading
from rulespec.compiler.values import dataclass

_FENCE = re.compile(r"( *)(`{3,}+|~{3,}+)[ \t]*+([^\s`]*+)([^`]*+)$")
_HEADING = re.compile(r" {0,3}(#{1,6})[ \t]++(.*)$")
_NEARLY = frozenset({"rule", "rulespec", "rules:", "{rules}", ".rules"})


@dataclass(frozen=True, slots=True)
class Literate:
    """`text` is as long as the file (but for a byte order mark), with all but the rules turned into spaces.

    `blocks` are the first and last line of rules text in each block; an empty block is not listed.
    """

    text: str
    headings: tuple[Heading, ...]
    blocks: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class _Open:
    line: int
    fence: str
    rules: bool


def read(text: str, file: str, found: Findings) -> Literate:
    """A `.md` file is Markdown with rules in it; any other file is rules from end to end."""
    text = text.removeprefix("\ufeff")
    lines = text.split("\n")
    if not file.endswith(".md"):
        return Literate(text, (), ((1, len(lines)),))
    headings: list[Heading] = []
    blocks: list[tuple[int, int]] = []
    block: _Open | None = None
    for number, line in enumerate(lines, 1):
        fence = _FENCE.match(line.rstrip("\r"))
        if block is None:
            if fence:
                block = _opened(fence, number, file, found)
            elif heading := _HEADING.match(line.rstrip("\r")):
                headings.append(Heading(len(heading[1]), _without_marks(heading[2]), number))
        elif fence and _closes(fence, block):
            _finish(block, number, blocks)
            block = None
        elif block.rules and fence and not fence[1] and fence[3] == "rules":
            _unclosed(block, file, found)
            _finish(block, number, blocks)
            block = _Open(number, fence[2], True)
    if block is not None and block.rules:
        _unclosed(block, file, found)
        _finish(block, _likely_end(lines, block.line), blocks)
    return Literate(_blank(lines, blocks), tuple(headings), tuple(blocks))


def _opened(fence: re.Match[str], line: int, file: str, found: Findings) -> _Open:
    indent, marks, info = fence[1], fence[2], fence[3]
    span = Span(file, line, fence.start(2) + 1, line, len(fence[0].rstrip()) + 1)
    if info == "rules" and indent:
        advice = "let the line begin with the fence, or with another word than `rules`"
        found.add("R0113", "an indented block of rules is not read", span, help=(advice,))
    elif info.lower() == "rules" != info or info.lower() in _NEARLY:
        advice = "write `rules` after the fence"
        found.add("R0113", f"a block marked `{info}` is not read as rules", span, help=(advice,))
    return _Open(line, marks, info == "rules" and not indent)


def _without_marks(text: str) -> str:
    """A heading may end in `#` signs of its own."""
    text = text.rstrip()
    bare = text.rstrip("#")
    return bare.rstrip() if not bare or bare[-1] in " \t" else text


def _closes(fence: re.Match[str], block: _Open) -> bool:
    same = fence[2][0] == block.fence[0] and len(fence[2]) >= len(block.fence)
    return same and len(fence[1]) <= 3 and not fence[3] and not fence[4].strip()


def _finish(block: _Open, end: int, blocks: list[tuple[int, int]]) -> None:
    if block.rules and end > block.line + 1:
        blocks.append((block.line + 1, end - 1))


def _unclosed(block: _Open, file: str, found: Findings) -> None:
    span = Span(file, block.line, 1, block.line, len(block.fence) + len("rules") + 1)
    marks = "tildes" if block.fence[0] == "~" else "backticks"
    help = (f"close it with a line of {len(block.fence)} {marks} and nothing else",)
    found.add("R0112", "this block of rules is not closed", span, help=help)


def _likely_end(lines: Sequence[str], start: int) -> int:
    """Where an unclosed block seems to end: prose begins after an empty line, with a capital or a mark."""
    for i in range(start + 1, len(lines)):
        if not lines[i - 1].strip() and re.match(r"[A-Z*_>\[|-]", lines[i]):
            return i + 1
    return len(lines) + 1


def _blank(lines: Sequence[str], blocks: Sequence[tuple[int, int]]) -> str:
    kept = [" " * len(line) for line in lines]
    for first, last in blocks:
        kept[first - 1 : last] = lines[first - 1 : last]
    return "\n".join(kept)


def breadcrumb(headings: Sequence[Heading], line: int) -> tuple[str, ...]:
    """The headings above a line, outermost first."""
    path: list[str] = []
    level = 7  # one more than there are
    for at in range(bisect_right(headings, line, key=attrgetter("line")) - 1, -1, -1):
        if headings[at].level < level:
            level = headings[at].level
            path.append(headings[at].text)
        if level == 1:
            break
    return tuple(reversed(path))
