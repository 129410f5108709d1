"""Pictures of the turn structure as text, to be read and compared."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.reference.picture import Box, Picture
from rulespec.reference.structure import GAME, Shown, Structure


def written(structure: Structure) -> str:
    """All pictures of a game, one after the other."""
    return "\n".join(
        line for several in structure.shown.values() for each in several for line in _shown(each)
    )


def of(structure: Structure, rule: str = GAME) -> str:
    """One picture; there must be just one of this rule."""
    (shown,) = structure.shown[rule]
    return "\n".join(_shown(shown)[1:-1])


def _shown(shown: Shown) -> list[str]:
    picture = shown.picture
    if picture is None:
        return [f"== {shown.why}", ""]
    players = ", ".join(map(str, shown.players))
    return [f"== {picture.rule or 'the game'} ({players}): {picture.title}", *_boxes(picture), ""]


def _boxes(picture: Picture) -> Iterator[str]:
    for number, box in enumerate(picture.boxes):
        yield f"{number} {' | '.join(filter(None, _words(box)))}"
        for option in box.options:
            yield f"    {' | '.join(filter(None, (option.phrase, *option.given, option.guard)))}"
        for line in box.lines:
            yield f"    {'  ' * line.depth}{line.kind}: {line.text}"
        for link in picture.links:
            if link.source == number:
                yield f"    {'back' if link.back else '-->'} {link.target} {link.label}".rstrip()


def _words(box: Box) -> list[str]:
    who = f"{box.who}{' (together)' if box.together else ''}" if box.who else ""
    rule = f"{box.rule}{'*' if box.chooses else ''}"
    return [box.kind, who, box.text, rule, *box.detail]
