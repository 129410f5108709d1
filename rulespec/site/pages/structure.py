"""The turn structure of a game and of its rules, as pictures that can be zoomed and as lists."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import PurePath

from rulespec.reference.structure import GAME, Shown, Structure, structure
from rulespec.site import address
from rulespec.site.draw import Links, key, listed, svg
from rulespec.site.page import Page, plain, text
from rulespec.site.subject import Subject

PLAY = "play"

_INTRO = """\
Who chooses, what can be chosen, and what follows: read off the compiled rules, with every question read as it
is by default and without variants. The name of a rule leads to its text.
"""
_KEY = f"<details><summary>What the shapes mean</summary>{key()}</details>"


def page(subject: Subject) -> Page | None:
    """The page of all pictures; None for a game in which nobody is ever asked and nothing happens."""
    found = _structure(subject)
    if not found.shown:
        return None
    parts = [f"# Turn structure of {plain(subject.title)}", "", _INTRO, _KEY, ""]
    for rule in found.shown:
        if rule != PLAY:  # that is the picture of the game
            parts += [
                f"## {_heading(subject, rule)} {{#picture-{rule or PLAY}}}",
                "",
                of_rule(subject, rule),
                "",
            ]
    return Page(f"{subject.name}/structure.md", "Turn structure", "\n".join(parts), subject.title)


def of_rule(subject: Subject, rule: str) -> str:
    """The pictures of one rule as HTML, "" where nobody chooses in it; `GAME` for that of the game."""
    shown = _structure(subject).shown.get(rule, ())
    usual = subject.usual_players
    ordered = sorted(shown, key=lambda each: usual not in each.players)
    return "\n".join(_parts(subject, rule, tuple(ordered)))


def has_picture(subject: Subject, rule: str) -> bool:
    """Whether `address.picture` of the rule leads to something."""
    return rule in _structure(subject).shown


def _heading(subject: Subject, rule: str) -> str:
    if rule == GAME:
        return "The whole game"
    return plain(_titles(subject)[rule])


def _parts(subject: Subject, rule: str, shown: tuple[Shown, ...]) -> Iterator[str]:
    for n, each in enumerate(shown):
        figure = _figure(subject, rule, n, each)
        players = f"with {_numbers(each.players)} {'player' if each.players == (1,) else 'players'}"
        if n == 0:
            yield f'<p class="turns-players">{players.capitalize()}.</p>'
            yield figure
        else:
            yield f"<details><summary>Otherwise {players}</summary>{figure}</details>"


def _figure(subject: Subject, rule: str, number: int, shown: Shown) -> str:
    if shown.picture is None:
        return f"<p>{text(shown.why)}.</p>"
    name = f"turns-{rule or 'game'}-{number}"
    links = _links(subject)
    title = text(shown.picture.title)
    return (
        '<figure class="turns-figure">'
        f'<div class="turns-frame" role="group" tabindex="0" aria-label="Picture: {title}">'
        f"{svg(shown.picture, links, name)}</div>"
        f"<details><summary>The same as a list</summary>{listed(shown.picture, links)}</details>"
        "</figure>"
    )


def _numbers(players: tuple[int, ...]) -> str:
    """`2`, `3 to 5`, `2, 4 and 5`."""
    if len(players) > 2 and players[-1] - players[0] == len(players) - 1:
        return f"{players[0]} to {players[-1]}"
    *rest, last = map(str, players)
    return f"{', '.join(rest)} and {last}" if rest else last


# --- what is worked out once for a game ---------------------------------------------------------------------


@cache
def _structure(subject: Subject) -> Structure:
    return structure(subject.book)


@cache
def _titles(subject: Subject) -> dict[str, str]:
    return {rule.base: rule.title or rule.base.replace("_", " ") for rule in subject.rulebook.rules}


@cache
def _links(subject: Subject) -> dict[str, Links]:
    links: dict[str, Links] = {}
    for rule in subject.rulebook.rules:
        own = rule.span.file == subject.main_file
        module = PurePath(rule.span.file).name.partition(".")[0]
        place = (
            address.declaration(subject.name, rule.base)
            if own
            else address.module(subject.name, module, rule.base)
        )
        picture = address.picture(subject.name, rule.base) if has_picture(subject, rule.base) else ""
        links[rule.base] = Links(place, picture)
    return links
