"""What never happens in a game, in the words of its rulebook: in one configuration, and all together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from rulespec.compiler.core import from_typed, survey
from rulespec.compiler.core.context import Settled
from rulespec.compiler.core.tree import Configuration, Core, Property
from rulespec.compiler.spans import Span
from rulespec.compiler.typed import tree as t
from rulespec.compiler.typed.premises import premises
from rulespec.proofs.vacuity.alike import SAME, alike
from rulespec.proofs.vacuity.look import NO_PLAY, PROVED, VISITED, Never, look
from rulespec.proofs.vacuity.plays import differ
from rulespec.proofs.vacuity.sites import Key, key, sites
from rulespec.proofs.verdicts import Limits
from rulespec.verifying.processes import Fault, Job, Tell, Workers, gather
from rulespec.verifying.work import Stage

if TYPE_CHECKING:
    from rulespec import api

SNIPPET = 60  # letters of the text that are quoted
COMPARED = "the cores compared"
DIFFERENT_PLAYS = 200  # after which two meanings that were played alike are looked at more closely
DIFFERENT_SECONDS = 4.0


@dataclass(frozen=True)
class Remark:
    """One thing that never happens. `what`: `rule option branch guard premise reading`.

    `text` says it in words; `method` and `count` how it is known (see `Never`). `covers` are the stretches of
    text that never happen with it. `where` are the numbers of players.
    """

    what: str
    text: str
    span: Span
    rule: str
    citation: str
    method: str
    count: int = 0
    covers: tuple[Span, ...] = ()
    where: tuple[int, ...] = ()
    place: Key | None = None  # in core, where it has one

    @property
    def is_certain(self) -> bool:
        return self.method != NO_PLAY

    @property
    def known(self) -> str:
        """How it is known, for people."""
        if self.method == NO_PLAY:
            return f"seen in none of {self.count:,} plays; it may happen all the same"
        return f"{self.method} ({self.count:,})" if self.count else self.method


@dataclass(frozen=True)
class Looked:
    """What one configuration has: what never happens there, and what does or may."""

    players: int
    remarks: tuple[Remark, ...]
    alive: frozenset[Key]


@dataclass
class Vacuity:
    """All that was found: `everywhere` in each configuration that has the place, `somewhere` not in all.

    `missing` configurations were not looked at to the end.
    """

    everywhere: list[Remark] = field(default_factory=list)
    somewhere: list[Remark] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    interrupted: bool = False
    missing: int = 0


@dataclass(frozen=True)
class VacuityJob:
    """Look for what never happens in one configuration."""

    game: str
    configuration: Configuration
    limits: Limits

    @property
    def seconds(self) -> float:
        return self.limits.patience

    def do(self, tell: Tell) -> Looked | None:
        from rulespec import api

        book = api.open_rulebook(self.game)
        if book.checked is None or book.checked.rulebook is None:
            return None
        rulebook = book.checked.rulebook
        core, _, settled = from_typed.compile_noting(rulebook, self.configuration)
        if core is None:
            return None
        asked = _premises(rulebook, self.configuration, core)
        never = look(core, settled, asked, self.limits, lambda *stage: tell(Stage(*stage)))
        words = Words(rulebook, book.sources)
        remarks = [*words.remarks(never), *_readings(rulebook, core, never, self.limits)]
        dead = {key(n.kind, n.origin) for n in never}
        alive = frozenset(k for k in sites(core) if k not in dead)
        own = [r for r in remarks if words.is_own(r.span)]
        players = self.configuration.players
        return Looked(players, tuple(replace(r, where=(players,)) for r in own), alive)


def _premises(rulebook: t.Rulebook, configuration: Configuration, core: Core) -> list[Property]:
    """The premises as conditions over the records of `core`."""
    asked = replace(rulebook, properties=premises(rulebook.properties))
    other, _ = from_typed.compile(asked, configuration)
    if other is None or other.slots != core.slots:
        return []
    return [p for p in other.properties if p.kind == "reachable"]


def _readings(rulebook: t.Rulebook, core: Core, never: Sequence[Never], limits: Limits) -> Iterator[Remark]:
    """Meanings of an open question that make no difference to the one that is taken."""
    taken = dict(core.configuration.readings)
    for reading in rulebook.readings:
        for meaning in reading.meanings:
            if meaning.name == taken[reading.name]:
                continue
            chosen = {**taken, reading.name: meaning.name}
            changed = replace(core.configuration, readings=tuple(chosen.items()))
            other, _, settled = from_typed.compile_noting(rulebook, changed)
            if other is None or differ(core, other, DIFFERENT_PLAYS, DIFFERENT_SECONDS):
                continue
            how, method = _alike(core, never, other, settled, limits)
            text = f"reading `{reading.name}`: it makes no difference to take it as `{meaning.name}`"
            text += f" instead of `{taken[reading.name]}`" + (f": {how}" if how else "")
            count = 0 if how else DIFFERENT_PLAYS
            yield Remark("reading", text, reading.span, "", str(reading.citation or ""), method, count)


def _alike(
    core: Core, never: Sequence[Never], other: Core, settled: Sequence[Settled], limits: Limits
) -> tuple[str, str]:
    """In which way two cores are one game, and how that is known; what differs may be in either."""
    how = alike(core, other, _gone(never))
    if how:
        return how, COMPARED if how == SAME else _weakest(never)
    there = look(other, settled, (), limits)
    how = alike(other, core, _gone(there))
    return how, _weakest(there) if how else NO_PLAY


def _gone(never: Iterable[Never]) -> set[Key]:
    return {key(n.kind, n.origin) for n in never if n.method != NO_PLAY}


def _weakest(never: Sequence[Never]) -> str:
    return next((n.method for n in never if n.method == VISITED), PROVED)


class Words:
    """Tells in words of the rulebook what never happens."""

    def __init__(self, rulebook: t.Rulebook, sources: Mapping[str, str]) -> None:
        self.rulebook = rulebook
        self.sources = sources
        self._titles = {r.base: r.title or r.base for r in rulebook.rules}
        self._rules = {r.span: r for r in rulebook.rules}
        found = list(survey.nodes(*(r.body for r in rulebook.rules)))
        self._conditions = {
            n.condition.span: n for n in found if isinstance(n, t.If | t.While) and n.condition is not None
        }
        self._options = {n.span: n for n in found if isinstance(n, t.Option)}

    def is_own(self, span: Span) -> bool:
        """Whether it is the game's own text, not the standard library's, which serves other games too."""
        from rulespec import library

        return not library.is_standard(span.file)

    def remarks(self, never: Sequence[Never]) -> list[Remark]:
        """What never happens by itself; what is within something that never happens goes without saying."""
        found = [r for n in never if (r := self._remark(n)) is not None]
        covered = [span for r in found if r.is_certain for span in r.covers]
        unseen = [span for r in found if not r.is_certain for span in r.covers]
        return [
            r
            for r in found
            if not any(_inside(r.span, span) for span in covered)
            and (r.is_certain or not any(_inside(r.span, span) for span in unseen))
        ]

    def _remark(self, never: Never) -> Remark | None:
        match never.kind:
            case "rule":
                rule = self._rules.get(never.origin.span)
                name = rule.base if rule else never.origin.rule
                text = _told(never, f"rule `{name}`", "never begins", "was not seen to begin")
                return self._made(never, "rule", text, (never.origin.span,))
            case "premise":
                stated = never.name.partition("#")[0]
                quoted = self.quoted(never.origin.span)
                nothing = f"holds in no position, so that `{stated}` says nothing there"
                text = _told(never, f"`{quoted}`", nothing, f"was not seen to hold, as `{stated}` supposes")
                return self._made(never, "premise", text)
            case "option" | "kept back":
                return self._option(never)
        return self._branch(never)

    def _option(self, never: Never) -> Remark | None:
        option = self._options.get(never.origin.span)
        if option is None:
            return None
        if never.kind == "option":
            text = _told(never, f"option `{option.name}`", "can never be chosen", "was not seen to be chosen")
            return self._made(never, "option", text, (option.span,))
        if option.guard is None:
            return None
        name = f"option `{option.name}` back"
        when = f"`when {self.quoted(option.guard.span)}`"
        text = _told(never, when, f"never keeps {name}", f"was not seen to keep {name}")
        return self._made(never, "guard", text, shown=option.guard.span)

    def _branch(self, never: Never) -> Remark | None:
        node = self._conditions.get(never.origin.span)
        if node is None:
            return None
        quoted = f"`{self.quoted(never.origin.span)}`"
        never_holds = _told(never, quoted, "never holds", "was not seen to hold")
        always_holds = _told(never, quoted, "always holds", "was not seen to fail")
        match never.kind, node:
            case "then", t.While():
                return self._made(never, "branch", f"{never_holds}: the loop is in vain", _spans(node.body))
            case "then", t.If():
                return self._made(
                    never, "branch", f"{never_holds}: what it leads to never happens", _spans(node.then)
                )
            case _, t.While():
                return self._made(never, "branch", f"{always_holds}: the loop is left by `stop` alone")
            case _, t.If(other=other) if other:
                return self._made(never, "branch", f"{always_holds}: the `else` is in vain", _spans(other))
        return self._made(never, "guard", f"{always_holds}: nothing depends on it")

    def _made(
        self, never: Never, what: str, text: str, covers: tuple[Span, ...] = (), shown: Span | None = None
    ) -> Remark:
        origin = never.origin
        rule = self._titles.get(origin.rule, origin.rule)
        cited = str(origin.citation or "")
        place = key(never.kind, origin)
        return Remark(
            what, text, shown or origin.span, rule, cited, never.method, never.count, covers, place=place
        )

    def quoted(self, span: Span) -> str:
        """What the text has there, on one line and not too long."""
        lines = self.sources.get(span.file, "").splitlines()[span.line - 1 : span.end_line]
        if not lines:
            return "..."
        lines[-1] = lines[-1][: span.end_column - 1]
        lines[0] = lines[0][span.column - 1 :]
        text = " ".join(" ".join(lines).split())
        return text if len(text) <= SNIPPET else f"{text[:SNIPPET].rstrip()} ..."


def _told(never: Never, subject: str, certain: str, unseen: str) -> str:
    return f"{subject} {unseen if never.method == NO_PLAY else certain}"


def _spans(body: Iterable[t.Statement]) -> tuple[Span, ...]:
    return tuple(statement.span for statement in body)


def _inside(inner: Span, outer: Span) -> bool:
    """Whether it lies within, and is not the same."""
    if inner.file != outer.file or inner == outer:
        return False
    starts = (outer.line, outer.column) <= (inner.line, inner.column)
    return starts and (inner.end_line, inner.end_column) <= (outer.end_line, outer.end_column)


# --- all together -------------------------------------------------------------------------------------------


def uncalled(rulebook: t.Rulebook, words: Words) -> list[Remark]:
    """Rules that play never comes to, whatever the configuration: nothing that it comes to calls them."""
    rules = {rule.name: rule for rule in rulebook.rules}
    reached: list[str] = [name for name in ("setup", "play") if name in rules]
    for name in reached:
        calls = (n.rule for n in survey.nodes(rules[name].body) if isinstance(n, t.CallRule))
        reached.extend(dict.fromkeys(called for called in calls if called not in reached))
    bases = {rules[name].base for name in reached}
    found: dict[str, Remark] = {}
    for rule in rulebook.rules:
        if rule.base not in bases and words.is_own(rule.span):
            text = f"rule `{rule.base}` never begins: nothing that play comes to calls it"
            title = rule.title or rule.base
            found.setdefault(
                rule.base, Remark("rule", text, rule.span, title, str(rule.citation or ""), PROVED, 0)
            )
    return list(found.values())


def together(looked: Sequence[Looked]) -> Vacuity:
    """What never happens in any configuration that was looked at, and what only in some."""
    by_place: dict[tuple[str, Span, Key | str], list[Remark]] = {}
    for each in looked:
        for remark in each.remarks:
            by_place.setdefault((remark.what, remark.span, remark.place or remark.text), []).append(remark)
    found = Vacuity()
    for (what, _, _), same in by_place.items():
        weakest = next((r for r in same if not r.is_certain), same[0])
        players = tuple(sorted({n for r in same for n in r.where}))
        joined = replace(weakest, where=players)
        elsewhere = len(same) < len(looked) if what in ("premise", "reading") else _is_alive(same, looked)
        (found.somewhere if elsewhere else found.everywhere).append(joined)
    return found


def _is_alive(same: Sequence[Remark], looked: Sequence[Looked]) -> bool:
    return any(r.place in each.alive for each in looked for r in same)


def run(
    book: api.Book,
    game: str,
    configurations: Sequence[Configuration],
    limits: Limits,
    workers: Workers,
    tell: Callable[[str], None],
) -> Vacuity:
    """Look at each configuration; after Ctrl-C what is finished by then."""
    assert book.checked is not None
    assert book.checked.rulebook is not None
    jobs: dict[int, Job] = {n: VacuityJob(game, c, limits) for n, c in enumerate(configurations)}
    came = gather(jobs, workers, tell=lambda job, stage: tell(stage.text))
    looked = [came.results[n] for n in sorted(came.results) if came.results[n] is not None]
    result = together(looked)
    words = Words(book.checked.rulebook, book.sources)
    result.everywhere[:0] = uncalled(book.checked.rulebook, words)
    result.faults, result.interrupted = came.faults, came.interrupted
    result.missing = len(jobs) - len(looked)
    return result
