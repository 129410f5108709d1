"""A picture of the turn structure as SVG, and the same as a list."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise

from rulespec.reference.picture import Box, Picture
from rulespec.site.boxes import PAD_X, PAD_Y, SMALL, Content, Links, Row, content, kind, phrase, who
from rulespec.site.layered import Arrow, Placed, Point, Route, layout
from rulespec.site.letters import width
from rulespec.site.page import text

_POINT = {"choice": 16.0, "test": 18.0}  # how far the sides stick out
_BAR = 5.0
_HEAD = 8.0
_ROUND = 9.0


def svg(picture: Picture, links: dict[str, Links], ident: str) -> str:
    """The picture; `ident` tells it from others on the page, `links` are those of rules by name."""
    inside = [content(box, links) for box in picture.boxes]
    sizes = [_size(box, each) for box, each in zip(picture.boxes, inside, strict=True)]
    arrows = [Arrow(k.source, k.target, k.back, _label_size(k.label)) for k in picture.links]
    found = layout(sizes, arrows)
    label = [link.label for link in picture.links]
    w, h = _number(found.width), _number(found.height)
    parts = [
        f'<svg class="turns" xmlns="http://www.w3.org/2000/svg" role="group" viewBox="0 0 {w} {h}"'
        f' width="{w}" height="{h}" aria-labelledby="{ident}-title">',
        f'<title id="{ident}-title">{text(f"Turn structure: {picture.title}")}</title>',
        "<desc>From the top to the bottom; dashed arrows lead back. The list below says the same.</desc>",
        '<g class="arrows" aria-hidden="true">',
        *(_arrow(route, said) for route, said in zip(found.routes, label, strict=True)),
        "</g>",
        *(_box(b, c, p) for b, c, p in zip(picture.boxes, inside, found.boxes, strict=True)),
        "</svg>",
    ]
    return "".join(parts)


def _size(box: Box, inside: Content) -> tuple[float, float]:
    across, down = inside.size
    more = _POINT.get(box.kind, 0.0) + (_BAR if box.kind == "call" else 0.0)
    return across + 2 * more, down


def _label_size(label: str) -> tuple[float, float] | None:
    return (width(label, SMALL) + 8, SMALL * 1.5) if label else None


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


# --- boxes -------------------------------------------------------------------------------------------------


def _box(box: Box, inside: Content, at: Placed) -> str:
    return f'<g class="box {box.kind}{_quiet(box)}">{_shape(box, at)}{"".join(_lines(inside, box, at))}</g>'


def _quiet(box: Box) -> str:
    return " quiet" if box.kind == "call" and not box.chooses else ""


def _shape(box: Box, at: Placed) -> str:
    match box.kind:
        case "start" | "end":
            return _rect(at, at.height / 2)
        case "loop":
            return _rect(at, 18)
        case "choice" | "test":
            point = _POINT[box.kind]
            outer = _polygon(_hexagon(at, point))
            return outer + (_polygon(_hexagon(_smaller(at, 4), point - 1.5)) if box.together else "")
        case "chance":
            return _rect(at, 0) + _rect(_smaller(at, 4), 0)
        case "call":
            bars = "".join(
                f'<path d="M{_number(x)} {_number(at.top)}V{_number(at.bottom)}"/>'
                for x in (at.left + _BAR, at.right - _BAR)
            )
            return _rect(at, 0) + bars
        case "options":
            return _rect(at, 10)
    return _rect(at, 2)


def _smaller(at: Placed, by: float) -> Placed:
    return Placed(at.x, at.top + by, at.width - 2 * by, at.height - 2 * by)


def _rect(at: Placed, corner: float) -> str:
    rounded = f' rx="{_number(corner)}"' if corner else ""
    return (
        f'<rect x="{_number(at.left)}" y="{_number(at.top)}" width="{_number(at.width)}"'
        f' height="{_number(at.height)}"{rounded}/>'
    )


def _hexagon(at: Placed, point: float) -> list[Point]:
    in_left, in_right = at.left + point, at.right - point
    return [
        (at.left, at.middle), (in_left, at.top), (in_right, at.top),
        (at.right, at.middle), (in_right, at.bottom), (in_left, at.bottom),
    ]  # fmt: skip


def _polygon(points: Iterable[Point]) -> str:
    return f'<polygon points="{" ".join(f"{_number(x)},{_number(y)}" for x, y in points)}"/>'


def _lines(inside: Content, box: Box, at: Placed) -> Iterator[str]:
    left = at.left + PAD_X + (at.width - _size(box, inside)[0]) / 2
    left += _POINT.get(box.kind, 0.0) + (_BAR if box.kind == "call" else 0.0)
    y = at.top + PAD_Y
    centred = box.kind in ("start", "end")
    for row in inside.rows:
        y += row.height
        x = at.x if centred else left + row.indent
        yield _linked(row, f'x="{_number(x)}" y="{_number(y - row.height * 0.28)}"')


def _linked(row: Row, place: str) -> str:
    style = f' class="{row.style}"' if row.style else ""
    line = f"<text {place}{style}>{text(row.text)}</text>"
    if not row.link:
        return line
    return f'<a href="{text(row.link)}" aria-label="{text(row.said)}">{line}</a>'


# --- arrows ------------------------------------------------------------------------------------------------


def _arrow(route: Route, label: str) -> str:
    way = _corners(_from_within(route.points)) if route.back else _curve(route.points)
    style = "back" if route.back else "on"
    parts = [f'<path class="{style}" d="{way}"/>', _head(route.points)]
    if route.label is not None:
        at = route.label
        parts.append(_rect(at, 3).replace("<rect", '<rect class="behind"'))
        y = _number(at.middle + SMALL * 0.36)
        parts.append(f'<text class="label" x="{_number(at.x)}" y="{y}">{text(label)}</text>')
    return "".join(parts)


def _curve(points: tuple[Point, ...]) -> str:
    """Straight within a pair of points, bent from a pair to the next."""
    way = f"M{_at(points[0])}"
    for n, (before, here) in enumerate(pairwise(points)):
        if n % 2 == 0 or before[0] == here[0]:
            way += f"L{_at(here)}"
        else:
            middle = (before[1] + here[1]) / 2
            way += f"C{_at((before[0], middle))} {_at((here[0], middle))} {_at(here)}"
    return way


def _corners(points: tuple[Point, ...]) -> str:
    way = f"M{_at(points[0])}"
    for before, corner, after in zip(points, points[1:], points[2:], strict=False):
        near, far = _toward(corner, before), _toward(corner, after)
        way += f"L{_at(near)}Q{_at(corner)} {_at(far)}"
    return way + f"L{_at(points[-1])}"


def _from_within(points: tuple[Point, ...]) -> tuple[Point, ...]:
    """Beginning under the box, whose sides may slant."""
    (x, y), (after, _) = points[:2]
    return ((x + (_HEAD if after < x else -_HEAD), y) if after != x else (x, y), *points[1:])


def _toward(corner: Point, other: Point) -> Point:
    dx, dy = other[0] - corner[0], other[1] - corner[1]
    length = (dx * dx + dy * dy) ** 0.5
    if length == 0:
        return corner
    step = min(_ROUND, length / 2) / length
    return corner[0] + dx * step, corner[1] + dy * step


def _head(points: tuple[Point, ...]) -> str:
    tip = points[-1]
    before = next((point for point in reversed(points) if point != tip), tip)
    side = _HEAD * 0.5
    if tip[1] != before[1]:  # arrows that lead on come from above, bent or not
        down = 1 if tip[1] > before[1] else -1
        ends = [(tip[0] - side, tip[1] - down * _HEAD), (tip[0] + side, tip[1] - down * _HEAD)]
    else:
        right = 1 if tip[0] > before[0] else -1
        ends = [(tip[0] - right * _HEAD, tip[1] - side), (tip[0] - right * _HEAD, tip[1] + side)]
    return _polygon([tip, *ends])


def _at(point: Point) -> str:
    return f"{_number(point[0])} {_number(point[1])}"


# --- what the shapes mean -----------------------------------------------------------------------------------

_SAMPLE = Placed(24, 2, 44, 20)
_MEANINGS = (
    (Box("choice", ""), "somebody <strong>chooses</strong>"),
    (Box("choice", "", together=True), "all choose at once, unseen"),
    (Box("options", ""), "what is chosen, where it makes a difference to what follows"),
    (Box("chance", ""), "<strong>chance</strong> decides"),
    (Box("loop", ""), "<strong>again and again</strong>: a dashed arrow leads back to it"),
    (Box("test", ""), "<strong>if</strong>: the rules look, and nobody chooses"),
    (Box("call", "", chooses=True), "another <strong>rule</strong> in which somebody chooses"),
    (Box("call", ""), "another rule, in which nobody chooses"),
    (Box("step", ""), "what happens, in the words of the rules"),
)


def key() -> str:
    """What the shapes mean, as an HTML list."""
    rows = (
        '<li><svg class="turns" width="48" height="24" aria-hidden="true">'
        f'<g class="box {box.kind}{_quiet(box)}">{_shape(box, _SAMPLE)}</g></svg> <span>{meaning}</span></li>'
        for box, meaning in _MEANINGS
    )
    return f'<ul class="turns-key">{"".join(rows)}</ul>'


# --- the same as a list ------------------------------------------------------------------------------------


def listed(picture: Picture, links: dict[str, Links]) -> str:
    """The boxes as an ordered list: each with its number, what it says, and what follows by number."""
    rows = [f"<li>{_said(n, box, picture, links)}</li>" for n, box in enumerate(picture.boxes)]
    return f"<ol>{''.join(rows)}</ol>"


def _said(number: int, box: Box, picture: Picture, links: dict[str, Links]) -> str:
    what = _told(box, links)
    ways = [link for link in picture.links if link.source == number]
    if not ways:
        return what
    then = "; ".join(_way(link.label, link.target, link.back) for link in ways)
    return f"{what} → {then}"


def _way(label: str, target: int, back: bool) -> str:
    to = f"back to {target + 1}" if back else str(target + 1)
    return f"{text(label)}: {to}" if label else to


def _told(box: Box, links: dict[str, Links]) -> str:
    match box.kind:
        case "choice":
            return f"<strong>{text(who(box))}</strong>{_choices(box)}"
        case "options":
            return f"Chosen{_choices(box)}"
        case "call":
            return _rule(box.rule, box.text, links) + "".join(f" <code>{text(d)}</code>" for d in box.detail)
        case "step":
            return "; ".join(f"<code>{text(each)}</code>" for each in box.detail)
        case "start" | "end":
            return text(box.text)
    more = "".join(f", <code>{text(each)}</code>" for each in box.detail)
    return f"{text(kind(box)).capitalize()}: <code>{text(box.text)}</code>{more}"


def _choices(box: Box) -> str:
    said = []
    for option in box.options:
        given = "".join(f", <code>{text(each)}</code>" for each in option.given)
        guard = f", when <code>{text(option.guard)}</code>" if option.guard else ""
        said.append(f"{text(phrase(option))}{given}{guard}")
    return f": {'; or '.join(said)}"


def _rule(rule: str, title: str, links: dict[str, Links]) -> str:
    found = links.get(rule)
    return f'Rule <a href="{text(found.rule)}">{text(title)}</a>' if found else f"Rule {text(title)}"


__all__ = ["Links", "key", "listed", "svg"]
