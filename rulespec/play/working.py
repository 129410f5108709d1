"""What the rules at work have in mind: who bids most, which color is sold.

A rule's variables keep their last values when it is done, and some are written before they are read again. So
those are shown whose rule is at work and whose value is still to be used.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from rulespec.compiler.core.tree import Choose, Core, Read, Switch
from rulespec.compiler.spans import Citation
from rulespec.engine.observation import Observed, slots
from rulespec.engine.stepper import Record
from rulespec.play.blocks import entered, reachable
from rulespec.play.live import NO_NAMES, Live, Names
from rulespec.play.table import Line, content


@dataclass(frozen=True, slots=True)
class Place:
    """A rule at work: its title, or its name where it has none, and what it cites."""

    title: str
    citation: Citation | None

    def __str__(self) -> str:
        return f"{self.title} {self.citation}" if self.citation else self.title


@dataclass(frozen=True, slots=True)
class Where:
    """Where a play waits in the rules: the rules at work, the innermost first, and the place in the text."""

    rules: tuple[Place, ...]
    file: str
    line: int

    def __str__(self) -> str:
        """The innermost rule, or as many as are needed to come to one that cites the source."""
        cited = next((number for number, rule in enumerate(self.rules) if rule.citation), 0)
        return ", in ".join(str(rule) for rule in self.rules[: cited + 1])


class Workings:
    """What can be told of the rules at work in the records of a core."""

    def __init__(self, core: Core) -> None:
        self.core = core
        self._live = Live(core)

    def lines(self, record: Record, seen: Observed) -> list[Line]:
        """A line for each rule at work that has something in mind, the outermost first.

        `seen` is what the reader may see of the record.
        """
        wanted = self._live.at(record[-1]) - self._asked(record[-1])
        result: list[Line] = []
        for rule in reversed(self.chain(record, seen)):
            told = list(self._told(rule, wanted, seen))
            if told:
                result.append(Line(self._titles.get(rule) or rule, "; ".join(told)))
        return result

    def _asked(self, block: int) -> Names:
        """The slot that holds who is asked, which is told anyway."""
        end = self.core.blocks[block].end
        if isinstance(end, Choose) and isinstance(end.actor, Read) and not end.actor.index:
            return frozenset((end.actor.slot,))
        return NO_NAMES

    def where(self, record: Record, seen: Observed | None = None) -> Where:
        """Where a record waits, for one who sees `seen` of it; by default what everybody sees."""
        block = self.core.blocks[record[-1]]
        rules = self.chain(record, slots(self.core, record, None) if seen is None else seen)
        places = [Place(self._titles.get(rule) or rule, self._citations.get(rule)) for rule in rules]
        if places and block.origin.citation:
            places[0] = Place(places[0].title, block.origin.citation)
        return Where(tuple(places), block.origin.span.file, block.origin.span.line)

    @cached_property
    def _titles(self) -> dict[str, str]:
        return {rule.name: rule.title for rule in self.core.rules}

    @cached_property
    def _citations(self) -> dict[str, Citation]:
        return {rule.name: rule.citation for rule in self.core.rules if rule.citation}

    def chain(self, record: Record, seen: Observed) -> list[str]:
        """The names of the rules at work, from the one that waits outwards, as far as may be known."""
        rules: list[str] = []
        rule: str | None = self.core.blocks[record[-1]].origin.rule
        while rule and rule not in rules:
            rules.append(rule)
            rule = self._caller(rule, record, seen)
        return rules

    def _told(self, rule: str, wanted: Names, seen: Observed) -> Iterator[str]:
        for slot in self.core.slots:
            if (
                slot.role == "local"
                and slot.origin.rule == rule
                and slot.name in wanted
                and slot.name in seen
            ):
                text = content(slot, slot.dims, seen[slot.name])
                if text:
                    yield f"{slot.name.removeprefix(f'{rule}.').replace('_', ' ')}: {text}"

    # --- who called ---------------------------------------------------------------------------------------

    def _caller(self, rule: str, record: Record, seen: Observed) -> str | None:
        returns = self._returns.get(rule)
        if returns is None:
            callers = self._callers.get(rule, NO_NAMES)
            return next(iter(callers)) if len(callers) == 1 else None
        if returns.slot not in seen:
            return None
        target = returns.targets[record[self.core.offset[returns.slot]]]
        return self.core.block[target].origin.rule

    @cached_property
    def _returns(self) -> dict[str, Switch]:
        """For each rule that is called from several places, where it goes back to."""
        return {
            self.core.slot[block.end.slot].origin.rule: block.end
            for block in self.core.blocks
            if isinstance(block.end, Switch)
        }

    @cached_property
    def _callers(self) -> dict[str, Names]:
        """For each rule those that may have called it: it begins in their blocks, and leads back to them."""
        found: dict[str, Names] = {}
        for block in self.core.blocks:
            for rule in entered(block.body):
                around = {block.origin.rule} - {"", rule}
                found[rule] = found.get(rule, NO_NAMES) | (around & self._goes_back_to(block.name))
        return found

    def _goes_back_to(self, start: str) -> Names:
        """The rules that are come to from a block without beginning anew."""
        found: set[str] = set()
        reached = reachable(self.core, start) - {start}
        for rule in {self.core.block[name].origin.rule for name in reached}:
            begins = self._begins.get(rule, NO_NAMES) - {start}
            onwards = reachable(self.core, start, avoiding=begins) - {start}
            if any(self.core.block[name].origin.rule == rule for name in onwards):
                found.add(rule)
        return frozenset(found)

    @cached_property
    def _begins(self) -> dict[str, Names]:
        """For each rule the blocks in which it begins."""
        found: dict[str, Names] = {}
        for block in self.core.blocks:
            for rule in entered(block.body):
                found[rule] = found.get(rule, NO_NAMES) | {block.name}
        return found
