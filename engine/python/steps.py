"""The functions of a stepping module: what runs between two waiting points, and what is asked at one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rulespec.compiler.core.tree import Block, Chance, Choose, Option, Origin
from rulespec.engine.python.expressions import number
from rulespec.engine.python.flow import Flow
from rulespec.engine.python.folds import substitute
from rulespec.engine.python.frame import Frame, Module
from rulespec.engine.python.intervals import Facts
from rulespec.engine.python.options import NO_MOVE, write_moves, write_outcomes
from rulespec.engine.python.places import Offset
from rulespec.engine.python.statements import about_rule, keep
from rulespec.engine.python.text import Text
from rulespec.engine.python.walker import Walker, phrase, waiting_for
from rulespec.engine.python.writer import Writer

# What the tables at the end of the module hold for a block: the function of that kind, if it has one.
KINDS = ("actor", "moves", "play", "outcomes", "happen")


class StepWalker(Walker):
    """Each entry is a function of the record that returns the next one, or None where somebody is asked."""

    def __init__(self, frame: Frame, steps: Steps, loop: str = "") -> None:
        super().__init__(frame, steps.flow)
        self._steps = steps
        self._loop = loop

    def jump(self, target: str) -> None:
        if target == self._loop:
            self.frame.out.append("continue")
        else:
            self.frame.out.append(f"return {self._steps.entry_names[target]}")

    def wait(self, block: Block) -> None:
        number = self._steps.index[block.name]
        self.frame.out.append(f"r[{self._steps.at}] = {number}  # {waiting_for(block)}")
        self.frame.out.append("return None")


class Steps:
    """Writes the functions of one core, one after the other."""

    def __init__(self, module: Module, flow: Flow) -> None:
        self.module = module
        self.core = module.core
        self.flow = flow
        self.out = Writer()
        self.index = {b.name: i for i, b in enumerate(self.core.blocks)}
        self.entry_names = {name: module.names.module(name) for name in flow.entries}
        self.at = module.names.constant("at")
        module.offsets[self.at] = Offset(sum(s.size for s in self.core.slots), 1)
        self._tables: dict[str, dict[int, str]] = {kind: {} for kind in KINDS}

    def write(self) -> None:
        for block in self.core.blocks:
            if block.name not in self.flow.reachable:
                continue
            if block.name in self.entry_names:
                self._entry(block)
            match block.end:
                case Choose():
                    self._actor(block, block.end)
                    self._moves(block, block.end)
                    self._play(block, block.end)
                case Chance():
                    self._outcomes(block, block.end)
                    self._happen(block, block.end)
                case _:
                    pass
        self.write_scores()
        self._write_tables()

    def _frame(self, block: Block | None) -> Frame:
        scope = self.module.names.scope()
        origin, name = (block.origin, block.name) if block else (Origin(), "")
        return Frame(self.module, scope, self.module.places, self.out, Facts(self.core), origin, name)

    @contextmanager
    def _function(self, kind: str, block: Block, *arguments: str, about: str = "") -> Iterator[Frame]:
        """A function of the block's record, to be found in the table of its kind."""
        name = self.module.names.module(f"{kind}_{block.name}")
        self._tables[kind][self.index[block.name]] = name
        with self.out.define(name, ", ".join(["r", *arguments]), about):
            yield self._frame(block)

    # --- between waiting points -----------------------------------------------------------------------------

    def _entry(self, block: Block) -> None:
        with self.out.define(self.entry_names[block.name], "r", self._about(block)):
            frame = self._frame(block)
            if not self.flow.loops(block.name, past_waits=False):
                StepWalker(frame, self).block(block.name)
                return
            with self.out.indent(f"for {frame.scope.fresh('again')} in range(BUDGET):"):
                StepWalker(frame, self, block.name).block(block.name)
            self.out.append(f"fault({frame.site('endless', 'nobody is asked in ', ' blocks')}, BUDGET)")

    def _about(self, block: Block) -> str:
        return about_rule(self.core, block.origin.rule, block.origin) or block.name

    def _play(self, block: Block, choose: Choose) -> None:
        about = f"{self._about(block)}: {waiting_for(block)}"
        with self._function("play", block, "move", about=about) as frame:
            for position, option in enumerate(choose.options[:-1]):
                with self.out.indent(f"if move[0] == {position}:"):
                    self._play_option(frame, option)
            self._play_option(frame, choose.options[-1])

    def _play_option(self, frame: Frame, option: Option) -> None:
        with frame.branch():
            frame.origin = option.origin
            frame.out.comment(f"{option.name}: {phrase(option)}")
            for position, param in enumerate(option.params):
                slot = self.core.slot[param.slot]
                keep(frame, slot, Text(f"move[{position + 1}]"), (param.least, param.most))
            StepWalker(frame, self).go(option.target)

    def _happen(self, block: Block, chance: Chance) -> None:
        with self._function("happen", block, "decided") as frame:
            slot = self.core.slot[chance.slot]
            keep(frame, slot, Text("decided"), (chance.low, chance.high))
            StepWalker(frame, self).go(chance.target)

    # --- at a waiting point ---------------------------------------------------------------------------------

    def _actor(self, block: Block, choose: Choose) -> None:
        players = self.core.configuration.players
        with self._function("actor", block) as frame:
            low, high = frame.facts.interval(choose.actor)
            seat = number(frame, choose.actor)
            if low < 0 or high >= players:
                name = frame.scope.fresh("seat")
                frame.out.append(f"{name} = {seat.source}")
                seat = Text(name)
                with frame.out.indent(f"if not 0 <= {name} < {players}:"):
                    frame.out.append(f"fault({frame.site('seat', 'there is no seat ', ' to ask')}, {name})")
            frame.out.append(f"return {seat.source}")

    def _moves(self, block: Block, choose: Choose) -> None:
        with self._function("moves", block) as frame:
            moves = frame.scope.fresh("moves")
            frame.out.append(f"{moves} = []")

            def add(position: int, values: list[str]) -> None:
                move = ", ".join([str(position), *values]) + ("" if values else ",")
                frame.out.append(f"{moves}.append(({move}))")

            write_moves(frame, choose, add)
            with frame.out.indent(f"if not {moves}:"):
                frame.out.append(f"fault({frame.site('choice', NO_MOVE)})")
            frame.out.append(f"return {moves}")

    def _outcomes(self, block: Block, chance: Chance) -> None:
        with self._function("outcomes", block) as frame:
            write_outcomes(frame, chance)

    def write_scores(self) -> None:
        with self.out.define("scores", "r", "The ranking keys of each seat."):
            frame = self._frame(None)
            with self.out.indent("return ("):
                for seat in range(self.core.configuration.players):
                    keys = [number(frame, substitute(key, "p", seat)).source for key in self.core.ranking]
                    self.out.append(f"({', '.join(keys)},),")
            self.out.append(")")

    def _write_tables(self) -> None:
        """Which function a waiting block has of each kind, by the block's number."""
        self.out.append()
        self.out.append()
        self.out.append(f"START = {self._start()}")
        for kind, names in self._tables.items():
            entries = ", ".join(f"{index}: {name}" for index, name in names.items())
            self.out.append(f"{kind.upper()} = {{{entries}}}")

    def _start(self) -> str:
        return self.entry_names[self.core.start]
