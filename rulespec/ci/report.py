"""What the stages came to: as a table, as a page for a job's summary, and as JSON."""

from __future__ import annotations

import html
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from rulespec.ci.finding import Finding
from rulespec.ci.places import Top
from rulespec.ci.stage import FAILED, PASSED, SKIPPED, STOPPED, Result

if TYPE_CHECKING:
    from rich.table import Table

STYLES = {PASSED: "green", FAILED: "bold red", SKIPPED: "yellow", STOPPED: "yellow"}
SIGNS = {PASSED: "✅", FAILED: "❌", SKIPPED: "➖", STOPPED: "➖"}
MOST = 100  # findings on the page


def is_good(results: Sequence[Result]) -> bool:
    """Whether nothing failed, all was reached, and something passed: what was skipped alone shows nothing."""
    words = {each.result for each in results}
    return words <= {PASSED, SKIPPED} and PASSED in words


def verdict(results: Sequence[Result]) -> str:
    """The whole in one sentence: what was skipped is named, so that nobody takes it for passed."""
    by = {word: [each.stage.name for each in results if each.result == word] for word in STYLES}
    told = [f"{word}: {', '.join(names)}" for word, names in by.items() if names and word != PASSED]
    passed = f"{len(by[PASSED])} of {len(results)} stage{'s' * (len(results) != 1)} passed"
    return "; ".join([passed, *told])


def table(results: Sequence[Result]) -> Table:
    """A line for each stage."""
    from rich.table import Table
    from rich.text import Text

    made = Table(box=None, padding=(0, 2, 0, 0), show_edge=False, header_style="bold")
    made.add_column("stage", no_wrap=True)
    made.add_column("result", no_wrap=True)
    made.add_column("time", justify="right", no_wrap=True)
    made.add_column("", overflow="fold")
    for each in results:
        told = Text(each.text)
        made.add_row(Text(each.stage.name), Text(each.result, STYLES[each.result]), _time(each), told)
    return made


def _time(result: Result) -> str:
    return f"{result.seconds:.1f} s"


def page(results: Sequence[Result], findings: Sequence[Finding], top: Top) -> str:
    """Markdown for the summary of a job. What comes from a rulebook is only ever text in it."""
    rows = [
        f"| {SIGNS[each.result]} | {each.stage.name} | {each.result} | {_time(each)} | {_plain(each.text)} |"
        for each in results
    ]
    head = ["### rulespec", "", "| | stage | result | time | |", "|---|---|---|---:|---|"]
    return "\n".join([*head, *rows, "", *_listed(findings, top)]) + "\n"


def _listed(findings: Sequence[Finding], top: Top) -> Iterator[str]:
    shown = [each for each in findings if each.level != "note"]
    for each in shown[:MOST]:
        place = f"{top.path(each.span.file)}:{max(each.span.line, 1)}"
        yield f"- {each.level} {each.rule}, <code>{_plain(place)}</code>: {_plain(each.message)}"
    if len(shown) > MOST:
        yield f"- and {len(shown) - MOST} more"


def _plain(text: str) -> str:
    """Text that means nothing in Markdown or HTML, and stays on its line."""
    escaped = html.escape(" ".join(text.split()))
    return "".join(
        f"&#{ord(char)};" if char in "\\`*_{}[]()#+!|~@:" else char for char in escaped.replace("&#x27;", "'")
    )


def as_json(results: Sequence[Result], top: Top) -> dict[str, Any]:
    """One object."""
    return {
        "good": is_good(results),
        "stages": [
            {
                "stage": each.stage.name,
                "result": each.result,
                "seconds": round(each.seconds, 2),
                "text": each.text,
                "findings": [_finding(found, top) for found in each.findings],
            }
            for each in results
        ],
    }


def _finding(finding: Finding, top: Top) -> dict[str, Any]:
    span = finding.span
    return {
        "rule": finding.rule,
        "level": finding.level,
        "message": finding.message,
        "file": top.path(span.file),
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
        "help": list(finding.help),
    }
