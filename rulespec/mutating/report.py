"""What nothing notices, as a list to review, and the score."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rich.console import Console
from rich.text import Text

from rulespec.compiler.typed.mutants import Mutant
from rulespec.mutating.bench import ALIKE, UNDECIDED, UNNOTICED, VOID, Tried
from rulespec.mutating.run import NOTICED, Outcome


def show(console: Console, game: str, players: int, outcome: Outcome, *, verbose: bool) -> None:
    """The changes that nothing notices, those that differ in plays first; then the count."""
    unnoticed = outcome.of(UNNOTICED)
    _section(console, outcome, "Changes that nothing notices", [t for t in unnoticed if t.differs])
    quiet = [t for t in unnoticed if not t.differs]
    _section(console, outcome, "Unnoticed as well, but random plays do not tell them apart either", quiet)
    _section(console, outcome, "Not decided in time", outcome.of(UNDECIDED))
    if verbose:
        _section(console, outcome, "Noticed", outcome.of(*NOTICED))
        _section(console, outcome, "Left out", outcome.of(ALIKE, VOID))
    for line in sentences(game, players, outcome):
        console.print(line, soft_wrap=True)


def _section(console: Console, outcome: Outcome, title: str, tried: list[Tried]) -> None:
    if not tried:
        return
    console.print(Text(title, style="bold"))
    for each in tried:
        mutant = outcome.mutants[each.id]
        head = Text(f"  {each.id}", style="cyan").append(f"  {_place(mutant)}", style="dim")
        console.print(head, soft_wrap=True)
        console.print(Text(f"    - {mutant.before}", style="red"), soft_wrap=True)
        if mutant.after:
            console.print(Text(f"    + {mutant.after}", style="green"), soft_wrap=True)
        if about := "; ".join(_about(each)):
            console.print(Text(f"      {about}", style="dim"), soft_wrap=True)
    console.print()


def _place(mutant: Mutant) -> str:
    by = " ".join(filter(None, (mutant.title, str(mutant.citation or ""))))
    return f"{mutant.span.file}:{mutant.span.line}  {by}"


def _about(tried: Tried) -> Iterator[str]:
    if tried.outcome in NOTICED:
        yield f"{tried.outcome}: {tried.by}"
    elif tried.by:
        yield tried.by
    if tried.outcome == UNNOTICED:
        came = f"{tried.examples} example{'s' * (tried.examples != 1)}"
        yield f"{came} may come by it" if tried.examples else "no example comes by it"
        yield "all that was proved is proved with it" if tried.proved else "the proof was not asked"


def sentences(game: str, players: int, outcome: Outcome) -> Iterator[Text]:
    """What was tried, what noticed it, and the score."""
    tried = len(outcome.tried)
    yield Text(f"{tried:,} of {outcome.whole:,} changes tried with {players} players")
    counts = [(len(outcome.of(name)), f"noticed by {name}") for name in NOTICED]
    counts += [
        (len(outcome.of(UNNOTICED)), "unnoticed"),
        (len(outcome.of(UNDECIDED)), "undecided"),
        (len(outcome.of(ALIKE)), f"left out because nothing differs with {players} players"),
        (len(outcome.of(VOID)), "left out because no rulebook says such a thing"),
    ]
    if tried:
        yield Text(", ".join(f"{number} {words}" for number, words in counts if number))
    text = Text(f"{game}: ", style="bold")
    if outcome.interrupted:
        text.append("interrupted, ", style="yellow")
    if outcome.score is None:
        yield text.append("no score")
    else:
        share = f"{outcome.noticed} of {outcome.counted} noticed, a score of {outcome.score:.1%}"
        yield text.append(share, style="green" if outcome.noticed == outcome.counted else "yellow")


def to_json(game: str, players: int, seed: int, outcome: Outcome) -> dict[str, Any]:
    """The same for programs."""
    return {
        "game": game,
        "players": players,
        "seed": seed,
        "changes": outcome.whole,
        "tried": len(outcome.tried),
        "noticed": {name: len(outcome.of(name)) for name in NOTICED},
        "unnoticed": len(outcome.of(UNNOTICED)),
        "undecided": len(outcome.of(UNDECIDED)),
        "alike": len(outcome.of(ALIKE)),
        "void": len(outcome.of(VOID)),
        "score": None if outcome.score is None else round(outcome.score, 4),
        "interrupted": outcome.interrupted,
        "results": [
            _object(outcome.mutants[i], outcome.tried[i]) for i in outcome.mutants if i in outcome.tried
        ],
    }


def _object(mutant: Mutant, tried: Tried) -> dict[str, Any]:
    data: dict[str, Any] = {
        "id": mutant.id,
        "operator": mutant.operator,
        "outcome": tried.outcome,
        "file": mutant.span.file,
        "line": mutant.span.line,
        "column": mutant.span.column,
        "before": mutant.before,
        "after": mutant.after,
        "rule": mutant.title,
        "examples": tried.examples,
        "differs": tried.differs,
        "proved": tried.proved,
        "seconds": round(tried.seconds, 3),
    }
    if tried.by:
        data["by"] = tried.by
    if mutant.citation:
        data["citation"] = str(mutant.citation)
    return data
