"""The reference of diagnostics, from the registry: one section for each code, grouped by stage."""

from __future__ import annotations

from itertools import groupby

from rulespec.compiler.codes import REGISTRY
from rulespec.compiler.diagnostics import Code
from rulespec.site.generated.words import fenced, prose, sentence
from rulespec.site.page import plain

GROUPS = {
    "R00": "Files that cannot be read",
    "R01": "Reading text",
    "R02": "Names",
    "R03": "Kinds and units",
    "R04": "Rules and what they do",
    "R05": "Components, configurations and limits",
    "R06": "Examples",
}


def listed() -> str:
    """All codes, each under a heading with the code as its anchor."""
    parts: list[str] = []
    for group, codes in groupby(REGISTRY.values(), lambda code: code.code[:3]):
        parts.append(f"## {GROUPS[group]} {{#{group}xx}}")
        parts += map(_section, codes)
    return "\n\n".join(parts)


def _section(code: Code) -> str:
    return "\n\n".join(
        (
            f"### {code.code} {plain(code.title)} {{#{code.code}}}",
            prose(sentence(code.what)) + " " + prose(sentence(code.why)),
            "Not so:",
            fenced(code.example_bad, _language(code.example_bad)),
            "But so:",
            fenced(code.example_good, _language(code.example_good)),
        )
    )


def _language(text: str) -> str:
    """Most examples are rules; some are Markdown around them, and those of files are commands or words."""
    if "```" in text:
        return "markdown"
    return "text" if text.startswith(("rulespec ", "chmod ", "a ", "the ", "several ")) else "rules"
