"""The formatter: the same tokens and comments, spaced and indented one way. Prose is kept byte for byte.

Where a token goes follows from the tokens, comments and levels alone, never from the old spacing, so
formatting twice changes nothing; and as no token is added or taken away, the tree stays the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from rulespec.compiler.diagnostics import Diagnostic
from rulespec.compiler.surface.declarations import Understood
from rulespec.compiler.surface.fit import STEP, fit
from rulespec.compiler.surface.from_text import read
from rulespec.compiler.surface.tree import Comment
from rulespec.compiler.values import dataclass

T = TypeVar("T")


def format_text(text: str, file: str) -> tuple[str, tuple[Diagnostic, ...]]:
    """The text with its blocks of rules formatted; unchanged, with what is wrong, when it cannot be read."""
    document, found, understood = read(text, file)
    if found:
        return text, found
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    rows = text.removeprefix("\ufeff").split("\n")
    end = "\r" if rows[0].endswith("\r") else ""
    lines, comments = list(reversed(understood)), list(reversed(document.comments))
    kept: list[str] = []
    done = 0
    for first, last in document.blocks:
        kept += rows[done : first - 1]
        inside = _taken(lines, last, lambda line: line.line.last)
        beside = _taken(comments, last, lambda comment: comment.span.line)
        kept += [row + end for row in _block(_pieces(inside, beside))]
        done = last
    kept += rows[done:] if file.endswith(".md") else [""]
    return mark + "\n".join(kept), ()


def _taken(waiting: list[T], last: int, row: Callable[[T], int]) -> list[T]:
    """Takes from the end of `waiting` what stands no further down than row `last`, in that order."""
    found: list[T] = []
    while waiting and row(waiting[-1]) <= last:
        found.append(waiting.pop())
    return found


@dataclass(frozen=True, slots=True)
class _Piece:
    """What stands on rows of its own: a line with the comments in and after it, or a comment alone."""

    first: int
    last: int
    column: int
    line: Understood | None
    comments: tuple[Comment, ...]


def _pieces(lines: Sequence[Understood], comments: Sequence[Comment]) -> list[_Piece]:
    """Lines and comments in order; a comment between the first and last row of a line belongs to it."""
    pieces: list[_Piece] = []
    waiting = list(reversed(comments))
    for line in lines:
        start, last = line.tokens[0].span, line.line.last
        pieces += map(_alone, _taken(waiting, start.line - 1, lambda comment: comment.span.line))
        own = _taken(waiting, last, lambda comment: comment.span.line)
        pieces.append(_Piece(start.line, last, start.column, line, tuple(own)))
    return pieces + [_alone(comment) for comment in reversed(waiting)]


def _alone(comment: Comment) -> _Piece:
    return _Piece(comment.span.line, comment.span.line, comment.span.column, None, (comment,))


def _block(pieces: Sequence[_Piece]) -> Iterator[str]:
    """The rows of one block; of empty rows between two pieces one is kept."""
    before = pieces[0].last if pieces else 0
    for piece, depth in zip(pieces, _depths(pieces), strict=True):
        if piece.first > before + 1:
            yield ""
        before = piece.last
        yield from _rows(piece, depth * STEP)


def _depths(pieces: Sequence[_Piece]) -> list[int]:
    """How deep each piece stands. A comment goes with the next line, or with one above if as deep."""
    depths: list[int] = []
    columns: list[int] = []  # of the lines that the last line stands under, and its own
    for piece, following in zip(pieces, _next_lines(pieces), strict=True):
        if piece.line is not None:
            depth = piece.line.line.depth
            columns = [*columns[:depth], piece.column]
            depths.append(depth)
            continue
        least, known = 0, columns
        if following is not None and following.line is not None:
            least = following.line.line.depth
            known = [*columns[:least], following.column, *columns[least + 1 :]]
        depths.append(max([least, *(at for at, column in enumerate(known) if column <= piece.column)]))
    return depths


def _next_lines(pieces: Sequence[_Piece]) -> list[_Piece | None]:
    """For each piece the next one that is a line."""
    found: list[_Piece | None] = []
    following: _Piece | None = None
    for piece in reversed(pieces):
        found.append(following)
        following = piece if piece.line is not None else following
    return found[::-1]


def _rows(piece: _Piece, indent: int) -> list[str]:
    if piece.line is None:
        return [" " * indent + piece.comments[0].text]
    tokens = piece.line.tokens
    end = tokens[-1].span
    inside = [c for c in piece.comments if (c.span.line, c.span.column) < (end.line, end.column)]
    rows = fit(tokens, inside, indent)
    for comment in piece.comments[len(inside) :]:
        rows[-1] += "  " + comment.text
    return rows
