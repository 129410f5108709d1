"""How the tokens of a line are spaced, and where one that is too long is broken: only inside brackets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field

from rulespec.compiler.surface.scan import Tok, cited
from rulespec.compiler.surface.tree import Comment
from rulespec.compiler.values import dataclass

WIDTH = 110
STEP = 4
MANY = 16
SMALL = 24  # a group as short as this is not worth breaking

_CLOSES = {"(": ")", "[": "]", "{": "}"}
_CALLED = frozenset({"NAME", "WORD", "sum", "count", "min", "max"})
_OPERANDS = frozenset({"NAME", "WORD", "NUMBER", "STRING", "true", "false", "none", *_CLOSES.values()})
_CLAUSES = frozenset({"for", "where"})
_JOINS = frozenset({"and", "or", "implies", "if", "else"})


@dataclass(frozen=True, slots=True)
class Word:
    """A token as it is printed; `gap`: a space before it, unless it begins a row."""

    kind: str
    text: str
    gap: bool


@dataclass
class Group:
    """What stands between two brackets, with them."""

    open: Word
    inner: list[Part] = field(default_factory=list)
    close: Word = Word(")", ")", False)


Part = Word | Comment | Group


# Declarations whose last part may stand on a line of its own, and what comes before it.
_ANNOUNCES = {"function": "=", "invariant": ":", "reachable": ":", "hint": ":", "bound": ":", "ranking": ":"}


def fit(tokens: Sequence[Tok], comments: Sequence[Comment], indent: int) -> list[str]:
    """The rows of one line: more than one when it is wider than `WIDTH` or has comments in its brackets."""
    parts = _grouped(tokens, comments)
    sign = _ANNOUNCES.get(tokens[0].kind)
    if sign is not None and indent + len(_flat(parts)) > WIDTH:
        ends = [at for at, part in enumerate(parts) if isinstance(part, Word) and part.kind == sign]
        if ends and ends[0] + 1 < len(parts):
            end = ends[0] + 1
            return _laid(parts[:end], indent) + _laid(parts[end:], indent + STEP)
    return _laid(parts, indent)


def joined(tokens: Sequence[Tok]) -> str:
    """The tokens on one row."""
    return _flat(_grouped(tokens, ()))


def _grouped(tokens: Sequence[Tok], comments: Sequence[Comment]) -> list[Part]:
    """Words and comments in their order, with what stands in brackets in groups."""
    groups: list[Group] = [Group(Word("", "", False))]
    waiting = list(reversed(comments))
    for at, token in enumerate(tokens):
        place = (token.span.line, token.span.column)
        while waiting and (waiting[-1].span.line, waiting[-1].span.column) < place:
            groups[-1].inner.append(waiting.pop())
        word = Word(
            token.kind, str(cited(token)) if token.kind == "CITATION" else token.text, _gap(tokens, at)
        )
        if token.kind in _CLOSES:
            groups.append(Group(word))
        elif token.kind in _CLOSES.values() and len(groups) > 1:
            groups[-1].close = word
            done = groups.pop()
            groups[-1].inner.append(done)
        else:
            groups[-1].inner.append(word)
    return groups[0].inner


def _gap(tokens: Sequence[Tok], at: int) -> bool:
    """Whether a space stands before token `at`."""
    if at == 0:
        return False
    before, kind = tokens[at - 1].kind, tokens[at].kind
    if before in ("(", "[", "{", ".", "..") or kind in (")", "]", "}", ",", ".", "..", ":", "?"):
        return False
    if before == "-" and (at == 1 or tokens[at - 2].kind not in _OPERANDS):
        return False
    if kind == "(":
        return before not in _CALLED
    if kind == "[":
        return before not in ("NAME", ")", "]", "}")
    return True


def _flat(parts: Sequence[Part]) -> str:
    return "".join(_texts(parts)).strip()


def _texts(parts: Sequence[Part]) -> Iterator[str]:
    for part in parts:
        match part:
            case Word(_, text, gap):
                yield " " + text if gap else text
            case Group(opened, inner, close):
                yield from _texts((opened, *inner, close))
            case Comment(text):
                yield "  " + text


def _commented(parts: Sequence[Part]) -> bool:
    return any(
        isinstance(part, Comment) or (isinstance(part, Group) and _commented(part.inner)) for part in parts
    )


def _laid(parts: Sequence[Part], indent: int) -> list[str]:
    """The rows for `parts`, breaking as few groups as make it fit: those with comments, then the longest."""
    broken = {at for at, part in enumerate(parts) if isinstance(part, Group) and _commented(part.inner)}
    while True:
        rows = _broken(parts, broken, indent)
        if all(len(row) <= WIDTH for row in rows):
            return rows
        left = {at: len(_flat([part])) for at, part in enumerate(parts) if isinstance(part, Group)}
        worth = [at for at, width in left.items() if width > SMALL and at not in broken]
        if not worth:
            return rows
        worth.sort(key=lambda at: (-left[at], at))
        # One more each time; a line with very many groups has them all broken, to be done in time.
        broken |= set(worth if len(worth) > MANY else worth[:1])


def _broken(parts: Sequence[Part], broken: set[int], indent: int) -> list[str]:
    """The rows with exactly these groups broken."""
    rows = [" " * indent]
    ended = False  # a comment ends its row

    def write(text: str, gap: bool) -> None:
        nonlocal ended
        if ended:
            rows.append(" " * indent)
            ended = False
        rows[-1] += " " + text if gap and rows[-1].strip() else text

    for at, part in enumerate(parts):
        match part:
            case Word(_, text, gap):
                write(text, gap)
            case Comment(text, own_line):
                if own_line and rows[-1].strip():
                    rows.append(" " * indent)
                rows[-1] += text if not rows[-1].strip() else "  " + text
                ended = True
            case Group(opened, inner, close) if at in broken:
                write(opened.text, opened.gap)
                beside = isinstance(inner[0], Comment) and not inner[0].own_line
                if beside:
                    rows[-1] += "".join(_texts(inner[:1]))
                for item in _items(inner[1:] if beside else inner, indent + STEP):
                    rows += _laid(item, indent + STEP)
                rows.append(" " * indent + close.text)
            case Group(opened):
                write(_flat([part]), opened.gap)
    return rows


def _items(inner: Sequence[Part], indent: int) -> list[list[Part]]:
    """The parts of a group that get rows of their own: cut at commas and clauses, if need be at `and`."""
    if len(_flat(inner)) <= WIDTH - indent and not _commented(inner):
        return [list(inner)] if inner else []
    items = _split(inner, _CLAUSES)
    if len(items) == 1 or any(len(_flat(item)) > WIDTH - indent for item in items):
        items = [piece for item in items for piece in _split(item, _JOINS)]
    return items


def _split(parts: Sequence[Part], heads: frozenset[str]) -> list[list[Part]]:
    """Cuts after commas and before `heads`; a comment stays with what stands before it."""
    items: list[list[Part]] = [[]]
    after_comma = False
    for part in parts:
        beside = isinstance(part, Comment) and not part.own_line
        head = isinstance(part, Word) and part.kind in heads
        if items[-1] and ((after_comma and not beside) or head):
            items.append([])
        after_comma = isinstance(part, Word) and part.kind == ","
        items[-1].append(part)
    return items
