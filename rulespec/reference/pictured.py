"""From the ways through rules to pictures of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

from rulespec.compiler.core.tree import Core
from rulespec.compiler.core.tree import Option as CoreOption
from rulespec.compiler.spans import Span
from rulespec.compiler.typed import tree as t
from rulespec.reference.actors import Actors
from rulespec.reference.grouped import Grouped, grouped
from rulespec.reference.picture import GAME, Box, Line, Link, Option, Picture
from rulespec.reference.sketch import Sketch, sketch
from rulespec.reference.ways import Flow, Stop, TooMany
from rulespec.reference.wording import Wording, short

MOST_BOXES = 150  # of one picture
MOST_PASSED = 4_000  # boxes that the arrows of one picture pass by
MOST_LINES = 40  # inside one box
MOST_DEPTH = 20  # of rules and loops inside one box
SETUP, PLAY = "setup", "play"

_TOO_LARGE = f"there is no picture of this: it would have more than {MOST_BOXES} boxes"
_TOO_TANGLED = "there is no picture of this: its arrows would be too long"
_TOO_MANY = "there is no picture of this: there are too many ways through it"
_ASKS = ("choose", "together")
_TARGET = re.compile(r"^(?:(?:let|var)\b)?[^=(\[]*?:?=\s*")

Made = dict[str, tuple[Picture | None, str]]  # or why there is none


def pictures(core: Core, wording: Wording) -> Made:
    """The pictures of one core that was compiled, not read from text."""
    maker = _Maker(core, wording)
    made: Made = {GAME: maker.tried(GAME)}
    for rule in maker.flow.rules:
        if maker.chooses(rule):
            made[rule] = maker.tried(rule)
    return made


def passed(picture: Picture) -> int:
    """How many boxes the arrows of a picture lead past, about: what it takes to lay it out."""
    return sum(link.target - link.source for link in picture.links if not link.back)


class _Maker:
    def __init__(self, core: Core, wording: Wording) -> None:
        self.wording = wording
        self.flow = Flow(core, wording.happens)
        self.actors = Actors(core, wording)
        self.titles = {rule.name: short(rule.title or rule.name.replace("_", " ")) for rule in core.rules}
        self.title = short(core.title)
        self.sketch = cache(self._sketch)
        self._inside = {rule: self._plain(rule) for rule in self.flow.rules}
        self._asking = self._with(_ASKS)
        self._waiting = self._with((*_ASKS, "chance"))

    def tried(self, rule: str) -> tuple[Picture | None, str]:
        try:
            made = self._game() if rule == GAME else self._picture(rule)
        except TooMany:
            return None, _TOO_MANY
        if len(made.boxes) > MOST_BOXES:
            return None, _TOO_LARGE
        return (made, "") if passed(made) <= MOST_PASSED else (None, _TOO_TANGLED)

    def _sketch(self, rule: str, steps: bool) -> Sketch:
        return sketch(self.flow.ways(rule, steps), self.wording)

    def chooses(self, rule: str) -> bool:
        """Whether somebody chooses in the rule or in one that it calls."""
        return rule in self._asking

    def waits(self, rule: str) -> bool:
        """Whether somebody or chance chooses there."""
        return rule in self._waiting

    def _with(self, kinds: tuple[str, ...]) -> frozenset[str]:
        """The rules with stops of these kinds, and all that call them."""
        callers: dict[str, set[str]] = {}
        for rule, stops in self._inside.items():
            for stop in stops:
                if stop.kind == "call":
                    callers.setdefault(stop.name, set()).add(rule)
        waiting = [rule for rule, stops in self._inside.items() if any(s.kind in kinds for s in stops)]
        found = set(waiting)
        while waiting:
            more = callers.get(waiting.pop(), set()) - found
            found |= more
            waiting += more
        return frozenset(found)

    def _plain(self, rule: str) -> list[Stop]:
        """Without what merely happens; a rule that cannot be gone through is taken for one that asks."""
        try:
            return self.sketch(rule, False).stops
        except TooMany:
            return [Stop("choose")]

    # --- pictures -------------------------------------------------------------------------------------------

    def _picture(self, rule: str) -> Picture:
        made = self.sketch(rule, True)
        groups = grouped(made)
        boxes = tuple(self._box(stop, groups, made, rule) for stop in groups.order)
        links = tuple(
            Link(groups.number[s], groups.number[target], self._label(s, label))
            for s in groups.order
            for label, target in groups.follows[s]
        )
        return Picture(rule, self.titles[rule], boxes, tuple(map(_marked, links)))

    def _game(self) -> Picture:
        """Setting up, and then what play goes through, with a look into each rule that it calls."""
        picture = Picture(GAME, self.title, (Box("start", "The game begins"), Box("end", "")), (Link(0, 1),))
        if PLAY in self.flow.rules:
            picture = replace(self._picture(PLAY), rule=GAME, title=self.title)
        boxes = [self._looked_into(box) for box in picture.boxes]
        boxes[0] = Box("start", "The game begins")
        links = list(picture.links)
        if SETUP in self.flow.rules:
            links = [Link(k.source + 1, k.target + 1, k.label, k.back) for k in links]
            setup = Box("call", self.titles[SETUP], rule=SETUP, chooses=self.chooses(SETUP))
            boxes[1:1] = [self._looked_into(setup)]
            links.insert(0, Link(0, 1))
        return replace(picture, boxes=tuple(_ended(box) for box in boxes), links=tuple(links))

    def _looked_into(self, box: Box) -> Box:
        if box.kind != "call":
            return box
        lines = list(self._lines(box.rule, 0, {box.rule}))
        cut = len(lines) > MOST_LINES
        rest = [Line(0, "more", f"and {len(lines) - MOST_LINES + 1} more")] if cut else []
        return replace(box, lines=tuple(lines[: MOST_LINES - 1] + rest if cut else lines))

    # --- boxes ----------------------------------------------------------------------------------------------

    def _box(self, stop: Stop, groups: Grouped, made: Sketch, rule: str) -> Box:
        span, text = stop.span, self.wording.text(stop.span)
        match stop.kind:
            case "start":
                return Box("start", "Begin")
            case "return":
                return Box("end", "The game is over" if rule == PLAY else "Done")
            case "choose" | "together":
                who = self.actors.who(span, made.asked.get(stop, ()))
                options = self._options(made, groups.options[stop])
                together = stop.kind == "together"
                return Box("choice", "", who=who, together=together, options=options, span=span)
            case "option":
                return Box("options", "", options=self._options(made, groups.options[stop]), span=span)
            case "chance":
                return Box("chance", _TARGET.sub("", text), span=span)
            case "loop":
                return Box("loop", self.wording.header(span), self._measure(span), span=span)
            case "call":
                detail = _call(stop.name, text)
                title, chooses = self.titles[stop.name], self.chooses(stop.name)
                return Box("call", title, detail, rule=stop.name, chooses=chooses, span=span)
            case "step":
                return Box(
                    "step", "", tuple(self.wording.told(s.span) for s in groups.steps[stop]), span=span
                )
        return Box("test", text, span=span)

    def _measure(self, span: Span) -> tuple[str, ...]:
        loop = self.wording.statement(span)
        if not isinstance(loop, t.While) or not loop.decreasing:
            return ()
        return (f"decreasing {', '.join(self.wording.text(e.span) for e in loop.decreasing)}",)

    def _label(self, stop: Stop, label: str) -> str:
        if stop.kind == "loop" and isinstance(self.wording.statement(stop.span), t.For):
            return {"yes": "for each", "no": "then"}.get(label, label)
        return label

    def _options(self, made: Sketch, stops: list[Stop]) -> tuple[Option, ...]:
        return tuple(self._option(made, stop) for stop in stops)

    def _option(self, made: Sketch, stop: Stop) -> Option:
        asked = next(asked for at, asked in made.asked.items() if at.span == stop.span)
        found = next(o for each in asked for o in each.options if o.name == stop.name)
        typed = self.wording.option(found.origin.span)
        if typed is None:
            return Option(found.name, _phrase(found))
        given = tuple(self.wording.text(p.span) for p in typed.params)
        guard = ""
        if typed.guard is not None and found.guard != found.unasked:
            guard = self.wording.text(typed.guard.span)
        return Option(found.name, _phrase(found), given, guard)

    # --- a look into a rule ---------------------------------------------------------------------------------

    def _lines(self, rule: str, depth: int, seen: set[str]) -> Iterator[Line]:
        """What happens in a rule that somebody or chance decides; a rule that comes again is only named."""
        if self._inside[rule] == [Stop("choose")]:
            return
        made = self.sketch(rule, False)
        inside: list[Stop] = []
        for stop in sorted((s for s in made.stops if self._tells(s)), key=lambda s: s.span):
            while inside and not _within(stop.span, inside[-1].span):
                inside.pop()
            yield from self._line(stop, made, depth + len(inside), seen)
            inside.append(stop)

    def _tells(self, stop: Stop) -> bool:
        return stop.kind in ("loop", "chance", *_ASKS) or (stop.kind == "call" and self.waits(stop.name))

    def _line(self, stop: Stop, made: Sketch, depth: int, seen: set[str]) -> Iterator[Line]:
        text = self.wording.text(stop.span)
        match stop.kind:
            case "loop":
                yield Line(depth, "loop", self.wording.header(stop.span))
            case "chance":
                yield Line(depth, "chance", _TARGET.sub("", text))
            case "call":
                yield Line(depth, "call", self.titles[stop.name], stop.name)
                if stop.name not in seen and depth < MOST_DEPTH:
                    seen.add(stop.name)
                    yield from self._lines(stop.name, depth + 1, seen)
            case _:
                who = self.actors.who(stop.span, made.asked.get(stop, ()))
                options = [target for _, target in made.follows[stop] if target.kind == "option"]
                said = " · ".join(self._option(made, option).phrase for option in options)
                once = " at once" if stop.kind == "together" else ""
                yield Line(depth, "choice", f"{who}{once}: {said}")


def _marked(link: Link) -> Link:
    return replace(link, back=link.target <= link.source)


def _ended(box: Box) -> Box:
    return replace(box, text="The game is over") if box.kind == "end" else box


def _within(inner: Span, outer: Span) -> bool:
    if inner.file != outer.file:
        return False
    begins = (outer.line, outer.column) <= (inner.line, inner.column)
    return begins and (inner.end_line, inner.end_column) <= (outer.end_line, outer.end_column)


def _phrase(option: CoreOption) -> str:
    """With the names of the parameters in braces."""
    names = [param.name.partition(".")[0] for param in option.params]
    said = (part if isinstance(part, str) else f"{{{names[part]}}}" for part in option.phrase)
    return short("".join(said))


def _call(rule: str, text: str) -> tuple[str, ...]:
    """The call as it is written, if it gives the rule something."""
    begin = text.find(f"{rule}(")
    depth = 0
    for place in range(begin, len(text)) if begin >= 0 else ():
        depth += (text[place] == "(") - (text[place] == ")")
        if text[place] == ")" and depth == 0:
            found = text[begin : place + 1]
            return () if found == f"{rule}()" else (found,)
    return ()
