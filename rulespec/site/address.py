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

# Pages that a game may not have, and the handbook, which a site may not have: what leads there is left as its
# text where they are not.
SOMETIMES = frozenset(
    {"components", "coverage", "examples", "glossary", "playouts", "properties", "readings", "structure"}
    | {"variants"}
)
HANDBOOK = "handbook"

_PLACE = r"site:([\w./-]*)((?:#[\w.:#%~-]*)?)"
_ADDRESS = re.compile(rf"(\]\(|\b(?:href|src)=\"){_PLACE}")
_IN_HTML = re.compile(rf'<a\b([^<>]*?) href="{_PLACE}"([^<>]*)>(.*?)</a>', re.DOTALL)
_IN_MARKDOWN = re.compile(rf"\[((?:[^\[\]\\]|\\.)*)\]\({_PLACE}\)")


def game(name: str) -> str:
    """The rulebook itself."""
    return f"site:{name}/"


def page(name: str, what: str) -> str:
    """A page of a game: `properties`, `examples`, `readings`, ..."""
    return f"site:{name}/{what}/"


def declaration(name: str, declared: str) -> str:
    """Where the rulebook declares a rule, table, enum, param, variable, ... of that name."""
    return f"site:{name}/#{declared}"


def declared_apart(name: str, sort: str, declared: str) -> str:
    """Where the rulebook declares a `property`, `example`, `reading`, `scope`, `source` or `variant`."""
    return f"site:{name}/#{sort}-{declared}"


def member(name: str, enum: str, of: str) -> str:
    """Where the rulebook declares a member of an enum or a row of a table."""
    return f"site:{name}/#{enum}.{of}"


def module(name: str, module: str, declared: str = "") -> str:
    """A file that a rulebook uses (`auction`), or what it declares."""
    return f"site:{name}/{module_folder(module)}" + (f"#{declared}" if declared else "")


def module_folder(module: str) -> str:
    """The folder of a module's page in that of its game. What mkdocs takes for the first page of a folder has
    another name there.
    """
    return f"uses/{module}-module/" if module.lower() in ("index", "readme") else f"uses/{module}/"


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


def relative(text: str, path: str, pages: Container[str]) -> str:
    """`text`, which stands on the page that the Markdown file `path` becomes, with its addresses as links.

    Addresses are found behind `](` and in `href="` and `src="` alone. `pages` are the folders that the pages
    of the site become: what leads to one that a site may lack, and lacks, is left as its text.
    """
    here = output(path)
    text = _IN_HTML.sub(lambda found: _left(found) if _lacking(found[2], pages) else found[0], text)
    text = _IN_MARKDOWN.sub(lambda found: found[1] if _lacking(found[2], pages) else found[0], text)
    return _ADDRESS.sub(lambda found: found[1] + _from(here, found[2], found[3]), text)


def _left(link: re.Match[str]) -> str:
    attributes = link[1] + link[4]
    return f"<span{attributes}>{link[5]}</span>" if attributes else link[5]


def _lacking(folder: str, pages: Container[str]) -> bool:
    first, *more = folder.split("/")
    return folder not in pages and (first == HANDBOOK or (len(more) > 1 and more[0] in SOMETIMES))


def output(path: str) -> str:
    """The folder in the site that a Markdown file becomes: `a/b.md` is at `a/b/`, `a/index.md` at `a/`."""
    folder = posixpath.dirname(path) if path.endswith("index.md") else path.removesuffix(".md")
    return f"{folder}/" if folder else ""


def _from(here: str, there: str, anchor: str) -> str:
    if there == here:
        return anchor or "./"
    return f"{posixpath.relpath(there or '.', here or '.')}/{anchor}"
