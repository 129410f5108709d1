"""What stands in the boxes of a picture: lines of text, as wide as they may be, with the links in them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from rulespec.reference.picture import Box, Line, Option
from rulespec.site.letters import width, wrapped

TEXT, SMALL = 14.0, 12.0
PAD_X, PAD_Y = 14.0, 10.0
ROOM = 235.0  # for text
WIDE = 300.0  # with a look inside
INDENT = 14.0
LEADING = 1.42

_PARAM = re.compile(r"\{(\w+)\}")
_MARKS = {"loop": "↻ ", "choice": "◆ ", "chance": "⚄ ", "call": "", "more": "… "}


@dataclass(frozen=True)
class Row:
    """A line of text. `style`: classes of the text; `link`: where it leads to, `said` how that is called."""

    text: str
    style: str = ""
    indent: float = 0.0
    link: str = ""
    said: str = ""

    @property
    def size(self) -> float:
        return TEXT if not {"code", "kind", "small"} & set(self.style.split()) else SMALL

    @property
    def height(self) -> float:
        return self.size * LEADING

    @property
    def width(self) -> float:
        styles = self.style.split()
        letters = width(self.text, self.size, bold="strong" in styles, mono="code" in styles)
        return self.indent + letters


@dataclass(frozen=True)
class Content:
    rows: tuple[Row, ...]

    @property
    def size(self) -> tuple[float, float]:
        across = max((row.width for row in self.rows), default=0.0)
        return across + 2 * PAD_X, sum(row.height for row in self.rows) + 2 * PAD_Y


@dataclass(frozen=True)
class Links:
    """Where the box of a rule leads: to the `rule` in the rulebook, and to its `picture` or nowhere."""

    rule: str
    picture: str = ""


def content(box: Box, links: dict[str, Links]) -> Content:
    return Content(tuple(_rows(box, links)))


def kind(box: Box) -> str:
    """The word for what a box is, which stands in it."""
    match box.kind:
        case "choice":
            return "choice at once" if box.together else "choice"
        case "call":
            return "rule" if box.chooses else "rule, no choice"
        case "test":
            return "if"
        case "loop":
            return "one after another" if box.text.startswith("for ") else "again and again"
        case _:
            return "chance" if box.kind == "chance" else ""


def who(box: Box) -> str:
    said = f"{box.who[:1].upper()}{box.who[1:]}"
    if box.together:
        return f"{said} choose at once, unseen"
    return f"{said}, chooses" if "," in said else f"{said} chooses"


def phrase(option: Option) -> str:
    return _PARAM.sub(r"‹\1›", option.phrase)


def _rows(box: Box, links: dict[str, Links]) -> Iterator[Row]:
    if kind(box):
        yield Row(kind(box), "kind")
    match box.kind:
        case "choice":
            yield from _text(who(box), "strong")
            yield from _options(box.options)
        case "options":
            yield from _options(box.options)
        case "call":
            yield from _call(box, links)
        case "loop" | "test" | "chance":
            yield from _text(box.text, "code")
        case _:
            yield from _text(box.text, "")
    if box.kind in ("loop", "step"):
        for each in box.detail:
            yield from _text(each, "code quiet" if box.kind == "loop" else "code")


def _text(text: str, style: str, indent: float = 0.0, room: float = ROOM) -> Iterator[Row]:
    """Wrapped; what comes after the first line stands further in."""
    styles = set(style.split())
    size = Row("", style).size
    further = indent + (INDENT if "code" in styles else 0.0)
    lines = wrapped(text, room - further, size, bold="strong" in styles, mono="code" in styles)
    for n, line in enumerate(lines):
        yield Row(line, style, indent if n == 0 else further)


def _options(options: tuple[Option, ...]) -> Iterator[Row]:
    for option in options:
        for n, line in enumerate(wrapped(phrase(option), ROOM - INDENT, TEXT)):
            yield Row(f"▸ {line}" if n == 0 else line, "", 0.0 if n == 0 else INDENT)
        for given in option.given:
            yield from _text(given, "code quiet", INDENT)
        if option.guard:
            yield from _text(f"when {option.guard}", "code quiet", INDENT)


def _call(box: Box, links: dict[str, Links]) -> Iterator[Row]:
    found = links.get(box.rule)
    for line in wrapped(box.text, WIDE if box.lines else ROOM, TEXT, bold=True):
        yield Row(line, "strong", 0.0, found.rule if found else "", f"The rule {box.text}")
    for each in box.detail:
        yield from _text(each, "code quiet")
    for inside in box.lines:
        yield from _line(inside, links)
    if found and found.picture:
        yield Row("its own picture", "small", 0.0, found.picture, f"The picture of {box.text}")


def _line(line: Line, links: dict[str, Links]) -> Iterator[Row]:
    indent = INDENT * (min(line.depth, 9) + 0.5)
    style = "code quiet" if line.kind in ("loop", "chance") else "small"
    found = links.get(line.rule) if line.rule else None
    text = _PARAM.sub(r"‹\1›", _MARKS[line.kind] + line.text)
    mono = "code" in style.split()
    for n, part in enumerate(wrapped(text, max(WIDE - indent, 150), SMALL, mono=mono)):
        further = indent if n == 0 else indent + INDENT
        yield Row(part, style, further, found.rule if found else "", f"The rule {line.text}")
