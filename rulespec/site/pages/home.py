"""The front page: which games there are, how far each is proved, and where to begin."""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Container, Iterable, Sequence

from rulespec.reference.verdicts import ABSENT, WORST_FIRST
from rulespec.site import address, prose
from rulespec.site.page import Page, chunk, plain, text
from rulespec.site.pages.badges import badge
from rulespec.site.subject import Subject
from rulespec.verifying.details import players_in

LONGEST = 300  # signs of what is told of a game
# What a visitor comes for, and the pages that have it; a game may lack some.
WAYS = (
    ("Learn", (("", "rulebook"), ("examples", "examples"), ("structure", "turn structure"))),
    (
        "Look up",
        (
            ("glossary", "words"),
            ("components", "components"),
            ("readings", "open questions"),
            ("variants", "variants"),
        ),
    ),
    ("Check", (("properties", "what is true"), ("coverage", "sources"), ("playouts", "play-outs"))),
)


def page(subjects: Sequence[Subject], title: str, games: Iterable[Page]) -> Page:
    """The games, each with how many play it, what it is about, how its claims stand, and ways into it.

    `games` are the pages of all of them.
    """
    there = frozenset(page.path for page in games)
    body = [f"# {plain(title)}", chunk(0)]
    told = "".join(_game(subject, there) for subject in subjects)
    return Page("index.md", "Home", "\n\n".join(body) + "\n", chunks=(f'<div class="rs-games">{told}</div>',))


def _game(subject: Subject, there: Container[str]) -> str:
    name = text(subject.title)
    parts = [
        f'<h2 id="game-{text(subject.name)}"><a href="{address.game(subject.name)}">{name}</a></h2>',
        f"<p>{text(players_in(list(subject.players)).capitalize())}. {_about(subject)}</p>",
        f"<p>{subject.about('how its claims stand', _standing, '')}</p>",
        *(_way(subject, label, pages, there) for label, pages in WAYS),
    ]
    return f'<section class="rs-game">{"".join(parts)}</section>'


def _way(subject: Subject, label: str, pages: Sequence[tuple[str, str]], there: Container[str]) -> str:
    links = [
        f'<a href="{address.page(subject.name, what) if what else address.game(subject.name)}">{told}</a>'
        for what, told in pages
        if f"{subject.name}/{what or 'index'}.md" in there
    ]
    return f"<p><b>{label}</b> {' '.join(f'<span>{link}</span>' for link in links)}</p>"


def _standing(subject: Subject, _: str) -> str:
    """How many claims there are, and how they stand."""
    words = Counter(claimed.word for claimed in subject.verdicts.claims)
    number = sum(words.values())
    if words[ABSENT] == number:
        return f"{number} claims, of which none has been verified yet"
    told = [badge(word, f"{words[word]} {word}") for word in reversed(WORST_FIRST) if words[word]]
    return f"{number} claims: {', '.join(told)}"


def _about(subject: Subject) -> str:
    """The first paragraph of the rulebook, as plain text."""
    if not subject.main_file.endswith(".md"):
        return ""
    for part in prose.parts(subject.text, dict(subject.checked.documents[0].blocks), text, {}):
        if isinstance(part, prose.Passage) and (first := re.match(r"\s*<p>(.*?)</p>", part.html, re.DOTALL)):
            said = " ".join(html.unescape(re.sub(r"<[^>]*>", "", first[1])).split())
            return text(said if len(said) <= LONGEST else _shortened(said))
    return ""


def _shortened(said: str) -> str:
    """Whole sentences as far as they go, or else whole words."""
    short = said[:LONGEST]
    sentence = short.rfind(". ")
    return short[: sentence + 1] if sentence > 0 else f"{short.rpartition(' ')[0]} ..."
