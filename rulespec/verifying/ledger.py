"""What a lock file spares: which verdicts hold of the rules as they are, and which are to be found anew.

A verdict is taken over when what it depends on has the same hash as when it was found; one that rests on a
play, when the play still does what it did. What was left open is tried again by another solver or with more
time. `docs/how-to/verify.md` has the rules in full.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from rulespec import cache, library, whole_file
from rulespec.api import Book
from rulespec.collection import no_collection
from rulespec.compiler.core.tree import Configuration
from rulespec.outline import Outline
from rulespec.proofs.claims import Claim, Claims
from rulespec.proofs.cone import HOLDS, NO_STUMBLE, Cones
from rulespec.proofs.counterexample import Replayer
from rulespec.proofs.saved import SETTLED, VERIFIER, from_data, replayed, solver, to_data
from rulespec.proofs.verdicts import Limits, Play, Verdict
from rulespec.verifying import lock
from rulespec.verifying.before import Before, Known
from rulespec.verifying.lock import Entry, Held, Lock, Run, Section
from rulespec.verifying.plan import Part
from rulespec.verifying.work import AGREEMENT

DIGITS = 16  # of a hash, which guards against accidents alone

NAMED = 5  # claims named where several are behind for the same reason

MISSING = "not there"
CHANGED = "the rules have changed"
UNPLAYED = "the play does not show it any more"
OTHER_VERIFIER = "found by another edition of the verifier"
OTHER_RULESPEC = "found by another version of rulespec"
OPEN = "left open by another solver, or with less time or memory"
UNREADABLE = "not readable"


@dataclass(frozen=True)
class Place:
    """The lock files of a rulebook: those that are read, the first before the others, and the one that is
    written, None for none."""

    read: tuple[Path, ...]
    written: Path | None


def place(rulebook: Path) -> Place:
    """Beside the rulebook where that may be written; else, and for the games of an installed rulespec, in the
    folder where results are kept for this user."""
    beside = rulebook.parent / lock.NAME
    cloned = (library.PACKAGE.parent / "pyproject.toml").is_file()
    installed = library.PACKAGE in rulebook.parents and not cloned
    if not installed and os.access(rulebook.parent, os.W_OK):
        return Place((beside,), beside)
    root = cache.root()
    if root is None:
        return Place((beside,), None)
    own = root / "locks" / cache.key(os.path.realpath(rulebook.parent))[:DIGITS] / lock.NAME
    return Place((own, beside), own)


class Ledger:
    """The lock files of one rulebook, while it is verified: those in the usual place, if no other is given.

    `fresh`: nothing in them is taken over.

    Raises:
        Unusable: see `lock.read`.
    """

    def __init__(
        self,
        book: Book,
        limits: Limits,
        *,
        fresh: bool = False,
        writes: bool = True,
        files: Place | None = None,
    ) -> None:
        assert book.path is not None
        assert book.outline is not None
        self.book = book
        self.outline: Outline = book.outline
        self.name = book.path.name
        self.place = files or place(book.path)
        self.writes = writes and self.place.written is not None
        self.fresh = fresh
        self.locks = [lock.read(path) for path in self.place.read]
        self.wrong = [sentence for each in self.locks for sentence in each.wrong]
        self.unwritten = ""  # why the file could not be written, if so
        self.run = Run(_today(), version("rulespec"), VERIFIER, solver(), _numbers(limits))
        self._hashes: dict[int, str] = {}
        self._known_cones: dict[int, Cones] = {}
        self._sections: dict[tuple[str, str], Section] = {}
        self._examples: dict[str, Held] = {}

    # --- what is known -------------------------------------------------------------------------------------

    def known(self, part: Part, games: bool) -> Known:
        """What still holds of a part; `games`: its games in both engines are wanted too."""
        if self.fresh:
            return Known()
        core = self._hash(part)
        section = self._section(part, core)
        claims = Claims(part.core)
        names = self._names(part, section, core, claims, games)
        judge = _Judge(self, part, core, claims, section.whole == core)
        found: dict[str, Verdict] = {}
        open_claims: dict[str, str] = {}
        for name in names:
            judged = judge.judge(name, section.entries.get(name))
            if isinstance(judged, Verdict):
                found[name] = judged
            else:
                open_claims[name] = judged
        if not section.entries:
            open_claims = dict.fromkeys(open_claims, MISSING)
        if not found or (part.scope and open_claims):  # a small game is visited for all its claims at once
            return Known(open=open_claims)
        entries = {name: judge.now(section.entries[name], verdict) for name, verdict in found.items()}
        return Known(found, open_claims, False, entries)

    def _section(self, part: Part, core: str) -> Section:
        where = self.name, label(part, self.outline)
        found = [each.sections[where] for each in self.locks if where in each.sections]
        return next((each for each in found if each.whole == core), found[0] if found else Section())

    def _names(self, part: Part, section: Section, core: str, claims: Claims, games: bool) -> Iterable[str]:
        rules = part.core.rules
        if part.properties is not None:
            names: Iterable[str] = part.properties
        elif section.whole == core:
            names = section.entries
        else:
            # Some claims come into being only where the prover finds that there is something to check.
            names = [*claims.all, *(claims.checks_of(rule) for rule in ("", *(r.name for r in rules)))]
        return dict.fromkeys([*([AGREEMENT.name] if games else []), *names])

    def _hash(self, part: Part) -> str:
        found = self._hashes.get(id(part.core))
        if found is None:
            found = self._hashes[id(part.core)] = self.book.core_hash(part.core)[:DIGITS]
        return found

    def examples(self) -> int | None:
        """How many examples hold, if that is known."""
        for each in self.locks if not self.fresh else ():
            held = each.examples.get(self.name)
            if held is not None and held.rules == self.book.rules_hash and self._is_of_this(held.run):
                return held.number
        return None

    def _is_of_this(self, run: Run) -> bool:
        return (run.rulespec, run.verifier) == (self.run.rulespec, VERIFIER)

    # --- what is found -------------------------------------------------------------------------------------

    def keep(self, part: Part, known: Known, found: Sequence[Verdict]) -> None:
        """Write down what is now known of a part, at once."""
        core = self._hash(part)
        cones = self._cones(part, known, found)
        fresh = {
            v.property: Entry(v.property, to_data(v), core, cones.get(v.property, ""), self.run)
            for v in found
        }
        earlier = self._section(part, core)
        entries = {**known.entries, **fresh}
        whole = core
        if part.properties is not None:
            entries = {**earlier.entries, **entries}
            whole = core if earlier.whole == core else ""
        self._put((self.name, label(part, self.outline)), Section(entries, whole))

    def _cones(self, part: Part, known: Known, found: Sequence[Verdict]) -> dict[str, str]:
        """The hash of what each of these verdicts depends on, if that is less than the whole.

        It must be known of the whole that no play stumbles or goes on for ever: see `proofs.cone`.
        """
        everything = [*found, *known.verdicts.values()]
        sure = all(v.verdict in HOLDS for v in everything if v.kind in NO_STUMBLE)
        if part.scope or part.properties is not None or not sure:
            return {}
        cones = self._cones_of(part)
        holds = (v for v in found if v.verdict in HOLDS and v.play is None)
        claims = {v.property: cones.claims.named(v.property) for v in holds}
        return {name: cones.hash(claim)[:DIGITS] for name, claim in claims.items() if claim is not None}

    def _cones_of(self, part: Part) -> Cones:
        found = self._known_cones.get(id(part.core))
        if found is None:
            found = self._known_cones[id(part.core)] = Cones(part.core, Claims(part.core))
        return found

    def keep_examples(self, number: int) -> None:
        """Write down that all examples hold."""
        held = Held(number, self.book.rules_hash, self.run)
        self._examples[self.name] = held
        self._write()

    def _put(self, where: tuple[str, str], section: Section) -> None:
        self._sections[where] = section
        self._write()

    def _write(self) -> None:
        """With what is in the file by now: another run may have written there."""
        path = self.place.written
        if not self.writes or path is None:
            return
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            there = lock.read(path)
            sections = {where: section for where, section in there.sections.items() if self._is_of_use(where)}
            made = Lock({**sections, **self._sections}, {**there.examples, **self._examples})
            if made != there or there.wrong:
                lock.write(path, made)
            self.unwritten = ""
        except OSError as error:
            self.unwritten = f"`{path}` cannot be written: {(error.strerror or str(error)).lower()}"
        except (whole_file.Unwritable, lock.Unusable) as error:
            self.unwritten = str(error)

    def _is_of_use(self, where: tuple[str, str]) -> bool:
        """Whether there still is such a configuration."""
        book, place = where
        return book != self.name or is_possible(place, self.outline)


class _Judge:
    """Says of entries on one part whether they still hold."""

    def __init__(self, ledger: Ledger, part: Part, core: str, claims: Claims, whole: bool) -> None:
        self.ledger = ledger
        self.part = part
        self.core = core
        self.claims = claims
        self.whole = whole
        self._replayer: Replayer | None = None

    def judge(self, name: str, entry: Entry | None) -> Verdict | str:
        """The verdict, or why it does not stand."""
        claim = AGREEMENT if name == AGREEMENT.name else self.claims.named(name)
        if entry is None or claim is None:
            return MISSING if name in self.claims.all or claim is AGREEMENT else CHANGED
        try:
            configuration = self.part.core.configuration
            verdict = from_data(entry.verdict, configuration, claim, self.part.scope)
        except ValueError:
            return UNREADABLE
        worst = next((part for part in claim.parts if verdict.reason.startswith(f"{part}: ")), None)
        if worst is not None:  # of which the whole then is
            verdict = replace(verdict, origin=self.claims.all[worst].origin)
        if entry.run.verifier != VERIFIER:
            return OTHER_VERIFIER
        if claim is AGREEMENT and not self.ledger._is_of_this(entry.run):
            return OTHER_RULESPEC
        if claim is not AGREEMENT and verdict.verdict not in SETTLED and not self._tried(entry.run):
            return OPEN
        same = self.whole or entry.core == self.core
        if not same and verdict.play is None and not self._is_in_the_cone(entry, claim):
            return CHANGED
        if verdict.play is not None:
            shown = replayed(verdict, self._replay(), claim)
            if shown is None:
                return UNPLAYED
            # In changed rules there may be a shorter play.
            verdict = shown if same or shown.play is None else _perhaps_longer(shown, shown.play)
        return replace(verdict, locked=entry.run.date)

    def now(self, entry: Entry, verdict: Verdict) -> Entry:
        """The entry as it is to be kept from now on."""
        if verdict.play is None or self.whole or entry.core == self.core:
            return entry
        return replace(entry, verdict=to_data(verdict), core=self.core)

    def _tried(self, run: Run) -> bool:
        """Whether a run tried as hard as this one would."""
        wanted = self.ledger.run
        return run.solver == wanted.solver and all(
            run.limits.get(name, 0) >= value for name, value in wanted.limits.items()
        )

    def _is_in_the_cone(self, entry: Entry, claim: Claim) -> bool:
        cones = self.ledger._cones_of(self.part)
        return bool(entry.cone) and entry.cone == cones.hash(claim)[:DIGITS]

    def _replay(self) -> Replayer:
        if self._replayer is None:
            self._replayer = Replayer(self.part.core, self.claims, None, dict(self.part.sources))
        return self._replayer


def _perhaps_longer(verdict: Verdict, play: Play) -> Verdict:
    return replace(verdict, play=replace(play, shortest=False))


def label(part: Part, outline: Outline) -> str:
    """The configuration as a lock file calls it: `3 players, with rich, bank = limited`."""
    configuration = part.core.configuration
    defaults = {reading.name: reading.default for reading in outline.readings}
    readings = [f"{name} = {it}" for name, it in configuration.readings if defaults[name] != it]
    players = f"{configuration.players} player{'s' * (configuration.players != 1)}"
    first = f"{part.scope} ({players})" if part.scope else players
    return ", ".join([first, *(f"with {name}" for name in configuration.variants), *readings])


def is_possible(place: str, outline: Outline) -> bool:
    """Whether a rulebook has what it needs to be played as a `label` says."""
    first, *rest = place.split(", ")
    low, high = outline.players
    numbers = {f"{n} player{'s' * (n != 1)}" for n in range(low, high + 1)}
    small = {f"{s.name} ({s.players} player{'s' * (s.players != 1)})" for s in outline.scopes}
    variants = {f"with {name}" for name, _ in outline.variants}
    readings = {f"{r.name} = {m.name}" for r in outline.readings for m in r.meanings if m.name != r.default}
    return first in numbers | small and set(rest) <= variants | readings


def configuration(place: str, book: Book) -> tuple[Configuration, str] | None:
    """The configuration that a `label` names, with its scope's name ("" for none); None if there is none."""
    outline = book.outline
    if outline is None or not is_possible(place, outline):
        return None
    first, *rest = place.split(", ")
    variants = [each.removeprefix("with ") for each in rest if each.startswith("with ")]
    readings = dict(each.split(" = ", 1) for each in rest if not each.startswith("with "))
    scope = first.partition(" (")[0] if first.endswith(")") else ""
    players = None if scope else int(first.partition(" ")[0])
    chosen = book.configuration(players=players, variants=variants, readings=readings, scope=scope or None)
    return chosen, scope


def _numbers(limits: Limits) -> dict[str, float]:
    """Those of which more is more."""
    return {name: value for name, value in asdict(limits).items() if name != "seed" and value is not None}


def _today() -> str:
    return datetime.now(UTC).date().isoformat()


def before(ledger: Ledger, parts: Sequence[Part], *, everything: bool) -> Before:
    """What a ledger knows of some parts; `everything`: also of the examples, and of games in both engines."""
    with no_collection():
        known = {n: ledger.known(part, everything and not part.scope) for n, part in enumerate(parts)}
    return Before(known, ledger.examples() if everything else None, ledger)


def behind(before: Before, parts: Sequence[Part], *, examples: bool) -> Iterator[str]:
    """A sentence for each thing that keeps a lock file from being all that is asked for."""
    ledger = before.ledger
    assert ledger is not None
    yield from ledger.wrong
    if examples and before.held is None:
        yield f"the examples of `{ledger.name}`: {CHANGED}, or they are not there"
    for number, part in enumerate(parts):
        known = before.of(number)
        if known.done:
            continue
        where = label(part, ledger.outline)
        by_reason: dict[str, list[str]] = {}
        for name, reason in known.open.items():
            by_reason.setdefault(reason, []).append(name)
        for reason, names in by_reason.items():
            shown = ", ".join(f"`{name}`" for name in names[:NAMED])
            more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
            yield f"{where}: {shown}{more}: {reason}"
