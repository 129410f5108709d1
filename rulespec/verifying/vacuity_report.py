"""What never happens, shown to people and to programs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rich.console import Console
from rich.text import Text

from rulespec.verifying.details import players_in
from rulespec.verifying.report import counted
from rulespec.verifying.vacuity import Remark, Vacuity
from rulespec.verifying.wording import capital


def show(console: Console, found: Vacuity, *, verbose: bool) -> None:
    """What is certain first, then what was only not seen."""
    certain = [each for each in found.everywhere if each.is_certain]
    unseen = [each for each in found.everywhere if not each.is_certain]
    _section(console, "What never happens", certain, "cyan")
    _section(console, "What was not seen to happen, which is a remark and no verdict", unseen, "yellow")
    if found.somewhere and verbose:
        _section(console, "What does not happen with some numbers of players", found.somewhere, "dim")
    elif found.somewhere:
        number = len(found.somewhere)
        only = (
            f"{number} more thing{'s do' if number != 1 else ' does'} not happen with some numbers of players"
        )
        console.print(Text(f"{only}: see them with --verbose", style="dim"))
        console.print()
    if found.missing:
        console.print(f"What never happens is not known of {counted(found.missing, 'configuration')}.\n")
    elif not found.everywhere:
        console.print("Every rule, option and branch is come to, and every premise is met.\n")


def _section(console: Console, title: str, remarks: list[Remark], style: str) -> None:
    if not remarks:
        return
    console.print(Text(title, style="bold"))
    for each in sorted(remarks, key=lambda r: r.span):
        console.print(Text(f"  {capital(each.text)}", style=style), soft_wrap=True)
        console.print(Text(f"      {'; '.join(_about(each))}", style="dim"), soft_wrap=True)
    console.print()


def _about(remark: Remark) -> Iterator[str]:
    yield f"{remark.span.file}:{remark.span.line}"
    if by := " ".join(filter(None, (remark.rule, remark.citation))):
        yield by
    yield remark.known + (f", with {players_in(remark.where)}" if remark.where else "")


def to_json(game: str, found: Vacuity) -> list[dict[str, Any]]:
    """One object for each thing, beside those of the verdicts: `kind` is `vacuity`.

    `verdict` is `vacuous` where it is certain, and else `unseen`; `everywhere` is false for what does not
    happen with some numbers of players only.
    """
    return [_object(game, each, each in found.everywhere) for each in (*found.everywhere, *found.somewhere)]


def _object(game: str, remark: Remark, everywhere: bool) -> dict[str, Any]:
    data: dict[str, Any] = {
        "game": game,
        "players": list(remark.where),
        "property": remark.text,
        "kind": "vacuity",
        "what": remark.what,
        "verdict": "vacuous" if remark.is_certain else "unseen",
        "method": remark.method,
        "seconds": 0.0,
        "everywhere": everywhere,
        "file": remark.span.file,
        "line": remark.span.line,
        "column": remark.span.column,
    }
    if remark.count:
        data["count"] = remark.count
    for name in ("rule", "citation"):
        if getattr(remark, name):
            data[name] = getattr(remark, name)
    return data
