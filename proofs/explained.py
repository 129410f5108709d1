"""Why a claim holds: the facts behind it in the rules' language, where they hold, and what keeps them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from rulespec.compiler.core.tree import Core
from rulespec.proofs.claims import Claims, rule_of
from rulespec.proofs.smt.certificate import Certificate, Slice
from rulespec.proofs.smt.houdini import Step
from rulespec.proofs.smt.narrow import Narrow
from rulespec.proofs.smt.paths import Location
from rulespec.proofs.smt.terms import Term
from rulespec.proofs.smt.wording import Wording

LONG = 70  # letters of a new value that are shown
SHOWN = 6  # changes of one path that are shown
MOST_FACTS = 12  # facts behind one claim where they are told in brief
FEW_PLACES = 2  # places that are named there
HERE = "    # "  # between a fact and its places
ITSELF = "the path itself"


@dataclass(frozen=True)
class Fact:
    """What holds at the `places`. `label` is what it is called elsewhere; `own`: the claim says it itself."""

    label: str
    text: str
    places: tuple[str, ...]
    own: bool


@dataclass(frozen=True)
class Kept:
    """`count` paths that go the same way: what they change, and why which facts hold at their end."""

    path: tuple[str, ...]
    count: int
    changes: tuple[str, ...]
    reasons: tuple[str, ...]


@dataclass(frozen=True)
class Explained:
    """One claim. `why_not` if it is not proved: then there is nothing else, but for how it is known
    `otherwise`.

    `everywhere` is the number of all places; `untouched` of paths that change nothing that a fact is about.
    `met` are the claim's own obligations, each with the facts that it follows from.
    """

    claim: str
    kind: str
    title: str
    players: int
    otherwise: str = ""
    why_not: str = ""
    everywhere: int = 0
    facts: tuple[Fact, ...] = ()
    untouched: int = 0
    kept: tuple[Kept, ...] = ()
    met: tuple[str, ...] = ()


def explain(
    core: Core, claims: Claims, certificate: Certificate, claim: str, proved: Iterable[str], seconds: float
) -> Explained:
    """Of a claim that is proved, with its parts where it sums up others."""
    known = set(proved)
    names = [name for name in (claim, *claims.all[claim].parts) if name in known]
    narrow = Narrow(certificate, seconds)
    wording = Wording(core, claims, certificate)
    return _Explaining(wording, narrow, narrow.slice(names), names).all(claim)


def rests_on(
    core: Core,
    claims: Claims,
    certificate: Certificate,
    proved: Sequence[str],
    seconds: float,
    progress: Callable[[str, int, int], None],
) -> dict[str, tuple[str, ...]]:
    """For each claim that is proved and sums up no others, the facts behind it: `FACT    # PLACES`.

    After `seconds` of one processor they are those that the proof leant on, needed or not.
    """
    narrow, wording = Narrow(certificate, seconds), Wording(core, claims, certificate)
    everywhere = len(_places(certificate, wording))
    found: dict[str, tuple[str, ...]] = {}
    for number, name in enumerate(proved):
        progress("finding what each proof rests on", number, len(proved))
        if not claims.all[name].parts:
            facts = _Explaining(wording, narrow, narrow.slice([name]), [name]).facts()
            found[name] = tuple(_briefly(facts, everywhere))
    return found


def _places(certificate: Certificate, wording: Wording) -> set[str]:
    """All places that there are."""
    return {wording.place(step.edge.target, apart=False) for step in certificate.steps}


def _briefly(facts: Sequence[Fact], everywhere: int) -> Iterator[str]:
    for fact in facts[:MOST_FACTS]:
        few = len(fact.places) <= FEW_PLACES
        where = "; ".join(fact.places) if few else f"at {len(fact.places)} of {everywhere} places"
        own = "the claim itself, " if fact.own else ""
        yield f"{fact.text}{HERE}{own}{'everywhere' if len(fact.places) == everywhere else where}"
    if len(facts) > MOST_FACTS:
        yield f"and {len(facts) - MOST_FACTS} more"


class _Explaining:
    def __init__(self, wording: Wording, narrow: Narrow, found: Slice, names: Sequence[str]) -> None:
        self.core = wording.core
        self.claims = wording.claims
        self.certificate = wording.certificate
        self.wording = wording
        self.narrow = narrow
        self.terms = wording.certificate.terms
        self.found = found
        self.own = {fact for name in names for _, fact in self.certificate.held.get(name, ())}
        self.label: dict[Term, str] = {}

    def facts(self) -> tuple[Fact, ...]:
        """What holds, and where."""
        return tuple(self._facts())

    def all(self, claim: str) -> Explained:
        facts = self.facts()
        used = [s for s in self.certificate.steps if s.number in self.found.steps]
        touched = [s for s in used if any(self._touches(s, f) for f in self.found.steps[s.number])]
        return Explained(
            claim,
            self.claims.all[claim].kind,
            self.claims.all[claim].title,
            self.core.configuration.players,
            everywhere=len(_places(self.certificate, self.wording)),
            facts=facts,
            untouched=len(used) - len(touched),
            kept=tuple(self._kept(touched)),
            met=tuple(self._met()),
        )

    # --- facts ---------------------------------------------------------------------------------------------

    def _facts(self) -> Iterator[Fact]:
        """Those with the same places and the same words together, the claim's own first."""
        places: dict[Term, list[Location]] = {}
        for location in sorted(self.found.facts):
            for fact in sorted(self.found.facts[location]):
                places.setdefault(fact, []).append(location)
        groups: dict[tuple[bool, tuple[Location, ...]], list[Term]] = {}
        for fact, where in places.items():
            groups.setdefault((fact not in self.own, tuple(where)), []).append(fact)
        number = 0
        ordered = sorted(groups.items(), key=lambda item: (item[0][0], -len(item[0][1])))
        for (helper, locations), facts in ordered:
            told = tuple(dict.fromkeys(self._place(location) for location in locations))
            for family in self.wording.language.families(facts):
                number += 1
                self.label.update(dict.fromkeys(family.terms, f"F{number}"))
                text = self.wording.language.quantified("all", family)
                yield Fact(f"F{number}", text, told, not helper)

    def _place(self, location: Location) -> str:
        return self.wording.place(location, apart=False)

    def _labels(self, facts: Iterable[Term]) -> str:
        found = {self.label[fact] for fact in facts}
        return ", ".join(sorted(found, key=lambda label: int(label[1:])))

    # --- paths ---------------------------------------------------------------------------------------------

    def _touches(self, step: Step, fact: Term) -> bool:
        goal = self.terms.substitute(fact, step.store, step.memo)
        return goal is not fact

    def _kept(self, steps: Sequence[Step]) -> Iterator[Kept]:
        alike: dict[tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]], int] = {}
        for step in steps:
            key = self._way(step), tuple(self._changes(step)), tuple(self._reasons(step))
            alike[key] = alike.get(key, 0) + 1
        for (path, changes, reasons), count in alike.items():
            yield Kept(path, count, changes, reasons)

    def _way(self, step: Step) -> tuple[str, ...]:
        edge = step.edge
        passed = dict.fromkeys(rule_of(self.core.block[b]) for b in edge.trail if b in self.core.block)
        rules = [self.wording.rule_named(name) for name in passed if name]
        chosen = f", `{edge.label}`" if edge.label else ""
        return (
            f"from {self._place(edge.source)}{chosen}",
            *(f"by way of {rule}" for rule in rules),
            f"to {self._place(edge.target)}",
        )

    def _changes(self, step: Step) -> Iterator[str]:
        """What the path makes of the elements that facts at its end are about."""
        about = frozenset().union(*(fact.variables for fact in self.found.steps[step.number]))
        changed = [key for key in sorted(about & step.store.keys()) if key in self.wording.symbols]
        for number, key in enumerate(changed):
            if number == SHOWN:
                yield f"and {len(changed) - SHOWN} more"
                return
            yield self._change(key, step.store[key])

    def _change(self, key: int, value: Term) -> str:
        """The new value, or where that is long, by how much it may be another."""
        name = self.wording.symbols[key]
        text = self.wording.language.say(value)
        if len(text) <= LONG:
            return f"{name} := {text}"
        low, high = self.terms.range_of.get(key, (None, None))
        old = self.terms.variable(key, low, high, name)
        by = self.terms.sub(value, old)
        if by.low is None or by.high is None:
            return f"{name} changes"
        return f"{name} changes by {by.low}" + (f"..{by.high}" if by.low != by.high else "")

    def _reasons(self, step: Step) -> Iterator[str]:
        """For the facts at its end, by what they lean on: `F1 by F1, F3`."""
        by_lean: dict[str, list[Term]] = {}
        for fact in sorted(self.found.steps[step.number]):
            lean = self.narrow.lean(step, fact)
            if self._touches(step, fact):
                by_lean.setdefault(self._labels(lean), []).append(fact)
        if step.edge.source.kind != "start":
            yield from (f"{self._labels(f)} by {lean or ITSELF}" for lean, f in by_lean.items())
        elif by_lean:
            yield f"{self._labels(f for facts in by_lean.values() for f in facts)} by how the game begins"

    # --- what is met ---------------------------------------------------------------------------------------

    def _met(self) -> Iterator[str]:
        told: dict[str, int] = {}
        for met in self.found.met:
            if met.kind == "path":
                continue
            place = self._place(met.location)
            facts = self._labels(fact for _, fact in met.needs) or ITSELF
            text = f"{self.wording.met(met)}; {place}: by {facts}"
            told[text] = told.get(text, 0) + 1
        yield from (text + (f" ({count} times)" if count > 1 else "") for text, count in told.items())


def lines(explained: Explained) -> Iterator[str]:
    """For people to read."""
    title = f" ({explained.title})" if explained.title else ""
    yield f"{explained.claim}{title}, with {explained.players} players"
    yield ""
    if explained.otherwise:
        yield f"{explained.otherwise[0].upper()}{explained.otherwise[1:]}."
    if explained.why_not:
        missing = "No proof of it was found besides" if explained.otherwise else "It is not proved"
        yield f"{missing}: {explained.why_not}"
    if explained.otherwise or explained.why_not:
        return
    if explained.kind == "reachable":
        yield "It is proved that no play comes to it."
        yield ""
    if not explained.facts and not explained.met:
        seen = "Whoever is asked sees all that the ranges and guards of the options read."
        form = "It follows from the ranges of the variables alone, or from which rules can come to which."
        yield seen if explained.kind == "information" else form
        return
    yield from _facts(explained)
    yield from _paths(explained)
    if explained.met:
        yield "What the rules have to meet, and from what it follows:"
        yield from (f"  {text}" for text in explained.met)


def _facts(explained: Explained) -> Iterator[str]:
    if not explained.facts:
        return
    yield "Facts, which hold whenever play comes to their places:"
    for fact in explained.facts:
        yield f"  {fact.label:<4} {fact.text}{'   (the claim itself)' if fact.own else ''}"
        if len(fact.places) > 4:
            yield f"       at {len(fact.places)} places of {explained.everywhere}"
        else:
            yield from (f"       {place}" for place in fact.places)
    yield ""


def _paths(explained: Explained) -> Iterator[str]:
    if explained.untouched:
        yield f"{explained.untouched} paths leave all that the facts at their end say as it was."
        yield ""
    for kept in explained.kept:
        first, *rest = kept.path
        yield f"{first}{f'   ({kept.count} such paths)' if kept.count > 1 else ''}"
        yield from (f"  {part}" for part in rest)
        yield from (f"    {change}" for change in kept.changes)
        yield from (f"  keeps {reason}" for reason in kept.reasons)
        yield ""
