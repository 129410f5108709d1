"""A site that follows its rulebooks as they are edited: only what has changed is made anew.

After an edit of prose alone, the rulebook's page is. After an edit of rules it is too, and stands in the
site at once, with what was known of the rules before; the other pages follow when they are made.
"""

from __future__ import annotations

import contextlib
import hashlib
import shutil
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from rulespec import api
from rulespec.site import build, rendering, search
from rulespec.site.definitions import FILE, definitions
from rulespec.site.page import Page
from rulespec.site.pages import FROM_TEXT, GAME_PAGES, home, rulebook
from rulespec.site.subject import Subject

WATCHED = (".rules", ".md", ".json", ".lock")
MOST_WATCHED = 500  # files of a folder
OF_BEFORE = (
    "The rules have been edited: what is known of them is of before the edit, and is being found anew."
)

Marks = tuple[tuple[str, int, int], ...]


class Overtaken(Exception):
    """A file has changed while pages were made of it."""


@dataclass
class Followed:
    """A game as it was when it was last without errors. `pages` are by the function that makes them."""

    game: str
    subject: Subject
    key: str
    pages: dict[object, Page | None]
    modules: tuple[Page, ...]


@dataclass
class Live:
    """`title` "" is that of the only game. `folder` is for its own use; `site` in it is what there is to
    see. `shown` is called when that changes, with what has to be said of it, if anything.
    """

    games: Sequence[str]
    title: str
    more: Sequence[Page]
    folder: Path
    shown: Callable[[str], None] = lambda _: None
    tell: build.Tell = lambda _: None

    def __post_init__(self) -> None:
        self.followed: dict[str, Followed] = {}
        self.marks: dict[str, Marks] = {}
        self.paths: dict[str, Path] = {}
        self._made: tuple[Page, ...] = ()
        self._content: dict[str, str] = {}
        self._runs = 0

    @property
    def site(self) -> Path:
        """Where the built site is."""
        return self.folder / f"site-{self._runs}"

    @property
    def ready(self) -> bool:
        """Whether there is a site to see."""
        return bool(self._made)

    def changed(self) -> list[str]:
        """The games of which a file is not as it was when they were last looked at."""
        return [game for game in self.games if self.marks.get(game) != self._marks(game)]

    def update(self, games: Sequence[str]) -> None:
        """Make anew what edits of these games have changed.

        Raises:
            RulesError: a rulebook has errors; the site is as it was.
            Overtaken: a file has changed again; what is made of it so far is in the site.
        """
        for game in games:
            self.marks[game] = self._marks(game)
            subject = Subject(game)
            self.paths[game] = subject.path
            self.marks[game] = self._marks(game)
            before = self.followed.get(game)
            if before is not None and before.key != _key(subject):
                self._quickly(before, subject)
            self._wholly(game, subject, before)

    # --- inside ---------------------------------------------------------------------------------------------

    def _quickly(self, before: Followed, subject: Subject) -> None:
        """The new text with what was known of the old."""
        subject.kept = before.subject.known
        pages = before.pages | {make: make(subject) for make in GAME_PAGES if make in FROM_TEXT}
        modules = rulebook.modules(subject)
        subject.kept = None
        self.followed[before.game] = Followed(before.game, before.subject, before.key, pages, modules)
        self._publish(OF_BEFORE)

    def _wholly(self, game: str, subject: Subject, before: Followed | None) -> None:
        key = _key(subject)
        same = before is not None and before.key == key
        if before is not None and same:
            subject.known.update(before.subject.known)
        pages: dict[object, Page | None] = {}
        for make in GAME_PAGES:
            if self.marks[game] != self._marks(game):
                raise Overtaken
            if before is not None and same and make not in FROM_TEXT:
                pages[make] = before.pages[make]
            else:
                self.tell(f"{subject.title}: {make.__module__.rpartition('.')[2]}")
                pages[make] = make(subject)
        self.followed[game] = Followed(game, subject, key, pages, rulebook.modules(subject))
        if len(self.followed) == len(self.games):
            self._publish()

    def _publish(self, note: str = "") -> None:
        pages = self._pages()
        if _menu(pages) != _menu(self._made):
            self._afresh()
        source = self.folder / "source"
        changed = rendering.write(pages, source, pages)
        if changed or not self._content:
            _wait_for_clock(source, changed)
            made = rendering.run(self._title, pages, source, self.site, only_changed=bool(self._content))
            self._content |= made
            search.complete(self.site, pages, self._content)
            for followed in self.followed.values():
                names = definitions(followed.subject)
                (self.site / followed.subject.name / FILE).write_text(names, encoding="utf-8")
        self._made = pages
        self.shown(note)

    def _pages(self) -> tuple[Page, ...]:
        subjects = [self.followed[game].subject for game in self.games]
        pages: list[Page] = []
        for game in self.games:
            followed = self.followed[game]
            pages += [page for page in followed.pages.values() if page is not None]
            pages += followed.modules
        return (home.page(subjects, self._title, pages), *pages, *self.more)

    @property
    def _title(self) -> str:
        if self.title or len(self.games) > 1:
            return self.title or build.SEVERAL
        return self.followed[self.games[0]].subject.title

    def _afresh(self) -> None:
        """Pages have come or gone, which all menus show: nothing of before is kept."""
        before = self.site
        shutil.rmtree(self.folder / "source", ignore_errors=True)
        self._content, self._made = {}, ()
        self._runs += 1
        shutil.rmtree(before, ignore_errors=True)

    def _marks(self, game: str) -> Marks:
        """What tells a file from its next version, for the rulebook and the files beside it."""
        path = self.paths.get(game) or api.open_rulebook(game).path
        if path is None:
            return ()
        self.paths[game] = path
        try:
            beside = [each for each in path.parent.iterdir() if each.name.endswith(WATCHED)]
            stats = [(each.name, each.stat()) for each in sorted(beside)[:MOST_WATCHED]]
        except OSError:
            return ()
        return tuple((name, stat.st_mtime_ns, stat.st_size) for name, stat in stats)


def _key(subject: Subject) -> str:
    """What all follows from that is known of the rules: their text without the prose, and the files beside
    it.
    """
    made = hashlib.sha256()
    for document in subject.checked.documents:
        lines = subject.book.sources[document.file].split("\n")
        for first, last in document.blocks:
            made.update("\n".join(lines[first - 1 : last]).encode("utf-8", "surrogatepass") + b"\0")
    with contextlib.suppress(OSError):
        for file in sorted(subject.path.parent.glob("*.[jl]*")):
            if file.suffix in (".json", ".lock"):
                made.update(file.read_bytes())
    return made.hexdigest()


def _menu(pages: Sequence[Page]) -> list[tuple[str, str, str]]:
    return [(page.path, page.title, page.group) for page in pages]


def _wait_for_clock(source: Path, changed: Sequence[Page]) -> None:
    """mkdocs takes a page for changed whose Markdown is newer than its HTML; some clocks are coarse."""
    time.sleep(0.01)
    for page in changed:
        (source / page.path).touch()
