"""One rulebook under test: what there is to collect of it, and verdicts on its claims, each found once."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from rulespec import cache, library
from rulespec.api import Book
from rulespec.collection import no_collection
from rulespec.proofs.claims import Claim, Claims
from rulespec.proofs.verdicts import Verdict
from rulespec.pytest_plugin.settings import Settings
from rulespec.turns import turn
from rulespec.verifying.plan import Part

if TYPE_CHECKING:
    from rulespec.engine.game import Game
    from rulespec.examples import Collection
    from rulespec.verifying.before import Known
    from rulespec.verifying.ledger import Ledger, Place


@dataclass(frozen=True)
class Named:
    """An example by name, and the line where it begins."""

    name: str
    line: int


@dataclass
class Table:
    """One configuration, its claims, and what becomes of them: `verdicts` by claim, `open` why others have
    none."""

    part: Part
    label: str
    claims: tuple[Claim, ...]
    verdicts: Mapping[str, Verdict] = field(default_factory=dict)
    open: Mapping[str, str] = field(default_factory=dict)
    settled: bool = False

    @cached_property
    def game(self) -> Game:
        from rulespec import api

        return api.game_of(self.part.core)


class Subject:
    """A rulebook, opened for a run of tests. What takes long is worked out by one process for all."""

    def __init__(self, name: str, settings: Settings) -> None:
        self.name = name
        self.settings = settings
        self.book = Book(name)
        with turn("compiling", *self._key), no_collection():
            self.tables = tuple(self._tables())
            self.examples = self._examples() if self.book.outline is not None else ()

    @property
    def _key(self) -> list[str]:
        return [part for file, text in self.book.sources.items() for part in (file, text)]

    # --- what there is -------------------------------------------------------------------------------------

    def _tables(self) -> Iterator[Table]:
        """All numbers of players and all small games of which the rules can be compiled."""
        outline = self.book.outline
        if outline is None:
            return
        low, high = outline.players
        asked = [(f"{n} player{'s' * (n != 1)}", "", n) for n in range(low, high + 1)]
        asked += [(scope.name, scope.name, scope.players) for scope in outline.scopes]
        for label, scope, players in asked:
            configuration = self.book.configuration(players=players, scope=scope or None)
            core, _ = self.book.compile(configuration)
            if core is not None:
                part = Part(core, scope, "", None, self.settings.limits, self.book.sources)
                yield Table(part, label, tuple(_collected(part)))

    def _examples(self) -> tuple[Named, ...]:
        """Kept on disk, so that no process but the first has to read the rulebook for their names."""
        kept, name = cache.opened(), cache.key(*self._key)
        try:
            return tuple(Named(str(n), int(line)) for n, line in json.loads(kept.get("examples", name) or ""))
        except (ValueError, TypeError):
            found = tuple(Named(each.name, each.span.line) for each in self.collection.examples)
        kept.put("examples", name, json.dumps([(each.name, each.line) for each in found]))
        return found

    @cached_property
    def collection(self) -> Collection:
        """The examples, ready to be carried out."""
        from rulespec import examples

        with no_collection():
            return examples.own(self.book)

    @property
    def files(self) -> dict[str, str]:
        """The texts of the rulebook and its own modules."""
        return {file: text for file, text in self.book.sources.items() if not library.is_standard(file)}

    # --- verdicts ------------------------------------------------------------------------------------------

    def settle(self, table: Table) -> None:
        """Find the verdicts on all claims of a configuration, from the lock file or by trying.

        Raises:
            Unusable: the lock file cannot be read at all.
        """
        if table.settled:
            return
        ledger = self._ledger()
        known = ledger.known(table.part, games=False)
        if not known.done and not self.settings.locked:
            with turn("proving", *self._key, table.label):
                ledger = self._ledger()  # another process may have had its turn before
                known = ledger.known(table.part, games=False)
                if not known.done:
                    table.verdicts = self._tried(table.part, known, ledger)
                    table.settled = True
                    return
        table.verdicts, table.open, table.settled = known.verdicts, known.open, True

    def _ledger(self) -> Ledger:
        from rulespec.verifying.ledger import Ledger

        return Ledger(
            self.book, self.settings.limits, writes=not self.settings.locked, files=self._files_of_locks()
        )

    def _files_of_locks(self) -> Place:
        """The lock file beside the rulebook, which tests leave as it is, and one of their own."""
        from rulespec.verifying import ledger, lock

        assert self.book.path is not None
        usual, root = ledger.place(self.book.path), cache.root()
        if self.settings.locked or root is None:
            return replace(usual, written=None)
        own = root / "tests" / cache.key(str(self.book.path.resolve()))[: ledger.DIGITS] / lock.NAME
        return ledger.Place((*usual.read, own), own)

    def _tried(self, part: Part, known: Known, ledger: Ledger) -> Mapping[str, Verdict]:
        from rulespec.verifying import processes, run
        from rulespec.verifying.before import Before

        before = Before({0: known}, None, ledger)
        with processes.Workers(1, part.limits.memory) as workers:
            outcome = run.verify(
                self.name, [part], workers, _Silent(), examples=False, games=False, before=before
            )
        if outcome.interrupted:
            raise KeyboardInterrupt
        if outcome.faults:
            raise outcome.faults[0]
        return {verdict.property: verdict for verdict in outcome.all_verdicts}


def _collected(part: Part) -> Iterator[Claim]:
    """Nothing is said of what a small game cannot reach: that speaks of the game alone."""
    for claim in Claims(part.core).all.values():
        if not part.scope or claim.kind != "reachable":
            yield claim


class _Silent:
    """Watches a verification and tells nobody."""

    def began(self, job: int) -> None: ...

    def stage(self, job: int, stage: object) -> None: ...

    def ended(self, job: int, outcome: object) -> None: ...

    def tick(self) -> None: ...
