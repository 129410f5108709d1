"""Leaks that two plays show: found, carried out again by the interpreter, and told."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field

from rulespec.compiler.core.tree import Core
from rulespec.engine import observation
from rulespec.engine.faults import Fault
from rulespec.engine.interpreter.stepper import Interpreter
from rulespec.engine.layout import Layout, value_name
from rulespec.engine.moves import Encoding
from rulespec.engine.sight import is_witnessed, sight
from rulespec.engine.stepper import RawMove, Record
from rulespec.proofs.counterexample import Replayer
from rulespec.proofs.information.leaks import Compared, Looker, Pair, Steps
from rulespec.proofs.plays import Trail
from rulespec.proofs.verdicts import Other, Play

STATES = 20_000  # positions that are put together where no proof was found
TRIED = 12  # pairs of plays that the interpreter carries out for one choice
SHOWN = 8  # differences, or moves, that are listed
Stage = Callable[[str], None]


@dataclass
class Told:
    """What plays say of choices, by block. `plays` show a leak; those of `lately` look alike at their ends
    only, and not to one who remembers.

    `whole`: every position was compared, `positions` of them; `unclear` are choices for which that settles
    nothing. `made`: plays compared otherwise; `looked_at` are all that were asked for.
    """

    plays: dict[str, Play] = field(default_factory=dict)
    lately: dict[str, Play] = field(default_factory=dict)
    unclear: set[str] = field(default_factory=set)
    positions: int = 0
    whole: bool = False
    made: int = 0
    looked_at: frozenset[str] = frozenset()

    def is_decided(self, block: str) -> bool:
        """Whether plays, or all positions, have decided about the choice."""
        return block in self.plays or self.exhausted(block)

    def exhausted(self, block: str) -> bool:
        """Whether it is settled that the choice gives nothing away, every position having been compared."""
        return self.whole and block not in self.unclear | self.plays.keys() | self.lately.keys()


class LeakSearch:
    """Looks for plays that show a leak of some choices of a core."""

    def __init__(self, core: Core, blocks: Collection[str], replayer: Replayer) -> None:
        self.core = core
        self.blocks = tuple(blocks)
        self.told = Told(looked_at=frozenset(blocks))
        self._looker = Looker(core, blocks)
        self._witness = Witness(core, replayer)

    def between(self, trails: Sequence[Trail]) -> None:
        """Compare positions of plays with each other."""
        self._confirm(self._looker.between(trails))

    def look(
        self, blocks: Collection[str], trails: Sequence[Trail], states: int, seconds: float, seed: int
    ) -> None:
        """Compare every position within the limits, and if need be those of plays with plays made from them,
        until these choices are settled. Nothing is looked for where there are none.
        """
        if not blocks:
            return
        self.visit(states, seconds)
        left = [block for block in blocks if not self._is_settled(block)]
        if left:
            self.told.made = len(trails)
            self._confirm(self._looker.dealt_otherwise(trails, left, seconds, seed))

    def _is_settled(self, block: str) -> bool:
        return block in self.told.plays or self.told.exhausted(block)

    def visit(self, states: int, seconds: float) -> None:
        """Compare every position within the limits."""
        compared = self._looker.everywhere(states, seconds)
        self.told.positions, self.told.whole = compared.positions, compared.finished
        self._confirm(compared)
        self.told.unclear |= compared.pairs.keys() - self.told.plays.keys()

    def _confirm(self, compared: Compared) -> None:
        """Keep for each choice the first pair that looked alike all along, the shortest ones being tried."""
        for block, pairs in compared.pairs.items():
            for pair in sorted(pairs, key=_plainness)[:TRIED]:
                if block in self.told.plays:
                    break
                shown = self._witness.shown(block, pair)
                if shown is None:
                    continue
                if shown.all_along:
                    self.told.plays[block] = shown.play
                else:
                    self.told.lately.setdefault(block, shown.play)


def _plainness(pair: Pair) -> tuple[int, int, Pair]:
    """Short plays that differ in few steps are the easiest to read."""
    first, second = pair
    return len(first) + len(second), sum(a != b for a, b in zip(first, second, strict=False)), pair


@dataclass(frozen=True)
class Shown:
    """A play with another one that looks alike at the end; `all_along`: and on the way."""

    play: Play
    all_along: bool


@dataclass(frozen=True)
class _End:
    """Where a play came to in the interpreter; `way` has each record on the way, and what was done there."""

    record: Record
    seat: int
    moves: tuple[RawMove, ...]
    way: tuple[tuple[Record, tuple[int, ...]], ...]


class Witness:
    """Carries out two plays in the interpreter and says what they show."""

    def __init__(self, core: Core, replayer: Replayer) -> None:
        self.core = core
        self._replayer = replayer
        self._engine = Interpreter(core)
        self._encoding = Encoding(core)
        self._layout = Layout(core)

    def shown(self, block: str, pair: Pair) -> Shown | None:
        """The first play, with the other one; None unless both come to this choice, look alike to the same
        seat that is asked, and offer it different moves.
        """
        ends = [self._end(block, steps) for steps in pair]
        first, second = ends
        if first is None or second is None or first.seat != second.seat or first.moves == second.moves:
            return None
        if self._observed(first, first.record) != self._observed(second, second.record):
            return None
        here = self._only(first, second)
        there = self._only(second, first)
        secret = tuple(self._secret(first, second))
        other = Other(first.seat, tuple(self._replayer.told(pair[1])), secret, here, there)
        play = Play(tuple(self._replayer.told(pair[0])), _words(other), other=other)
        return Shown(play, self._history(first) == self._history(second))

    def _end(self, block: str, steps: Steps) -> _End | None:
        engine = self._engine
        try:
            record = engine.start()
            way: list[tuple[Record, tuple[int, ...]]] = []
            for step in steps:
                way.append((list(record), step))
                if engine.kind(record) == "choice" and step in engine.moves(record):
                    engine.play(record, step)
                elif engine.kind(record) == "chance" and step[0] in [o for o, _ in engine.outcomes(record)]:
                    engine.happen(record, step[0])
                else:
                    return None
            if self.core.blocks[record[-1]].name != block:
                return None
            return _End(record, engine.actor(record), tuple(engine.moves(record)), tuple(way))
        except Fault:
            return None

    def _observed(self, end: _End, record: Record) -> tuple[int, observation.Observed]:
        """Where the game waits, and what the one who is asked at the end sees there."""
        return record[-1], observation.slots(self.core, record, end.seat)

    def _history(self, end: _End) -> list[object]:
        """All that the one who is asked at the end saw on the way, and saw being done."""
        return [
            (self._observed(end, record), step if is_witnessed(self.core, record, end.seat) else None)
            for record, step in end.way
        ]

    def _only(self, end: _End, other: _End) -> tuple[str, ...]:
        """The moves that are offered here and not there."""
        moves = [move for move in end.moves if move not in other.moves]
        return tuple(_some([self._encoding.move(end.record[-1], move).text for move in moves]))

    def _secret(self, first: _End, second: _End) -> Iterator[str]:
        """What the seat does not see, where the two differ."""
        unseen = sight(self.core, first.seat).unseen(first.record)
        found = [
            (e.slot.role, f"{e} is {value_name(e.slot.domain, a)} or {value_name(e.slot.domain, b)}")
            for e, a, b in self._layout.changes(first.record[:-1], second.record[:-1])
            if e.position in unseen
        ]
        declared = [text for role, text in found if role == "state"]
        yield from _some(declared or [text for _, text in found])


def _some(texts: Sequence[str]) -> list[str]:
    """As many as can be read."""
    shown = list(texts[:SHOWN])
    more = len(texts) - len(shown)
    return [*shown, f"and {more} more"] if more else shown


def remembered(play: Play) -> str:
    """Why two plays that look alike at their ends alone decide nothing."""
    assert play.other is not None
    seat = f"p{play.other.seat}"
    return (
        f"it depends on what is not seen any more: {play.conjunct}, of two plays that look alike to {seat} "
        f"only at their ends; no two were found that did all along"
    )


def _words(other: Other) -> str:
    told: list[str] = []
    if other.offered:
        told.append(f"{_listed(other.offered)} only after the first play")
    if other.offered_there:
        told.append(f"{_listed(other.offered_there)} only after the other play")
    return f"p{other.seat} sees no difference, and is offered {', '.join(told)}"


def _listed(texts: Sequence[str]) -> str:
    return ", ".join(text if text.startswith("and ") else f"`{text}`" for text in texts)
