"""From games to a folder of HTML: pages are made, given to mkdocs, completed, checked, and put in their
place.
"""

from __future__ import annotations

import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from rulespec.site import address, ahead, folder, links, rendering, search
from rulespec.site.definitions import FILE, definitions
from rulespec.site.links import Broken
from rulespec.site.page import Page
from rulespec.site.pages import GAME_PAGES, home, rulebook
from rulespec.site.subject import Subject

Tell = Callable[[str], None]
SEVERAL = "Rules"  # the title of a site of several games, if nothing else is said


class BrokenLinks(Exception):
    """Links of the site lead nowhere; `broken` says which."""

    def __init__(self, broken: Sequence[Broken]) -> None:
        super().__init__("; ".join(f"{each.page}: {each.reason}" for each in broken))
        self.broken = tuple(broken)


class SameName(Exception):
    """Two games, or two files that a game uses, have one name, and so one place in the site."""


@dataclass(frozen=True)
class Built:
    """What a build came to."""

    pages: int
    seconds: float


def build(
    subjects: Sequence[Subject],
    out: Path,
    *,
    title: str = "Rules",
    url: str = "",
    more: Sequence[Page] = (),
    tell: Tell = lambda _: None,
) -> Built:
    """Make the site of these games and `more` in the folder `out`, which is replaced whole or left as it was.

    Raises:
        RulesError: a game has errors with some number of players.
        BrokenLinks: a link leads nowhere.
        Unwritable: `out` cannot be written, or is no site of ours.
        Missing, Failed: see `rendering.run`.
        SameName: two games have the same name.
    """
    start = time.monotonic()
    rendering.check_installed()
    folder.check(out)
    with ahead.working([subject.game for subject in subjects]):
        pages = (*all_pages(subjects, title, tell), *more)
    _check_places(pages)
    with folder.replacing(out) as making, tempfile.TemporaryDirectory(prefix="rulespec-site-") as place:
        source = Path(place)
        rendering.write(pages, source, pages)
        tell(f"{len(pages)} pages")
        content = rendering.run(title, pages, source, making, url=url)
        search.complete(making, pages, content)
        for subject in subjects:
            file = making / subject.name / FILE
            file.write_text(definitions(subject), encoding="utf-8")
        tell("links")
        broken = links.check(making, url)
        if broken:
            raise BrokenLinks(broken)
    return Built(len(pages), time.monotonic() - start)


def _check_places(pages: Sequence[Page]) -> None:
    """Raise SameName where two pages would be at one place: a game that is called `handbook`, say."""
    places = Counter(address.output(page.path) for page in pages)
    for place, number in places.items():
        if number > 1:
            raise SameName(f"{number} pages would be at `{place}`; give one of them another name")


def all_pages(subjects: Sequence[Subject], title: str, tell: Tell = lambda _: None) -> tuple[Page, ...]:
    """The pages of a site, in the order of its menu."""
    names = [subject.name for subject in subjects]
    for name in names:
        if names.count(name) > 1:
            raise SameName(f"two of the games are called `{name}`")
    pages = [page for subject in subjects for page in game_pages(subject, tell)]
    return (home.page(subjects, title, pages), *pages)


def game_pages(subject: Subject, tell: Tell = lambda _: None) -> list[Page]:
    """The pages of one game."""
    made: list[Page] = []
    for make in GAME_PAGES:
        tell(f"{subject.title}: {make.__module__.rpartition('.')[2]}")
        page = make(subject)
        made += [page] if page is not None else []
    return [*made, *rulebook.modules(subject)]
