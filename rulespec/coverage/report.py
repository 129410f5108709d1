"""What is accounted for, and what has changed, as lines of text for a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence

from rulespec.compiler.surface.citing import Citing
from rulespec.coverage.accounts import Account, Coverage, Covered, SourceCoverage
from rulespec.coverage.changes import Changes, Pair
from rulespec.coverage.given import Given
from rulespec.coverage.paragraphs import Paragraph

SHOWN = 76  # characters of a paragraph
INDENT = " " * 4


def lines(before: Coverage, now: Coverage, given: Mapping[str, Given], *, updated: bool) -> Iterator[str]:
    """The whole report but its last line: what the index said `before`, what is known `now`, and the sources
    whose text is at hand.
    """
    for source, was in zip(now.sources, before.sources, strict=True):
        here = given.get(source.name)
        changes = here.changes if here is not None else None
        yield from _source(source, here.lines if here is not None and (updated or not changes) else ())
        if here is not None and changes:
            yield from _changes(was, here, changes)
        yield ""


def _source(source: SourceCoverage, text: Sequence[str]) -> Iterator[str]:
    known = source.indexed
    if known is None:
        yield f"{source.name}, {source.title}: there is no index of it"
        yield f"{INDENT}make it from the text: rulespec coverage GAME --source {source.name}=FILE --update"
        return
    yield f"{source.name}, {source.title}: {_counted(len(source.paragraphs), 'paragraph')}"
    yield f"{INDENT}{_summary(source)}"
    if known.lines != source.lines:
        yield f"{INDENT}it has {known.lines} lines, and the rulebook says `of {source.lines} lines`"
    for covered in source.open:
        yield from _open(covered, text)
    for one in source.astray:
        yield f"{INDENT}{named(one)} cites {one.citation.alone}, where nothing stands"


def _summary(source: SourceCoverage) -> str:
    aside = _asides(source)
    kinds = f" ({', '.join(f'{number} {kind}' for kind, number in aside.items())})" if aside else ""
    parts = [f"{source.count('cited')} cited", f"{source.count('aside')} set aside{kinds}"]
    if source.count("part"):
        parts.append(f"{source.count('part')} in part")
    return ", ".join([*parts, f"{source.count('open') or 'none'} not accounted for"])


def _asides(source: SourceCoverage) -> dict[str, int]:
    """How many paragraphs are set aside, by the kind that is named first."""
    found: dict[str, int] = {}
    for covered in source.paragraphs:
        if covered.state == "aside":
            kind = covered.by[0].by.sort
            found[kind] = found.get(kind, 0) + 1
    return found


def _open(covered: Covered, text: Sequence[str]) -> Iterator[str]:
    place = span(covered.paragraph)
    if covered.by:
        left = ", ".join(_range(first, last) for first, last in covered.missing)
        rest = by(account.by for account in covered.by)
        yield f"{INDENT}{_numbered(left)} of {place}: not accounted for (the rest: {rest})"
    else:
        yield f"{INDENT}{place}: not accounted for ({covered.paragraph.kind})"
    for first, last in covered.missing if text else ():
        yield f"{INDENT * 2}{shortened(text[first - 1 : last])}"


# --- changes -----------------------------------------------------------------------------------------------


def _changes(source: SourceCoverage, given: Given, changes: Changes) -> Iterator[str]:
    yield f"{INDENT}`{given.file}` is not as it was indexed:"
    accounts = {covered.paragraph.first: covered.by for covered in source.paragraphs}
    for old, now in changes.changed:
        yield f"{INDENT * 2}{span(old)} changed{_now_at(old, now)}: {_look(accounts[old.first])}"
        yield f"{INDENT * 3}{_text(given, now)}"
    for old in changes.gone:
        yield f"{INDENT * 2}{span(old)} gone: {_look(accounts[old.first])}"
    for now in changes.new:
        yield f"{INDENT * 2}{span(now)} new: {_text(given, now)}"
    for old, now in changes.moved:
        yield f"{INDENT * 2}{span(old)} moved to {span(now)}: {_look(accounts[old.first])}"
    for run in shifts(changes.shifted):
        first, last = run[0], run[-1]
        was, here = _range(first[0].first, last[0].last), _range(first[1].first, last[1].last)
        yield f"{INDENT * 2}{_numbered(was)} now {here}, with the same words"


def shifts(pairs: Sequence[Pair]) -> list[list[Pair]]:
    """Those that follow one another and have come to stand equally far up or down."""
    found: list[list[Pair]] = []
    for pair in pairs:
        before = found[-1][-1] if found else None
        if before is not None and _offset(before) == _offset(pair):
            found[-1].append(pair)
        else:
            found.append([pair])
    return found


def _offset(pair: Pair) -> tuple[int, int]:
    return pair[1].first - pair[0].first, pair[1].last - pair[0].last


def _now_at(old: Paragraph, now: Paragraph) -> str:
    return "" if (old.first, old.last) == (now.first, now.last) else f" (now {span(now)})"


def _look(accounts: Sequence[Account]) -> str:
    return f"look at {by(one.by for one in accounts)}" if accounts else "nothing cites it"


def _text(given: Given, paragraph: Paragraph) -> str:
    return shortened(given.lines[paragraph.first - 1 : paragraph.last])


# --- words -------------------------------------------------------------------------------------------------


def by(found: Iterator[Citing] | Sequence[Citing]) -> str:
    """`rule sell, option bid of ascending_auction, example tie`: each once."""
    return ", ".join(dict.fromkeys(named(one) for one in found))


def named(one: Citing) -> str:
    """What cites, in a few words."""
    inside = f" of {one.of}" if one.of and one.of != one.name else ""
    return " ".join(filter(None, (one.sort, one.name))) + inside


def span(paragraph: Paragraph) -> str:
    """`line 7`, `lines 7..9`."""
    return _numbered(_range(paragraph.first, paragraph.last))


def _numbered(lines: str) -> str:
    return f"{'line' if lines.isdigit() else 'lines'} {lines}"


def _range(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}..{last}"


def shortened(text: Sequence[str]) -> str:
    """The beginning of a paragraph, on one line; nothing in it can steer a terminal."""
    line = "".join(c if c.isprintable() else " " for c in " ".join(text))
    return textwrap.shorten(line, SHOWN, placeholder=" ...") if " " in line.strip() else line.strip()[:SHOWN]


def _counted(number: int, thing: str) -> str:
    return f"{number} {thing}{'' if number == 1 else 's'}"
