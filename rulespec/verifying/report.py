"""What a verification came to, for people and for programs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from rulespec.outline import Outline
from rulespec.proofs.verdicts import Verdict, as_json
from rulespec.verifying.colors import STYLES
from rulespec.verifying.details import counterexamples, players_in, show_failed, unsettled
from rulespec.verifying.plan import Part
from rulespec.verifying.progress import clock
from rulespec.verifying.run import Outcome
from rulespec.verifying.table import MEANINGS, groups, legend, scopes, table, whole, worst

IN_WORDS = {
    "proved": "proved",
    "exhaustive": "good in every position",
    "vacuous": "vacuous",
    "bounded": "good as far as looked",
    "sampled": "only sampled",
    "unknown": "unknown",
}


def to_json(outcome: Outcome, outline: Outline) -> list[dict[str, Any]]:
    """One object for each verdict, and one for each example that fails."""
    objects = [_verdict_json(verdict, outline) for verdict in outcome.all_verdicts]
    for ran in outcome.failed_examples:
        example = ran.example
        reason = ran.result.message if ran.result else "; ".join(each.message for each in ran.diagnostics)
        objects.append(
            {
                "game": outline.game,
                "players": example.players,
                "property": f"example {example.name}",
                "kind": "example",
                "verdict": "refuted",
                "method": "play",
                "seconds": 0.0,
                "reason": reason,
                "title": example.title,
            }
        )
    return objects


def _verdict_json(verdict: Verdict, outline: Outline) -> dict[str, Any]:
    data = as_json(verdict)
    defaults = {reading.name: reading.default for reading in outline.readings}
    readings = {name: meaning for name, meaning in verdict.readings if defaults.get(name) != meaning}
    data.pop("readings", None)
    if readings:
        data["readings"] = readings
    if verdict.verdict == "refuted" and "example" in data:
        data["counterexample"] = data.pop("example")
    return data


# --- for people --------------------------------------------------------------------------------------------


def show(console: Console, game: str, outcome: Outcome, outline: Outline, *, verbose: bool) -> None:
    """The table, what its words mean, all that is not settled with its reason, and a few sentences."""
    small = scopes(outcome, {scope.name: scope.title for scope in outline.scopes})
    shown = [*groups(outcome, unfolded=verbose), *([small] if small.rows else [])]
    if shown:
        players = sorted({number for group in shown for row in group.rows for number in row.cells})
        console.print(table(shown, players, how=verbose))
        console.print()
        meanings = Table.grid(padding=(0, 2, 0, 0))
        for name, meaning in legend(shown):
            meanings.add_row(Text(name, style=STYLES[name]), Text(meaning, style="dim"))
        console.print(meanings)
        console.print()
    for ran in outcome.failed_examples:
        show_failed(console, ran, game)
        console.print()
    for entry in unsettled(outcome):
        entry.show(console, verbose)
        console.print()
    for found in counterexamples(outcome):
        found.show(console, verbose)
        console.print()
    for sentence in sentences(outcome, outline):
        console.print(sentence)


def counted(number: int, thing: str) -> str:
    """`1 claim`, `2 claims`."""
    return f"{number} {thing}{'s' * (number != 1)}"


def sentences(outcome: Outcome, outline: Outline) -> Iterator[Text]:
    """What it all comes to."""
    if outcome.interrupted:
        done = f"{len(outcome.verdicts)} of {counted(len(outcome.parts), 'configuration')}"
        yield Text(f"interrupted, with {done} finished", style="yellow")
    yield from _claims(outcome, outline)
    for number, verdicts in sorted(outcome.verdicts.items()):
        if outcome.parts[number].scope and (stands := whole(verdicts)):
            yield _small(outcome.parts[number], stands, len(verdicts))
    yield Text(_rest(outcome))


def _claims(outcome: Outcome, outline: Outline) -> Iterator[Text]:
    by_claim: dict[str, list[Verdict]] = {}
    for verdict in outcome.all_verdicts:
        if not verdict.scope and verdict.kind != "agreement":
            by_claim.setdefault(verdict.property, []).append(verdict)
    if not by_claim:
        return
    number = Counter(worst(verdicts).verdict for verdicts in by_claim.values())
    full = [outcome.parts[n] for n in sorted(outcome.verdicts) if not outcome.parts[n].scope]
    text = Text(f"{outline.title}, {players_in([part.players for part in full])}: ")
    text.append(counted(len(by_claim), "claim")).append(": ")
    for name in MEANINGS:
        if number[name] and name != "refuted":
            text.append(f"{number[name]} {IN_WORDS[name]}", style=STYLES[name]).append(", ")
    refuted = number["refuted"]
    yield text.append(f"{refuted or 'none'} refuted", style=STYLES["refuted" if refuted else "proved"])


def _small(part: Part, stands: Verdict, claims: int) -> Text:
    text = Text(f"{part.scope}, {players_in([part.players])}: {counted(claims, 'claim')}: ")
    match stands.verdict:
        case "refuted":
            return text.append("refuted", style=STYLES["refuted"])
        case "exhaustive":
            visited = f"good in every one of {stands.count:,} positions"
            return text.append(visited, style=STYLES["exhaustive"])
        case "bounded":
            looked = f"good in every game of up to {stands.count} steps"
            return text.append(looked, style=STYLES["bounded"])
    return text.append(stands.label, style=STYLES[stands.verdict])


def _rest(outcome: Outcome) -> str:
    failed, examples = len(outcome.failed_examples), len(outcome.examples or ())
    games = sum(each.count for each in outcome.all_verdicts if each.kind == "agreement")
    told = []
    if examples:
        good = f"{counted(examples, 'example')} hold{'s' * (examples == 1)}"
        told.append(f"{failed} of {counted(examples, 'example')} failed" if failed else good)
    if games:
        told.append(f"{counted(games, 'random game')} went the same way in both engines")
    told.append(f"it took {clock(outcome.seconds)}")
    return ", ".join(told)
