"""Text of ours, as docstrings and the registry have it, in Markdown: only backticks mean something in it."""

from __future__ import annotations

import re
import textwrap

from rulespec.site.page import plain

_SECTION = re.compile(r"^(Raises|Returns|Args|Yields):$")


def prose(text: str) -> str:
    """A paragraph: code in backticks, and nothing else in it taken for Markdown."""
    parts = " ".join(text.split()).split("`")
    if len(parts) % 2 == 0:
        return plain(text)
    return "".join(code(part) if i % 2 else _spaced(part) for i, part in enumerate(parts))


def _spaced(text: str) -> str:
    """Plain text with the spaces that divide it from the code beside it."""
    before = " " if text.startswith(" ") else ""
    after = " " if text.endswith(" ") and text.strip() else ""
    return f"{before}{plain(text)}{after}"


def code(text: str) -> str:
    """Words as code, with as many backticks as it takes."""
    if not text:
        return ""
    ticks = "`" * (max(map(len, re.findall("`+", text)), default=0) + 1)
    space = " " if "`" in text else ""
    return f"{ticks}{space}{text}{space}{ticks}"


def fenced(text: str, language: str = "") -> str:
    """A block of code."""
    ticks = "`" * max(3, *(len(found) + 1 for found in re.findall("`+", text) or [""]))
    return f"{ticks}{language}\n{text.strip(chr(10))}\n{ticks}"


def sentence(text: str) -> str:
    """A capital at the beginning and a full stop at the end, as the registry leaves them out."""
    text = text.strip()
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "?", "!")) else ".")


def docstring(text: str) -> str:
    """A docstring: paragraphs, indented or `>>>` blocks as code, and sections such as `Raises:` as lists."""
    return "\n\n".join(_paragraph(part) for part in re.split(r"\n\s*\n", text.strip("\n")) if part.strip())


def _paragraph(text: str) -> str:
    first, _, rest = text.partition("\n")
    if _SECTION.match(first.strip()):
        return f"{first.strip()}\n\n{_entries(textwrap.dedent(rest))}"
    if text.startswith((" ", ">>>")):
        return fenced(textwrap.dedent(text), "python" if ">>>" in text else "")
    if text.startswith("|"):
        return text
    if text.startswith("- "):
        return "\n".join(f"- {prose(item)}" for item in re.split(r"^- ", text, flags=re.M)[1:])
    return prose(text)


def _entries(text: str) -> str:
    """`NAME: what` lines, each of which may go on indented."""
    entries = re.split(r"\n(?=\S)", text.strip("\n"))
    return "\n".join(f"- {_entry(entry)}" for entry in entries)


def _entry(text: str) -> str:
    names, mark, what = text.partition(": ")
    if not mark:
        return prose(text)
    return f"{', '.join(code(name.strip()) for name in names.split(','))}: {prose(what)}"
