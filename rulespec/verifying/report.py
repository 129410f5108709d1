"""What a verification came to, for people and for programs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from rulespec.outline import Outline
from rulespec.proofs.verdicts import AGREES, ANY, DISAGREES, GAVE_UP, GIVEN, Verdict, as_json
from rulespec.verifying.colors import STYLES
from rulespec.verifying.details import players_in, plays, show_failed, unsettled
from rulespec.verifying.lock import NAME
from rulespec.verifying.plan import Part
from rulespec.verifying.progress import clock
from rulespec.verifying.run import Outcome
from rulespec.verifying.table import MEANINGS, Group, groups, legend, scopes, table, whole, worst
from rulespec.verifying.wording import capital, words

SHOWN = 6  # claims that are named in one sentence
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
    outcome = _to_paste(outcome, outline)
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


def _to_paste(outcome: Outcome, outline: Outline) -> Outcome:
    """The examples without the readings that can be taken in one way only: they say nothing."""
    settled = {
        f"    reading {each.name} is {each.default}" for each in outline.readings if len(each.meanings) == 1
    }

    def shorter(verdict: Verdict) -> Verdict:
        if verdict.play is None or not verdict.play.example:
            return verdict
        kept = [
            line for line in verdict.play.example.splitlines(keepends=True) if line.rstrip() not in settled
        ]
        return replace(verdict, play=replace(verdict.play, example="".join(kept)))

    verdicts = {number: tuple(map(shorter, found)) for number, found in outcome.verdicts.items()}
    return replace(outcome, verdicts=verdicts)


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
    outcome = _to_paste(outcome, outline)
    small = scopes(outcome, {scope.name: scope.title for scope in outline.scopes})
    shown = [*groups(outcome, unfolded=verbose), *([small] if small.rows else [])]
    if shown:
        show_table(console, shown, verbose=verbose)
    for ran in outcome.failed_examples:
        show_failed(console, ran, game)
        console.print()
    for entry in unsettled(outcome):
        entry.show(console, verbose)
        console.print()
    for found in (*plays(outcome, "refuted"), *(plays(outcome, "proved") if verbose else ())):
        found.show(console, verbose)
        console.print()
    if verbose and (lines := told_besides(outcome)):
        console.print(Text("What proofs needed and the rulebook does not say:", style="bold"))
        for line in lines:
            console.print(Text(f"    {line}"), soft_wrap=True)
        console.print()
    if verbose and any(v.kind == "bound" and v.verdict == "proved" for v in outcome.all_verdicts):
        hint = f"`rulespec bounds {game}` looks for tighter bounds, and for plays that come near them"
        console.print(Text(hint), soft_wrap=True)
    for sentence in sentences(game, outcome):
        console.print(sentence, soft_wrap=True)


def show_table(console: Console, shown: Sequence[Group], *, verbose: bool) -> None:
    """The groups as a table, and what its words mean."""
    console.print(table(shown, players_of(shown), how=verbose))
    console.print()
    meanings = Table.grid(padding=(0, 2, 0, 0))
    for name, meaning in legend(shown):
        meanings.add_row(Text(name, style=STYLES[name]), Text(meaning, style="dim"))
    console.print(meanings)
    console.print()


def players_of(groups: Iterable[Group]) -> list[int]:
    """The numbers of players that have a column."""
    return sorted({number for group in groups for row in group.rows for number in row.cells})


def told_besides(outcome: Outcome) -> list[str]:
    """What was found beside the rulebook, each line once, with the numbers of players if not for all."""
    players: dict[str, set[int]] = {}
    for verdict in outcome.all_verdicts:
        for line in verdict.found:
            players.setdefault(line, set()).add(verdict.players)
    everybody = {verdict.players for verdict in outcome.all_verdicts}
    return [
        line if numbers == everybody else f"{line}    # {', '.join(map(str, sorted(numbers)))} players"
        for line, numbers in players.items()
    ]


def counted(number: int, thing: str) -> str:
    """`1 claim`, `2 claims`."""
    return f"{number:,} {thing}{'s' * (number != 1)}"


def sentences(game: str, outcome: Outcome) -> Iterator[Text]:
    """What it all comes to."""
    yield from _claims(outcome)
    yield from second([outcome])
    yield from assumed_numbers(game, outcome)
    for number, verdicts in sorted(outcome.verdicts.items()):
        if outcome.parts[number].scope and (stands := whole(verdicts)):
            yield _small(outcome.parts[number], stands, len(verdicts))
    if played := _played(outcome):
        yield Text(", ".join(played))
    if kept := _kept(outcome):
        yield Text(kept)
    yield _end(game, outcome)


def _claims(outcome: Outcome) -> Iterator[Text]:
    by_claim: dict[str, list[Verdict]] = {}
    for verdict in outcome.all_verdicts:
        if not verdict.scope and verdict.kind != "agreement":
            by_claim.setdefault(verdict.property, []).append(verdict)
    if not by_claim:
        return
    number = Counter(worst(verdicts).verdict for verdicts in by_claim.values())
    full = [outcome.parts[n] for n in sorted(outcome.verdicts) if not outcome.parts[n].scope]
    text = Text(f"{counted(len(by_claim), 'claim')} with {players_in([part.players for part in full])}: ")
    for name in MEANINGS:
        if number[name] and name != "refuted":
            text.append(f"{number[name]} {IN_WORDS[name]}", style=STYLES[name]).append(", ")
    refuted = number["refuted"]
    yield text.append(f"{refuted or 'none'} refuted", style=STYLES["refuted" if refuted else "proved"])


def second(outcomes: Iterable[Outcome]) -> Iterator[Text]:
    """What the second solver says, where it was asked, and for how many proofs there was nothing to ask."""
    found = list(outcomes)
    verdicts = [verdict for outcome in found for verdict in outcome.all_verdicts]
    number = Counter(each.second for each in verdicts if each.second)
    if not number:
        return
    claims = counted(sum(number.values()), "verdict")
    rest = f"rest{'s' * (claims == '1 verdict')} on"
    if set(number) == {AGREES}:
        text = Text(f"cvc5 was asked all that {claims} {rest}, and agrees")
    else:
        text = Text(f"cvc5 was asked all that {claims} {rest}: it agrees with {number[AGREES]:,}")
    if number[GAVE_UP]:
        text.append(f", gave up on {number[GAVE_UP]:,}", style=STYLES["unknown"])
    if number[DISAGREES]:
        text.append(f", and disagrees with {number[DISAGREES]:,}", style=STYLES["refuted"])
    yield text
    # What a lock file has may come from a run that did not ask.
    asked_of_all = all(part.limits.recheck for outcome in found for part in outcome.parts)
    without = sum(v.verdict in ("proved", "vacuous") and not (v.second or v.play) for v in verdicts)
    if without and asked_of_all:
        need = (
            "verdict needs no question, and holds" if without == 1 else "verdicts need no question, and hold"
        )
        yield Text(f"{without:,} more {need} by the form of the rules alone")


def assumed_numbers(game: str, outcome: Outcome) -> Iterator[Text]:
    """How many claims are proved whatever the numbers are that no source has; those that are not, by name."""
    holding = [v for v in outcome.all_verdicts if v.verdict in ("proved", "vacuous") and not v.scope]
    stated = [v for v in holding if v.assumed]
    if not stated:
        return
    given = list(dict.fromkeys(capital(words(v).exact) for v in stated if v.assumed == GIVEN))
    whatever = {v.property for v in stated} - {v.property for v in stated if v.assumed == GIVEN}
    text = Text(f"{counted(len(whatever), 'claim')} proved for all that is assumed within limits")
    fixed = sorted({v.assumed.removeprefix(f"{ANY} but ") for v in stated if v.assumed not in (ANY, GIVEN)})
    text.append(f", but for {', '.join(fixed)}" if fixed else "").append(f" (see `rulespec readings {game}`)")
    if given:
        more = f"; and {len(given) - SHOWN} more" if len(given) > SHOWN else ""
        text.append(f", {len(given)} only with the numbers as assumed: {'; '.join(given[:SHOWN])}{more}")
    yield text


def _small(part: Part, stands: Verdict, claims: int) -> Text:
    text = Text(f"{counted(claims, 'claim')} in `{part.scope}` with {players_in([part.players])}: ")
    match stands.verdict:
        case "refuted":
            return text.append("not all good", style=STYLES["refuted"])
        case "exhaustive":
            visited = f"good in each of its {counted(stands.count, 'position')}"
            return text.append(visited, style=STYLES["exhaustive"])
        case "bounded":
            looked = f"good in every game of up to {counted(stands.count, 'step')}"
            return text.append(looked, style=STYLES["bounded"])
    return text.append(stands.label, style=STYLES[stands.verdict])


def _played(outcome: Outcome) -> list[str]:
    failed, examples = len(outcome.failed_examples), outcome.held or len(outcome.examples or ())
    games = sum(each.count for each in outcome.all_verdicts if each.kind == "agreement")
    told = []
    if failed:
        told.append(f"{failed} of {counted(examples, 'example')} failed")
    elif examples:
        told.append(f"{counted(examples, 'example')} hold{'s' * (examples == 1)}")
    if games:
        told.append(f"{counted(games, 'random game')} went the same way in both engines")
    return told


def _kept(outcome: Outcome) -> str:
    """What was not tried again, and how long ago it was found."""
    days = [date.fromisoformat(each.locked) for each in outcome.all_verdicts if each.locked]
    if not days:
        return ""
    whole = counted(len(outcome.all_verdicts), "verdict")
    number = f"all {whole}" if len(days) == len(outcome.all_verdicts) else f"{len(days):,} of {whole}"
    return f"{number} from `{NAME}`, found {_ago(min(days), max(days))}; `--fresh` finds them anew"


def _ago(first: date, last: date) -> str:
    """`today`, `3 days ago`, `1 to 12 days ago`."""
    today = datetime.now(UTC).date()
    oldest, newest = max(0, (today - first).days), max(0, (today - last).days)
    if oldest == newest:
        return f"{counted(oldest, 'day')} ago" if oldest else "today"
    return f"{newest} to {counted(oldest, 'day')} ago"


def _end(game: str, outcome: Outcome) -> Text:
    refuted = {each.property for each in outcome.all_verdicts if each.verdict == "refuted"}
    failed = len(outcome.failed_examples)
    text = Text(f"{game}: ", style="bold")
    if refuted:
        text.append(f"{counted(len(refuted), 'claim')} refuted", style="red").append(", ")
    if failed:
        text.append(f"{counted(failed, 'example')} failed", style="red").append(", ")
    if outcome.interrupted:
        finished = f"{len(outcome.verdicts)} of {counted(len(outcome.parts), 'configuration')}"
        text.append(f"interrupted with {finished} finished", style="yellow").append(", ")
    if outcome.late:
        text.append("stopped when the time for all was over", style="yellow").append(", ")
    if not (refuted or failed or outcome.interrupted or outcome.late):
        text.append("nothing is refuted", style="green").append(", ")
    return text.append(f"in {clock(outcome.seconds)}")
