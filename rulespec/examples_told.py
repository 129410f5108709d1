"""What is said of an example that was carried out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rulespec.compiler.diagnostics import Diagnostic, Label
from rulespec.compiler.render import render
from rulespec.compiler.spans import Span
from rulespec.examples import Ran

CYAN, PLAIN = "\x1b[36m", "\x1b[0m"


def findings(ran: Ran) -> list[Diagnostic]:
    """What is wrong: why it fails, or why it could not be compiled; also warnings of one that holds."""
    return list(ran.diagnostics) if ran.passed or ran.result is None else [failure(ran)]


def failure(ran: Ran) -> Diagnostic:
    """Why an example fails, at the step or the line that did."""
    assert ran.result is not None
    head = ran.example.span
    here = Span(head.file, head.line, head.column, head.line, head.column + len("example"))
    message = f"example `{ran.example.name}` fails: {ran.result.message}"
    labels = [] if ran.result.span == head else [Label(here, ran.example.title)]
    labels += [Label(claim.origin.span, f"`{claim.name}` is claimed here") for claim in ran.result.breaks]
    return Diagnostic("R0691" if ran.result.breaks else "R0690", message, ran.result.span, tuple(labels))


def paragraphs(ran: Ran, sources: Mapping[str, str], *, color: bool) -> Iterator[str]:
    """All that there is to say, ready to print; nothing for an example that simply holds."""
    result = ran.result
    if (result is None or not ran.passed) and (found := findings(ran)):
        yield render(found, sources, color).rstrip("\n")
    if result is None:
        return
    if not ran.passed:
        yield "\n".join([*_list("the values", result.parts), *_list("played before", result.played), ""])
    note = f"{CYAN}note{PLAIN}" if color else "note"
    if result.unreachable:
        yield f"{note}: `{ran.example.name}` begins where no play comes to: {_broken(result.unreachable)}"
    if result.ends_breaking:
        where = "ends inside the game, not at a choice"
        yield f"{note}: `{ran.example.name}` {where}: {_broken(result.ends_breaking)}"


def _list(title: str, lines: tuple[str, ...]) -> list[str]:
    return [f"  {title}:", *(f"    {line}" for line in lines)] if lines else []


def _broken(claims: tuple[str, ...]) -> str:
    *others, last = (f'"{claim}"' for claim in claims)
    if not others:
        return f"{last} does not hold there"
    return f"{', '.join(others)} and {last} do not hold there"
