"""Findings as the lines by which a GitHub job puts remarks beside a change, and what keeps a rulebook from
writing such lines itself.

The format: https://docs.github.com/actions/reference/workflow-commands-for-github-actions
"""

from __future__ import annotations

from rulespec.ci.finding import Finding
from rulespec.ci.kinds import sentence
from rulespec.ci.places import Top

COMMANDS = {"error": "error", "warning": "warning", "note": "notice"}


def line(finding: Finding, top: Top) -> str:
    """One line, whatever the rulebook says."""
    span = finding.span
    properties = {
        "file": top.path(span.file),
        "line": str(max(span.line, 1)),
        "endLine": str(max(span.end_line, span.line, 1)),
        "title": f"rulespec {finding.rule}",
        "col": str(max(span.column, 1)),
    }
    if span.end_line <= span.line:  # columns on two lines are not understood
        properties["endColumn"] = str(max(span.end_column, span.column, 1))
    told = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    text = "\n".join([sentence(finding.message), *(f"help: {each}" for each in finding.help)])
    return f"::{COMMANDS[finding.level]} {told}::{_data(text)}"


def unheard(token: str) -> str:
    """After this line GitHub takes no line for a command, until it reads `heard` with the same token."""
    return f"::stop-commands::{token}"


def heard(token: str) -> str:
    """See `unheard`."""
    return f"::{token}::"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
