"""The generated Python engine: the same steps as the interpreter's, some ten times as fast."""

from __future__ import annotations

from collections.abc import Callable

from rulespec.compiler.core.tree import Core
from rulespec.engine.faults import Fault
from rulespec.engine.interpreter.stepper import initial
from rulespec.engine.python.emit import generate
from rulespec.engine.python.load import load
from rulespec.engine.stepper import BUDGET, RawMove, Record

# A stretch of play: changes the record, gives the next stretch, or None where somebody is asked.
Stretch = Callable[[Record], "Stretch | None"]


class PythonEngine:
    """A `Stepper` made of Python that was generated for one core.

    `moves`, `outcomes` and so on at a block of another kind raise ValueError.
    """

    def __init__(self, core: Core) -> None:
        self.core = core
        names = load(core, generate(core))
        self._start: Stretch = names["START"]
        self._actor: dict[int, Callable[[Record], int]] = names["ACTOR"]
        self._moves: dict[int, Callable[[Record], list[RawMove]]] = names["MOVES"]
        self._play: dict[int, Callable[[Record, RawMove], Stretch | None]] = names["PLAY"]
        self._outcomes: dict[int, Callable[[Record], list[tuple[int, int]]]] = names["OUTCOMES"]
        self._happen: dict[int, Callable[[Record, int], Stretch | None]] = names["HAPPEN"]
        self._scores: Callable[[Record], tuple[tuple[int, ...], ...]] = names["scores"]
        self._kinds = [block.kind for block in core.blocks]

    def start(self) -> Record:
        r = initial(self.core)
        self._run(r, self._start)
        return r

    def kind(self, r: Record) -> str:
        return self._kinds[r[-1]]

    def actor(self, r: Record) -> int:
        try:
            ask = self._actor[r[-1]]
        except KeyError:
            raise self._elsewhere(r, "nobody is asked") from None
        return ask(r)

    def moves(self, r: Record) -> list[RawMove]:
        try:
            find = self._moves[r[-1]]
        except KeyError:
            raise self._elsewhere(r, "nobody is asked") from None
        return find(r)

    def play(self, r: Record, move: RawMove) -> None:
        try:
            begin = self._play[r[-1]]
        except KeyError:
            raise self._elsewhere(r, "nobody is asked") from None
        stretch = begin(r, move)
        if stretch is not None:
            self._run(r, stretch)

    def outcomes(self, r: Record) -> list[tuple[int, int]]:
        try:
            find = self._outcomes[r[-1]]
        except KeyError:
            raise self._elsewhere(r, "chance does not decide") from None
        return find(r)

    def happen(self, r: Record, outcome: int) -> None:
        try:
            begin = self._happen[r[-1]]
        except KeyError:
            raise self._elsewhere(r, "chance does not decide") from None
        stretch = begin(r, outcome)
        if stretch is not None:
            self._run(r, stretch)

    def scores(self, r: Record) -> tuple[tuple[int, ...], ...]:
        try:
            return self._scores(r)
        except Fault as fault:
            raise Fault(fault.kind, fault.text, fault.origin, self.core.blocks[r[-1]].name) from None

    def _run(self, r: Record, stretch: Stretch) -> None:
        for _ in range(BUDGET):
            following = stretch(r)
            if following is None:
                return
            stretch = following
        block = self.core.blocks[r[-1]]
        raise Fault("endless", f"nobody is asked in {BUDGET} blocks", block.origin, block.name)

    def _elsewhere(self, r: Record, what: str) -> ValueError:
        return ValueError(f"{what} at block {self.core.blocks[r[-1]].name!r}")
