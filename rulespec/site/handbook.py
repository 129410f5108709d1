"""The toolkit's own handbook: `docs/` as pages of the site, with the parts that are made from the toolkit.

`docs/README.md` is the index: each of its sections is a menu, and the pages are in the order of its links; a
page that is an index of its own (`decisions/README.md`) has those that it links to below it. A line
`<!-- syntax: enum members -->`, `<!-- diagnostics -->`, `<!-- commands -->` or `<!-- python -->` stands for
what is made. Links to files outside `docs/` are left as text, since a site has them not.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import click

from rulespec.site import address, fences
from rulespec.site.generated import commands, diagnostics, python, syntax
from rulespec.site.page import Page, chunk

DOCS = Path(__file__).resolve().parents[1] / "handbook"
INDEX = "README.md"
GROUP = "Handbook"

_LINK = re.compile(r"(?<!!)\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(([^()\s]+)\)")
_SECTION = re.compile(r"^## +(.+)$", re.M)
_MADE = re.compile(r"^<!-- (syntax|diagnostics|commands|python)(?:: ([\w ]+))? -->$", re.M)

Texts = dict[str, str]  # what is written in each file
Made = dict[str, Callable[[str], str]]  # what each mark stands for


@dataclass(frozen=True)
class Place:
    """A file of the handbook (`how-to/verify.md`) and the menu that it is in."""

    file: str
    group: str


def pages(app: click.Group, docs: Path = DOCS) -> tuple[Page, ...]:
    """The handbook, in the order of its menu. `app` is the command line that it describes."""
    places = tuple(contents(docs))
    texts = {place.file: (docs / place.file).read_text(encoding="utf-8") for place in places}
    shown = _where_shown(texts)
    made = {
        "diagnostics": lambda _: diagnostics.listed(),
        "commands": lambda _: commands.listed(app),
        "python": lambda _: python.listed(),
        "syntax": lambda names: syntax.shown(names.split(), shown),
    }
    return tuple(_page(place, texts, made) for place in places)


def contents(docs: Path = DOCS) -> Iterator[Place]:
    """The files of the handbook, in the order of the index."""
    yield Place(INDEX, GROUP)
    index = (docs / INDEX).read_text(encoding="utf-8")
    seen = {INDEX}
    titles = _SECTION.split(index)
    for title, section in zip(titles[1::2], titles[2::2], strict=True):
        for file in _linked(section, INDEX, docs):
            if file in seen:
                continue
            inner = _linked((docs / file).read_text(encoding="utf-8"), file, docs) if _is_index(file) else []
            for each in (file, *(name for name in inner if _folder(name) == _folder(file))):
                if each not in seen:
                    seen.add(each)
                    yield Place(each, f"{GROUP}\n{title.strip()}")


def target(file: str) -> str:
    """The path of the page that a file becomes."""
    return f"handbook/{posixpath.join(_folder(file), 'index.md') if _is_index(file) else file}"


def title(text: str) -> str:
    """The first heading."""
    found = re.search(r"^# +(.+)$", text, re.M)
    return found[1].strip() if found else "Handbook"


def _page(place: Place, texts: Texts, made: Made) -> Page:
    written = texts[place.file]
    linked = "".join(
        piece if fence else _prose(piece, place.file, texts, made) for piece, fence in fences.parts(written)
    )
    body, chunks = _highlighted(linked)
    menu = "Contents" if place.file == INDEX else title(written).replace("`", "")
    return Page(target(place.file), menu, body, place.group, chunks=chunks)


def _highlighted(written: str) -> tuple[str, tuple[str, ...]]:
    """The text with a mark for each block that is highlighted here, and these."""
    body = ""
    chunks: list[str] = []
    for piece, fence in fences.parts(written):
        html = fences.shown(fence) if fence else None
        body += piece if html is None else chunk(len(chunks))
        chunks += [] if html is None else [html]
    return body, tuple(chunks)


def _prose(part: str, file: str, texts: Texts, made: Made) -> str:
    linked = _LINK.sub(lambda found: _link(found[1], found[2], file, texts), part)
    return _MADE.sub(lambda found: made[found[1]](found[2] or ""), linked)


def _link(label: str, there: str, file: str, texts: Texts) -> str:
    if re.match(r"https?:", there):
        return f"[{label}]({there})"
    path, mark, anchor = there.partition("#")
    if not path:
        return f"[{label}](#{anchor})"
    found = _resolved(path, file)
    if found in texts:
        # The index has the names of files, which mean nothing on a site.
        label = title(texts[found]) if label in (there, f"{_folder(there)}/") else label
        return f"[{label}](site:{address.output(target(found))}{mark}{anchor})"
    return label


def _resolved(path: str, file: str) -> str:
    """A relative link as a name of `texts`; a folder stands for its index."""
    joined = posixpath.normpath(posixpath.join(_folder(file), path))
    return joined if joined.endswith(".md") else posixpath.join(joined, INDEX)


def _linked(text: str, file: str, docs: Path) -> list[str]:
    """The files of the handbook that a text links to, in order."""
    found = (_resolved(there.partition("#")[0], file) for _, there in _LINK.findall(text) if ":" not in there)
    return [name for name in dict.fromkeys(found) if not name.startswith("..") and (docs / name).is_file()]


def _where_shown(texts: Texts) -> dict[str, str]:
    """For each production of the grammar the page that shows it."""
    return {
        name: f"site:{address.output(target(file))}"
        for file, text in texts.items()
        for kind, names in _MADE.findall(text)
        if kind == "syntax"
        for name in names.split()
    }


def _folder(file: str) -> str:
    return posixpath.dirname(file)


def _is_index(file: str) -> bool:
    return posixpath.basename(file) == INDEX
