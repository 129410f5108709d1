"""What the table has no room for: why a claim is not settled, and the plays that break one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from rulespec.proofs.verdicts import Play, Step, Verdict
from rulespec.verifying.colors import STYLES
from rulespec.verifying.plan import Part
from rulespec.verifying.run import Outcome
from rulespec.verifying.table import GOOD, whole, worst
from rulespec.verifying.wording import SUMMARIES, capital, words

ONLY_SHORT = "; made short, but not shown to be shortest"
if TYPE_CHECKING:
    from rulespec.examples import Ran

STEPS = 12  # of a long play the last so many are shown
NAMED = 4  # claims named where several have the same reason
REASON = 240  # letters
PLACES = 4  # configurations named where something holds in several

At = tuple[Part, Verdict]


@dataclass(frozen=True)
class Unsettled:
    """Claims that are not proved for the same reason, in the same places."""

    verdict: Verdict
    labels: tuple[str, ...]
    where: str

    def show(self, console: Console, verbose: bool) -> None:
        named = self.labels if verbose else self.labels[:NAMED]
        more = len(self.labels) - len(named)
        claims = Text(capital("; ".join(named)) + (f"; and {more} more claims" if more else ""))
        reason = self.verdict.reason or "no reason is known"
        short = reason if verbose or len(reason) <= REASON else f"{reason[:REASON].rsplit(' ', 1)[0]} ..."
        shown = Table.grid(padding=(0, 2, 0, 0))
        label = Text(self.verdict.label, style=STYLES[self.verdict.verdict])
        shown.add_row(label, claims.append(f", {self.where}", style="dim"))
        shown.add_row("", Text(short))
        console.print(shown)


@dataclass(frozen=True)
class Shown:
    """A play that breaks something, or reaches what a claim says can happen, in the configuration where it is
    shortest."""

    labels: tuple[str, ...]
    where: str
    part: Part
    play: Play
    verdict: str  # `refuted`, or `proved` of what is reached

    def show(self, console: Console, verbose: bool) -> None:
        refuted = self.verdict == "refuted"
        label = self.verdict if refuted else "reached"
        claims = f"  {capital('; '.join(self.labels))}, {self.where}"
        console.print(Text(label, style=STYLES[self.verdict]).append(claims, style="bold"))
        if refuted:
            console.print(Padding(Text(f"what failed: {self.play.conjunct}"), (0, 0, 0, 2)))
        for text in _plays(self.play, self.part, None if verbose else STEPS):
            indent = len(text) - len(text.lstrip())  # also of what does not fit on its line
            console.print(Padding(Text(text.lstrip()), (0, 0, 0, 2 + indent)))
        if self.play.example:
            console.print(f"  {_advice(self.part, 'fails' if refuted else 'holds')}\n", markup=False)
            # Not wrapped and not indented: it is there to be copied.
            console.print(Text(self.play.example), soft_wrap=True)


def show_failed(console: Console, ran: Ran, game: str) -> None:
    """Tell in a few lines of an example that fails; `rulespec test` does it at length."""
    example, span = ran.example, ran.result.span if ran.result else ran.example.span
    message = ran.result.message if ran.result else "; ".join(each.message for each in ran.diagnostics)
    console.print(
        Text("failed", style=STYLES["refuted"])
        .append(f"  example {example.name}: {example.title}", style="bold")
        .append(f", {span.file}:{span.line}", style="dim")
    )
    console.print(Padding(Text(message), (0, 0, 0, 2)))
    console.print(Padding(Text(f"more: rulespec test {game} -k {example.name}", style="dim"), (0, 0, 0, 2)))


def _plays(play: Play, part: Part, most: int | None) -> Iterator[str]:
    """The play, and the other one where it takes two to show something."""
    short = "" if play.other is not None else ONLY_SHORT
    no_shorter = ", and no shorter play does it" if play.shortest else short
    yield from _play("the play", play.steps, part, most, no_shorter)
    if play.other is not None:
        yield from _play("the other play", play.other.steps, part, most, "")
        yield f"what differs and p{play.other.seat} does not see, after the one or the other:"
        yield from (f"  {each}" for each in play.other.secret)
        yield f"all that p{play.other.seat} saw on the way is the same, too"


def _play(name: str, steps: Sequence[Step], part: Part, most: int | None, more: str) -> Iterator[str]:
    number = f"{len(steps)} step{'s' * (len(steps) != 1)}"
    yield f"{name}: {part.label}, {number}{more}" if steps else f"{name}: at the very start"
    first = 0 if most is None else max(0, len(steps) - most)
    if first:
        yield f"  ... {first} steps before these"
    for place, step in enumerate(steps[first:], first + 1):
        by = " ".join(filter(None, (step.rule, step.citation)))
        yield f"  {place:>2}. {step.text}" + (f"  [{by}]" if by else "")
        if step.changes:
            yield f"      {'; '.join(step.changes)}"
        if step.through:
            yield f"      by way of {'; '.join(step.through)}"


def _advice(part: Part, does: str) -> str:
    if part.core.configuration.settings:
        return "as an example, which needs the scope's settings and goes otherwise with the usual ones:"
    return f"as an example: pasted into the rulebook it {does} there"


def unsettled(outcome: Outcome) -> list[Unsettled]:
    """What is neither settled nor broken by a play: claims with one reason together."""
    found: dict[tuple[str, str], list[list[At]]] = {}
    for at in _by_claim(outcome, _is_unsettled):
        stands = worst(verdict for _, verdict in at)
        found.setdefault((stands.verdict, stands.reason), []).append(at)
    entries = [
        Unsettled(
            worst(verdict for at in claims for _, verdict in at),
            tuple(words(at[0][1]).exact for at in claims),
            where([part for at in claims for part, _ in at]),
        )
        for claims in found.values()
    ]
    return [*entries, *_small(outcome)]


def _is_unsettled(verdict: Verdict) -> bool:
    if verdict.scope or verdict.verdict in GOOD or verdict.play is not None:
        return False
    return verdict.kind != "agreement" or verdict.verdict == "refuted"


def _small(outcome: Outcome) -> Iterator[Unsettled]:
    """What keeps small configurations from being visited whole."""
    for number, verdicts in sorted(outcome.verdicts.items()):
        part = outcome.parts[number]
        if part.scope and (stands := whole(verdicts)) and stands.verdict not in (*GOOD, "refuted"):
            yield Unsettled(stands, (f"the small game `{part.scope}`",), where([part]))


def plays(outcome: Outcome, verdict: str) -> list[Shown]:
    """A play for each claim that one breaks (`refuted`) or reaches (`proved`), where it is shortest; one play
    may break several claims."""
    found: dict[tuple[str, Play], list[list[At]]] = {}
    for at in _by_claim(outcome, lambda each: each.verdict == verdict and each.play is not None):
        part, stands = min(at, key=lambda each: (bool(each[0].scope), _length(each[1])))
        assert stands.play is not None
        found.setdefault((part.label, stands.play), []).append(at)
    return [
        Shown(
            tuple(words(at[0][1]).exact for at in claims),
            where([part for part, _ in claims[0]]),
            next(part for part, _ in claims[0] if part.label == label),
            play,
            verdict,
        )
        for (label, play), claims in found.items()
    ]


def _length(verdict: Verdict) -> int:
    return len(verdict.play.steps) if verdict.play else 0


def _by_claim(outcome: Outcome, wanted: Callable[[Verdict], bool]) -> list[list[At]]:
    """For each claim and verdict all places where it is wanted; what only sums up others that are there is
    left out."""
    found: dict[tuple[str, str], list[At]] = {}
    for number, verdicts in sorted(outcome.verdicts.items()):
        for verdict in verdicts:
            if wanted(verdict):
                same = found.setdefault((verdict.property, verdict.verdict), [])
                same.append((outcome.parts[number], verdict))
    kinds = {at[0][1].kind for (name, _), at in found.items() if name not in SUMMARIES}
    return [at for (name, _), at in found.items() if SUMMARIES.get(name) not in kinds]


def where(parts: Sequence[Part]) -> str:
    """`with 2 to 5 players`, and each reading that is changed or scope by itself."""
    plain = players_in([part.players for part in parts if not part.scope and not part.changed])
    others = list(dict.fromkeys(f"with {part.label}" for part in parts if part.changed))
    others += dict.fromkeys(f"in `{part.scope}`" for part in parts if part.scope)
    more = len(others) - PLACES
    told = [f"with {plain}"] if plain else []
    return "; ".join([*told, *others[:PLACES], *([f"and {more} more"] if more > 0 else [])])


def players_in(numbers: Sequence[int]) -> str:
    """`2 players`, `2 and 3 players`, `2 to 5 players`; nothing for none."""
    known = sorted(set(numbers))
    if not known:
        return ""
    if len(known) > 2 and known[-1] - known[0] == len(known) - 1:
        return f"{known[0]} to {known[-1]} players"
    listed = " and ".join(filter(None, (", ".join(map(str, known[:-1])), str(known[-1]))))
    return f"{listed} player{'s' * (known != [1])}"
