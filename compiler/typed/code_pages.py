"""A page about a diagnostic code: short texts, and rules that have the mistake and do not."""

from __future__ import annotations

from textwrap import dedent

from rulespec.compiler.diagnostics import Code


def page(code: str, title: str, *, what: str, why: str, bad: str, good: str) -> Code:
    """A code with its two pieces of rules text, which may be indented as the Python around them is."""
    return Code(code, title, what, why, dedent(bad).strip("\n"), dedent(good).strip("\n"))
