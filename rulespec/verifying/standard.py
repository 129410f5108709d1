"""The standard library, verified: each mechanism by a rulebook that calls it with numbers of any size."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rich.console import Console
from rich.text import Text

from rulespec import api, examples, library
from rulespec.outline import Outline
from rulespec.proofs.verdicts import Limits
from rulespec.verifying import plan, report
from rulespec.verifying.details import players_in, plays, show_failed, unsettled
from rulespec.verifying.progress import clock
from rulespec.verifying.run import Outcome
from rulespec.verifying.table import MEANINGS, Group, Row

QUESTION = 30.0  # seconds for one question, none of which takes one: a busy machine is to change no verdict
NAME = "std"  # of all of it together, where a game's name is asked for


@dataclass(frozen=True)
class Mechanism:
    """One rulebook of `library.proofs()`. Its configurations are `parts`."""

    name: str
    outline: Outline
    parts: tuple[plan.Part, ...]


Found = Sequence[tuple[Mechanism, Outcome]]  # what came of each


def mechanisms(wanted: plan.Wanted, limits: Limits) -> list[Mechanism]:
    """All that is to be verified.

    Raises:
        RulesError: a rulebook of the standard library has errors.
        ConfigurationError: it does not have that number of players, or none of them has such a property.
    """
    found: list[Mechanism] = []
    limits = replace(limits, question=max(limits.question, QUESTION))
    for name in library.proofs():
        book = api.open_rulebook(name)
        made = plan.make(book, replace(wanted, properties=()), limits)
        if book.outline is None or not made.parts:
            raise api.RulesError(made.diagnostics, book.sources)
        parts = tuple(replace(part, changed=book.outline.title) for part in made.parts)
        found.append(Mechanism(name, book.outline, parts))
    # Of all together, as not each of them has all kinds of claims.
    chosen = list(plan.choose([part for each in found for part in each.parts], wanted.properties))
    left = [
        replace(each, parts=tuple(p for p in chosen if p.core.configuration.game == each.outline.game))
        for each in found
    ]
    return [each for each in left if each.parts]


def carried_out(name: str) -> tuple[examples.Ran, ...]:
    """How the examples of one of the rulebooks went."""
    rulebook = examples.own(api.open_rulebook(name)).rulebook
    return () if rulebook is None else tuple(examples.run(rulebook, each) for each in rulebook.examples)


def apart(outcome: Outcome, of: Sequence[Mechanism]) -> Iterator[tuple[Mechanism, Outcome]]:
    """What came of each mechanism, out of what came of all their parts together."""
    first = 0
    for each in of:
        places = range(first, first + len(each.parts))
        verdicts = {n - first: outcome.verdicts[n] for n in places if n in outcome.verdicts}
        yield each, Outcome(each.parts, verdicts, interrupted=outcome.interrupted, seconds=outcome.seconds)
        first += len(each.parts)


def to_json(found: Found) -> list[dict[str, Any]]:
    """One object for each verdict, and one for each example that fails."""
    return [item for each, outcome in found for item in report.to_json(outcome, each.outline)]


def show(console: Console, found: Found, seconds: float, *, verbose: bool) -> None:
    """A line for each mechanism, what is not settled with its reason, and a sentence."""
    group = Group("The standard library, for any purse, floor and raise")
    for each, outcome in found:
        cells = {outcome.parts[n].players: verdicts for n, verdicts in outcome.verdicts.items()}
        group.rows.append(Row(each.outline.title, cells))
    report.show_table(console, [group], verbose=verbose)
    for each, outcome in found:
        for entry in unsettled(outcome):
            entry.show(console, verbose)
            console.print()
        for play in plays(outcome, "refuted"):
            play.show(console, verbose)
            console.print()
        for ran in outcome.failed_examples:
            show_failed(console, ran, each.name)
            console.print()
    for sentence in report.second(outcome for _, outcome in found):
        console.print(sentence, soft_wrap=True)
    console.print(_sentence(found, report.players_of([group]), seconds), soft_wrap=True)


def _sentence(found: Found, players: list[int], seconds: float) -> Text:
    verdicts = [verdict for _, outcome in found for verdict in outcome.all_verdicts]
    number = {name: sum(each.verdict == name for each in verdicts) for name in MEANINGS}
    counted = ", ".join(f"{count:,} {name}" for name, count in number.items() if count)
    ran = [one for _, outcome in found for one in outcome.examples or ()]
    failed = sum(not one.passed for one in ran)
    told = f"{failed} of {len(ran)} examples failed" if failed else f"{len(ran)} examples hold"
    played = f"; {told}" if ran else ""
    return Text(
        f"{report.counted(len(found), 'mechanism')} with {players_in(players)}, "
        f"{report.counted(len(verdicts), 'claim')}: {counted}{played}, in {clock(seconds)}"
    )
