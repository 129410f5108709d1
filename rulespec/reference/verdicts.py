"""What is claimed of a game and how each claim stands, as far as the lock file still vouches for it.

Nothing is proved here. A verdict that the lock file has for rules that have changed since is stale: it is
kept, so that it can be told that there was one, and never counts as standing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from rulespec.api import Book
from rulespec.compiler.core.tree import Configuration, Core
from rulespec.compiler.spans import Citation, Span
from rulespec.compiler.typed.tree import Property
from rulespec.outline import Outline
from rulespec.proofs.claims import Claim, Claims
from rulespec.proofs.saved import from_data
from rulespec.proofs.verdicts import Limits, Verdict, of
from rulespec.reference.about import About
from rulespec.verifying import ledger as ledgers
from rulespec.verifying.before import Known
from rulespec.verifying.ledger import Ledger
from rulespec.verifying.lock import NAME, Entry, Run, Unusable
from rulespec.verifying.plan import Part
from rulespec.verifying.wording import GROUPS, SUMMARIES, Words, capital, words
from rulespec.verifying.work import AGREEMENT

STALE = "stale"
ABSENT = "not verified"
# How a claim stands as a whole is the first of these that it is anywhere.
WORST_FIRST = (
    "refuted", "unknown", STALE, ABSENT, "sampled", "bounded", "vacuous", "exhaustive", "proved",
)  # fmt: skip
MOST_PLACES = 60  # configurations with other readings or variants that are looked at

CoreOf = Callable[[Configuration], Core]

# What a run tried counts as enough, however short it was: here it is told, and not tried again.
_ANY_LIMITS = Limits(0.0, 0.0, 0.0, 0.0, 0.0, 0, 0, 0, 0.0, 0.0, 0, 0, 0.0, 0.0)


@dataclass(frozen=True)
class Place:
    """A configuration. `label` is as in the lock file: `3 players`, `pocket (2 players)`, `2 players, bank =
    limited`; `usual`: with the default readings, without variants, and no small game."""

    label: str
    players: int
    scope: str
    usual: bool


@dataclass(frozen=True)
class Standing:
    """How a claim stands in one place. `word` is a verdict, `STALE` or `ABSENT`.

    `verdict` is what the lock file has, None where that is nothing; where it is stale, `why` says what it
    does not fit any more, and its play is not told. `run` is what found it.
    """

    place: Place
    word: str
    verdict: Verdict | None = None
    run: Run | None = None
    why: str = ""


@dataclass(frozen=True)
class Claimed:
    """A claim in all its places.

    `rules` are those that it is about: where its loop, choice or check stands. `touching` are those that
    change what it speaks of. `stated` is the declaration's place in the rulebook, if it has one of its own.
    """

    name: str
    kind: str
    words: Words
    standings: tuple[Standing, ...]
    rules: tuple[str, ...] = ()
    touching: tuple[str, ...] = ()
    stated: Span | None = None
    citation: Citation | None = None
    parts: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        return capital(self.words.label)

    @property
    def word(self) -> str:
        """How it stands as a whole: as where it stands worst, of the usual places if it stands there."""
        usual = [standing for standing in self.standings if standing.place.usual]
        found = {standing.word for standing in usual or self.standings}
        return next((word for word in WORST_FIRST if word in found), ABSENT)

    @property
    def refuted_elsewhere(self) -> tuple[Place, ...]:
        """Small games, and other readings and variants, where it does not hold."""
        return tuple(each.place for each in self.standings if each.word == "refuted" and not each.place.usual)

    @property
    def declared(self) -> str:
        """The name that the rulebook declares it under, "" for what every game must have."""
        return self.name.partition(" ")[2] if self.kind in ("invariant", "bound", "reachable") else ""

    def at(self, place: Place) -> Standing | None:
        return next((each for each in self.standings if each.place == place), None)


@dataclass(frozen=True)
class Verdicts:
    """All claims, in the order of `rulespec verify`'s table.

    `problem` is why the lock file cannot be used, if so; `wrong` has a sentence for each of its lines that is
    not as it was written; `left_out` is the number of configurations in it that were not looked at.
    """

    claims: tuple[Claimed, ...] = ()
    places: tuple[Place, ...] = ()
    problem: str = ""
    wrong: tuple[str, ...] = ()
    left_out: int = 0
    examples_held: int | None = None

    @cached_property
    def named(self) -> Mapping[str, Claimed]:
        return {claimed.name: claimed for claimed in self.claims}

    def of_rule(self, rule: str) -> tuple[Claimed, ...]:
        """Those that are about a rule."""
        return self._by_rule.get(rule, ())

    def touched_by(self, rule: str) -> tuple[Claimed, ...]:
        """Those that speak of what a rule changes, and are not about it alone."""
        return self._by_touching.get(rule, ())

    @cached_property
    def _by_rule(self) -> Mapping[str, tuple[Claimed, ...]]:
        return _gathered((rule, claimed) for claimed in self.claims for rule in claimed.rules)

    @cached_property
    def _by_touching(self) -> Mapping[str, tuple[Claimed, ...]]:
        return _gathered((rule, claimed) for claimed in self.claims for rule in claimed.touching)


def _gathered(pairs: Iterable[tuple[str, Claimed]]) -> dict[str, tuple[Claimed, ...]]:
    found: dict[str, list[Claimed]] = {}
    for rule, claimed in pairs:
        found.setdefault(rule, []).append(claimed)
    return {rule: tuple(claims) for rule, claims in found.items()}


def verdicts(book: Book, core_of: CoreOf) -> Verdicts:
    """What is known of a rulebook without errors; `core_of` gives the core of a configuration of it."""
    assert book.path is not None
    assert book.outline is not None
    problem, ledger = "", None
    try:
        ledger = Ledger(book, _ANY_LIMITS, writes=False)
    except Unusable as error:
        problem = str(error).replace(str(book.path.parent / NAME), NAME)
    others, left_out = _others(book, ledger)
    usual = (book.configuration(players=number) for number in _numbers(book.outline))
    scopes = ((book.configuration(scope=scope.name), scope.name) for scope in book.outline.scopes)
    places = dict.fromkeys([*((configuration, "") for configuration in usual), *scopes, *others])
    reading = _Reading(book, ledger)
    for configuration, scope in places:
        reading.add(Part(core_of(configuration), scope, sources=book.sources))
    wrong = () if ledger is None else tuple(ledger.wrong)
    held = None if ledger is None else ledger.examples()
    return Verdicts(reading.claimed(), tuple(reading.places), problem, wrong, left_out, held)


def _numbers(outline: Outline) -> range:
    low, high = outline.players
    return range(low, high + 1)


def _others(book: Book, ledger: Ledger | None) -> tuple[list[tuple[Configuration, str]], int]:
    """The configurations that the lock file speaks of, with their scopes, and how many more there are."""
    found: dict[tuple[Configuration, str], None] = {}
    for lock in ledger.locks if ledger else ():
        for name, label in lock.sections:
            place = ledgers.configuration(label, book) if ledger and name == ledger.name else None
            if place is not None:
                found[place] = None
    return list(found)[:MOST_PLACES], max(0, len(found) - MOST_PLACES)


class _Reading:
    """Gathers how each claim stands, place by place."""

    def __init__(self, book: Book, ledger: Ledger | None) -> None:
        assert book.outline is not None
        self.book = book
        self.outline = book.outline
        self.ledger = ledger
        self.places: list[Place] = []
        self._found: dict[str, tuple[Claim, Verdict]] = {}
        self._standings: dict[str, list[Standing]] = {}
        self._rules: dict[str, dict[str, None]] = {}
        self._touching: dict[str, dict[str, None]] = {}

    def add(self, part: Part) -> None:
        """Take in a configuration."""
        configuration = part.core.configuration
        label = ledgers.label(part, self.outline)
        usual = configuration == self.book.configuration(players=part.players) if not part.scope else False
        place = Place(label, part.players, part.scope, usual)
        self.places.append(place)
        claims = Claims(part.core)
        about = About(part.core, claims)
        for claim, standing in self._standing(part, place, claims):
            told = standing.verdict or _unknown(configuration, claim)
            self._found.setdefault(claim.name, (claim, told))
            self._standings.setdefault(claim.name, []).append(standing)
            self._rules.setdefault(claim.name, {}).update(dict.fromkeys(about.rules(claim)))
            self._touching.setdefault(claim.name, {}).update(dict.fromkeys(about.touching(claim)))

    def _standing(self, part: Part, place: Place, claims: Claims) -> Iterator[tuple[Claim, Standing]]:
        """Each claim of a part with how it stands there."""
        known = Known() if self.ledger is None else self.ledger.known(part, not part.scope)
        entries = self._entries(place)
        unseen = [name for name in known.open if name in entries and name not in claims.all]
        names = dict.fromkeys([AGREEMENT.name, *claims.all, *known.verdicts, *unseen])
        for name in names:
            claim = AGREEMENT if name == AGREEMENT.name else claims.named(name)
            entry = entries.get(name)
            if claim is None or (claim is AGREEMENT and (part.scope or entry is None)):
                continue
            if (verdict := known.verdicts.get(name)) is not None:
                yield claim, Standing(place, verdict.verdict, verdict, entry.run if entry else None)
            elif entry is not None:
                yield claim, self._stale(part, place, claim, entry, known.open.get(name, ledgers.CHANGED))
            elif name in known.open or not known.verdicts:
                yield claim, Standing(place, ABSENT)

    def _entries(self, place: Place) -> Mapping[str, Entry]:
        """What lock files have on a place, whether it holds or not."""
        found: dict[str, Entry] = {}
        for lock in reversed(self.ledger.locks) if self.ledger else ():
            assert self.ledger is not None
            section = lock.sections.get((self.ledger.name, place.label))
            found |= section.entries if section else {}
        return found

    def _stale(self, part: Part, place: Place, claim: Claim, entry: Entry, why: str) -> Standing:
        try:
            verdict = from_data(entry.verdict, part.core.configuration, claim, part.scope)
        except ValueError:
            return Standing(place, STALE, None, entry.run, why)
        return Standing(place, STALE, replace(verdict, play=None), entry.run, why)

    def claimed(self) -> tuple[Claimed, ...]:
        """All claims, in the order of the table."""
        order = list(GROUPS)
        stated = {(p.kind, p.name): p.span for p in self._properties()}
        made = [self._claimed(claim, told, stated) for claim, told in self._found.values()]
        return tuple(
            sorted(made, key=lambda each: (order.index(each.words.group), each.name not in SUMMARIES))
        )

    def _properties(self) -> tuple[Property, ...]:
        checked = self.book.checked
        return checked.rulebook.properties if checked and checked.rulebook else ()

    def _claimed(self, claim: Claim, told: Verdict, stated: Mapping[tuple[str, str], Span]) -> Claimed:
        name = claim.name
        return Claimed(
            name,
            claim.kind,
            words(told),
            tuple(self._standings[name]),
            tuple(self._rules[name]),
            tuple(self._touching[name]),
            stated.get((claim.kind, name.partition(" ")[2])),
            claim.origin.citation,
            claim.parts,
        )


def _unknown(configuration: Configuration, claim: Claim) -> Verdict:
    """No more than what a claim is called."""
    return of(
        configuration,
        property=claim.name,
        kind=claim.kind,
        verdict="unknown",
        method="",
        seconds=0.0,
        title=claim.title,
    )
