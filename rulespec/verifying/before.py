"""What is known before anything is tried."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from rulespec.proofs.claims import Claims
from rulespec.proofs.verdicts import Verdict
from rulespec.verifying.plan import Part
from rulespec.verifying.work import AGREEMENT, PartJob

if TYPE_CHECKING:
    from rulespec.verifying.ledger import Ledger
    from rulespec.verifying.lock import Entry


@dataclass(frozen=True)
class Known:
    """What is known of a part: the verdicts that still hold, by claim, and why each other claim has none.

    `anew`: every claim of the part is to be tried. `entries` are what a lock file has on the verdicts.
    """

    verdicts: Mapping[str, Verdict] = field(default_factory=dict)
    open: Mapping[str, str] = field(default_factory=dict)
    anew: bool = True
    entries: Mapping[str, Entry] = field(default_factory=dict)

    @property
    def done(self) -> bool:
        """Whether there is nothing to try."""
        return not self.open and not self.anew

    def job(self, part: Part, games: bool) -> PartJob:
        """The work that is left of a part; `games` says whether its games are wanted at all."""
        if self.anew:
            return PartJob(part, games)
        claims = tuple(name for name in self.open if name != AGREEMENT.name)
        games = games and AGREEMENT.name in self.open
        return PartJob(replace(part, properties=claims), games, self.verdicts)

    def with_found(self, part: Part, found: Sequence[Verdict]) -> tuple[Verdict, ...]:
        """These verdicts and those known before, in the usual order."""
        order = {name: number for number, name in enumerate([AGREEMENT.name, *Claims(part.core).all])}
        both = [*found, *(v for name, v in self.verdicts.items() if name not in {f.property for f in found})]
        return tuple(sorted(both, key=lambda v: (order.get(v.property, len(order)), v.property)))


@dataclass(frozen=True)
class Before:
    """What is known of each part, by its place in the plan, and how many examples hold if that is known.

    `ledger` is told of what is found.
    """

    parts: Mapping[int, Known] = field(default_factory=dict)
    held: int | None = None
    ledger: Ledger | None = None

    def of(self, number: int) -> Known:
        """What is known of a part."""
        return self.parts.get(number, Known())

    def left(self, parts: int, examples: bool) -> int:
        """How many jobs there are to do."""
        return sum(not self.of(number).done for number in range(parts)) + (examples and self.held is None)
