"""Addresses inside the site: the one place that says where a thing is found, so that pages can link to each
other without knowing each other.

An address stands in a page as `site:PATH#ANCHOR`, in Markdown links and in `href`s alike; when the page is
written out it becomes a link relative to that page. Paths are those of the pages that mkdocs makes, with a
slash at the end. Names of rules and other declarations are unique in a rulebook but for readings, claims and
examples, which therefore have anchors with a prefix; the short ones are for good.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Container

from rulespec.compiler.spans import Citation

_PLACE = r"([\w./-]*(?:#[\w.:#%~-]*)?)"
_ADDRESS = re.compile(rf"(\]\(|\b(?:href|src)=\")site:{_PLACE}")
_OPTIONAL = re.compile(rf'<a href="site\?:{_PLACE}"([^>]*)>(.*?)</a>')


def game(name: str) -> str:
    """The rulebook itself."""
    return f"site:{name}/"


def page(name: str, what: str) -> str:
    """A page of a game: `properties`, `examples`, `readings`, ..."""
    return f"site:{name}/{what}/"


def declaration(name: str, declared: str) -> str:
    """Where the rulebook declares a rule, table, enum, param, variable, ... of that name."""
    return f"site:{name}/#{declared}"


def member(name: str, enum: str, of: str) -> str:
    """Where the rulebook declares a member of an enum or a row of a table."""
    return f"site:{name}/#{enum}.{of}"


def module(name: str, module: str, declared: str = "") -> str:
    """A file that a rulebook uses (`auction`), or what it declares."""
    return f"site:{name}/uses/{module}/" + (f"#{declared}" if declared else "")


def reading(name: str, reading: str) -> str:
    """A question on the page of readings."""
    return f"site:{name}/readings/#reading-{reading}"


def example(name: str, example: str) -> str:
    """An example with its steps, on the page of examples."""
    return f"site:{name}/examples/#example-{example}"


def claim(name: str, claim: str) -> str:
    """A verdict on the page of properties, by the claim's name."""
    return f"site:{name}/properties/#{claim_anchor(claim)}"


def claim_anchor(claim: str) -> str:
    """The anchor of a claim: its name with all but letters, digits and dots turned into hyphens."""
    return "claim-" + re.sub(r"[^\w.]+", "-", claim).strip("-")


def picture(name: str, rule: str) -> str:
    """The picture of one rule, on the page of the turn structure."""
    return f"site:{name}/structure/#picture-{rule}"


def source(name: str, citation: Citation) -> str:
    """The first line that is cited, on the page of source coverage."""
    line = f"-{citation.lines[0][0]}" if citation.lines else ""
    return f"site:{name}/coverage/#{citation.source}{line}"


def diagnostic(code: str) -> str:
    """A code of the registry, in the handbook's reference."""
    return f"site:handbook/reference/diagnostics/#{code}"


def optional(address: str) -> str:
    """An address for `<a href="...">`, which must begin so, on a page that the site may not have: where it
    has not, only the text of the link is left.
    """
    return address.replace("site:", "site?:", 1)


def relative(text: str, path: str, pages: Container[str]) -> str:
    """`text`, which stands on the page that the Markdown file `path` becomes, with its addresses as links.

    Addresses are found behind `](` and in `href="` and `src="` alone. `pages` are the folders that the pages
    of the site become, for links that are optional.
    """
    here = output(path)

    def sure(found: re.Match[str]) -> str:
        place, rest, inside = found.groups()
        if place.partition("#")[0] not in pages:
            return f"<span{rest}>{inside}</span>"
        return f'<a href="{_from(here, place)}"{rest}>{inside}</a>'

    text = _OPTIONAL.sub(sure, text)
    return _ADDRESS.sub(lambda found: found[1] + _from(here, found[2]), text)


def output(path: str) -> str:
    """The folder in the site that a Markdown file becomes: `a/b.md` is at `a/b/`, `a/index.md` at `a/`."""
    folder = posixpath.dirname(path) if path.endswith("index.md") else path.removesuffix(".md")
    return f"{folder}/" if folder else ""


def _from(here: str, there: str) -> str:
    path, mark, anchor = there.partition("#")
    if path == here:
        return f"#{anchor}" if mark else "./"
    way = posixpath.relpath(path or ".", here or ".")
    return f"{way}/{mark}{anchor}"
