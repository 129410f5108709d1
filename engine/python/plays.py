"""A whole random game as one Python function: every slot a local variable, every draw where it is needed.

What is drawn when is fixed by `rng.playout`, so that all engines play the same game from the same seed.
Moves are counted rather than listed where an option has one parameter and its guard does not ask for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from rulespec.compiler.core.tree import Block, Chance, Choose, Core, Fold, Not, Option, Origin, Param, Read
from rulespec.engine.python.emit import Generated, about, assemble
from rulespec.engine.python.expressions import known, number, row_source, truth
from rulespec.engine.python.flow import Flow
from rulespec.engine.python.folds import free_variables, substitute, whole_row
from rulespec.engine.python.frame import Frame, Module, nested
from rulespec.engine.python.intervals import Facts
from rulespec.engine.python.options import NO_MOVE, NOTHING, weight_range, write_option, write_range
from rulespec.engine.python.places import LocalPlaces
from rulespec.engine.python.specialise import Special, specialise
from rulespec.engine.python.statements import keep
from rulespec.engine.python.text import AND, SUM, UNARY, Text, is_cheap, literal, span, wrap
from rulespec.engine.python.walker import Walker, phrase, waiting_for
from rulespec.engine.python.ways import row_of_moves, write_ways, written_out
from rulespec.engine.python.writer import Writer, one_line

# The most outcomes whose weights are written out one after the other.
_WRITTEN_OUT = 16
# Characters of a record that is written out at every place where a game can end.
_SHORT = 400
# Levels of indentation in a case from which what follows becomes a case of its own.
_DEEPEST = 40
# Loops around one place, beside the outermost; Python takes 20 and the statements have some too.
_MOST_LOOPS = 8


def generate(core: Core, *, tally: bool) -> Generated:
    """A module with `play(draw, most)`, which gives the last record and the number of steps.

    With `tally` it is `play(draw, most, entered, chosen)`: lists in the order of `tally.places` in which it
    counts how often each rule and option happened.
    """
    special = specialise(core)
    module = Module(replace(core, tables=special.core.tables), local=True)
    out = Writer()
    arguments = "draw, most, entered, chosen" if tally else "draw, most"
    with out.define("play", arguments, "A random game: its last record and the number of steps."):
        _write_play(module, special, out, tally)
    return assemble(module, f"{about(core)}: random games", out.lines)


def _write_play(module: Module, special: Special, out: Writer, tally: bool) -> None:
    core, places = module.core, module.places
    assert isinstance(places, LocalPlaces)
    scope = module.names.scope()
    frame = Frame(module, scope, places, out, Facts(core), Origin(), "", tally=tally)
    for slot in core.slots:
        out.append(f"{places.variable(slot)} = {nested(slot.dims, slot.initial, '[]')}")
    walker = PlayWalker(frame, special)
    out.append(f"{walker.steps} = 0")
    out.append(f"{walker.at} = 0")
    if walker.flow.spinning:
        out.append(f"{walker.spins} = 0")
    elements = ", ".join(
        element
        for slot in core.slots
        for element in _elements(places.variable(slot), [len(d.names) for d in slot.dims])
    )
    if len(elements) <= _SHORT:
        walker.record = elements
        with out.indent("while True:"):
            walker.cases()
        return
    with out.indent("try:"), out.indent("while True:"):
        walker.cases()
    with out.indent("except Over:"):
        out.append("pass")
    out.append(f"return [{elements}, {walker.place}], {walker.steps}")


def _elements(variable: str, sizes: list[int]) -> list[str]:
    """Unpacked so that together they are the slot's part of a record."""
    if not sizes:
        return [variable]
    if len(sizes) == 1:
        return [f"*{variable}"]
    return [e for i in range(sizes[0]) for e in _elements(f"{variable}[{i}]", sizes[1:])]


class PlayWalker(Walker):
    """Blocks as cases of one outermost loop, told apart by a number, with nested loops inside them.

    A case is made of each block that is jumped to: entries, and what would stand too deep where it belongs.
    """

    def __init__(self, frame: Frame, special: Special) -> None:
        flow = Flow(special.core)
        super().__init__(frame, flow)
        self.special = special
        self.record = ""  # source of its elements, where that may be written at every end
        index = {b.name: i for i, b in enumerate(frame.core.blocks)}
        self.index = {b.name: index[special.block(b.name)] for b in special.core.blocks}
        self.option_number = {option: i for i, option in enumerate(frame.module.counted.options)}
        self.at = frame.scope.fresh("at")
        self.place = frame.scope.fresh("place")
        self.steps = frame.scope.fresh("steps")
        self.spins = frame.scope.fresh("spins")
        self._number = {flow.core.start: 0}  # case -> its number, in the order they were first jumped to
        self._marks: dict[str, int] = {}  # head of a nested loop -> a number below 0, to know it by
        self._open: list[tuple[str, set[str]]] = []  # loops around this place, and where each is left for
        self._placed: set[str] = set()  # nested loops that are written already

    def told(self, name: str) -> str:
        return self.special.block(name)

    def about(self, block: Block) -> str:
        scalars = {slot.name for slot in self.frame.core.slots if not slot.dims}
        known = ", ".join(
            f"{slot} = {value}"
            for (slot, _), value in self.special.known.get(block.name, ())
            if slot in scalars
        )
        return super().about(block) + (f", where {known}" if known else "")

    # --- from block to block --------------------------------------------------------------------------------

    def cases(self) -> None:
        """Writes all cases, and ahead of each how it is found, by halves."""
        out = self.frame.out
        written: list[list[str]] = []
        while len(written) < len(self._number):
            self.frame.out = Writer()
            self._case(list(self._number)[len(written)])
            written.append(self.frame.out.lines)
        self.frame.out = out
        self._by_halves(written, 0)

    def _by_halves(self, cases: list[list[str]], first: int) -> None:
        out = self.frame.out
        if len(cases) == 1:
            for line in cases[0]:
                out.append(line)
            return
        half = len(cases) // 2
        with out.indent(f"if {self.at} < {first + half}:"):
            self._by_halves(cases[:half], first)
        with out.indent("else:"):
            self._by_halves(cases[half:], first + half)

    def _case(self, entry: str) -> None:
        if entry in self.flow.nested or self.flow.loops(entry, past_waits=True):
            self._loop(entry)
        else:
            self._spin(entry)
            self.block(entry)

    def _loop(self, entry: str) -> None:
        self._open.append((entry, set()))
        with self.frame.branch(), self.frame.out.indent("while True:"):
            self.frame.facts = Facts(self.flow.core)
            self._spin(entry)
            self.block(entry)
        _, left_for = self._open.pop()
        self._after_loop(left_for)

    def _after_loop(self, left_for: set[str]) -> None:
        """The loop was left with `break`, for the head of the loop around it or for further away."""
        out = self.frame.out
        if not self._open:
            out.append("continue")
            return
        around, left_around_for = self._open[-1]
        if left_for == {around}:
            out.append("continue")
            return
        if around in left_for:
            with out.indent(f"if {self.at} == {self._mark(around)}:"):
                out.append("continue")
        out.append("break")
        left_around_for |= left_for - {around}

    def go(self, target: str) -> None:
        if target in self.flow.inlined and self.frame.out.depth < _DEEPEST:
            self.block(target)
        else:
            self.jump(target)

    def jump(self, target: str) -> None:
        out = self.frame.out
        heads = [head for head, _ in self._open]
        if heads[-1:] == [target]:
            out.append("continue")
        elif target not in heads and self._may_nest(target):
            self._placed.add(target)
            self._loop(target)
        else:
            out.append(f"{self.at} = {self._mark(target)}  # {one_line(target)}")
            out.append("break" if heads else "continue")
            if heads:
                self._open[-1][1].add(target)

    def _may_nest(self, target: str) -> bool:
        room = len(self._open) < _MOST_LOOPS and self.frame.out.depth < _DEEPEST
        return room and target in self.flow.nested and target not in self._placed

    def _mark(self, target: str) -> int:
        """The number that stands for a place to go on at: an open loop, or a case."""
        if target not in self._number and any(target == head for head, _ in self._open):
            return self._marks.setdefault(target, -1 - len(self._marks))
        return self._number.setdefault(target, len(self._number))

    def _spin(self, entry: str) -> None:
        """Counts the rounds in which nobody is asked, where there can be many."""
        if entry in self.flow.spinning:
            frame = self.frame
            frame.out.append(f"{self.spins} += 1")
            with frame.out.indent(f"if {self.spins} > BUDGET:"):
                frame.out.append(f"fault({frame.site('endless', 'nobody is asked in ', ' blocks')}, BUDGET)")

    # --- waiting points -------------------------------------------------------------------------------------

    def wait(self, block: Block) -> None:
        out = self.frame.out
        self.frame.origin = block.origin
        out.comment(waiting_for(block))
        match block.end:
            case Choose():
                self._come_to(block)
                self._choice(block, block.end)
            case Chance():
                self._come_to(block)
                self._chance(block.end)
            case _:
                self._give_away(block)

    def _come_to(self, block: Block) -> None:
        out = self.frame.out
        with out.indent(f"if {self.steps} == most:"):
            self._give_away(block)
        out.append(f"{self.steps} += 1")
        if self.flow.spinning:
            out.append(f"{self.spins} = 0")

    def _give_away(self, block: Block) -> None:
        """The game is over or given up here."""
        frame = self.frame
        for name, value in self.special.unwritten.get(block.name, ()):
            frame.out.append(f"{frame.places.element(frame.core.slot[name], [])} = {value}")
        if self.record:
            frame.out.append(f"return [{self.record}, {self.index[block.name]}], {self.steps}")
            return
        frame.out.append(f"{self.place} = {self.index[block.name]}")
        frame.out.append("raise Over")

    def _choice(self, block: Block, choose: Choose) -> None:
        each = [_count(self.frame, option, i) for i, option in enumerate(choose.options)]
        counted = [c for c in each if c.count != "0"]
        always = sum(int(c.count) for c in counted if c.count.isdigit())
        if always and len(counted) == 1:
            self._take(block, counted[0], "0" if always == 1 else f"int(draw() * {always})")
            return
        chosen = self._draw_number(counted, always)
        for option in counted[:-1]:
            with self.frame.branch(), self.frame.out.indent(f"if {chosen} < {option.count}:"):
                self._take(block, option, chosen)
            self.frame.out.append(f"{chosen} -= {option.count}")
        if counted:
            self._take(block, counted[-1], chosen)

    def _draw_number(self, counted: list[_Counted], always: int) -> str:
        """Writes the draw of a move's number; the name of the variable that holds it."""
        frame, chosen = self.frame, self.frame.scope.temporary("number")
        if always and all(c.count.isdigit() for c in counted):
            frame.out.append(f"{chosen} = int(draw() * {always})")
            return chosen
        total = counted[0].count if len(counted) == 1 else frame.scope.temporary("moves")
        if len(counted) != 1 or not total.isidentifier():
            total = frame.scope.temporary("moves")
            frame.out.append(f"{total} = {' + '.join(c.count for c in counted) or '0'}")
        none = "" if always else f" if {total} else fault({frame.site('choice', NO_MOVE)})"
        frame.out.append(f"{chosen} = int(draw() * {total}) if {total} > 1 else 0{none}")
        return chosen

    def _take(self, block: Block, counted: _Counted, chosen: str) -> None:
        frame, option = self.frame, counted.option
        with frame.branch():
            frame.out.comment(f"{option.name}: {phrase(option)}")
            frame.origin = option.origin
            if frame.tally:
                number = self.option_number[self.index[block.name], counted.position]
                frame.out.append(f"chosen[{number}] += 1")
            counted.keep(chosen)
            self.go(option.target)

    def _chance(self, chance: Chance) -> None:
        frame = self.frame
        slot = frame.core.slot[chance.slot]
        outcome = _draw_outcome(frame, chance)
        keep(frame, slot, outcome, (chance.low, chance.high))
        self.go(chance.target)


# --- counting the moves of an option -----------------------------------------------------------------------


@dataclass(frozen=True)
class _Counted:
    """An option with the source of how many moves it has, and what keeps the parameters of one of them."""

    option: Option
    position: int
    count: str
    keep: Callable[[str], None]


def _count(frame: Frame, option: Option, position: int) -> _Counted:
    before, frame.origin = frame.origin, option.origin
    try:
        count, keep_chosen = _moves_of(frame, option)
        return _Counted(option, position, count, keep_chosen)
    finally:
        frame.origin = before


def _moves_of(frame: Frame, option: Option) -> tuple[str, Callable[[str], None]]:
    if not option.params:
        return _as_number(frame, option), lambda chosen: None
    if len(option.params) == 1 and option.params[0].name not in free_variables(option.guard):
        return _counted_range(frame, option, option.params[0])
    row = row_of_moves(frame, option)
    return _listed(frame, option) if row is None else _found_in_row(frame, option, *row)


def _as_number(frame: Frame, option: Option) -> str:
    """1 if the option may be taken, 0 if not."""
    guard = truth(frame, option.guard).source
    if guard in ("True", "False"):
        return str(int(guard == "True"))
    can = frame.scope.fresh(f"can_{option.name}")
    frame.out.append(f"{can} = {guard}")
    return can


def _counted_range(frame: Frame, option: Option, param: Param) -> tuple[str, Callable[[str], None]]:
    """One parameter that the guard does not ask for: as many moves as the parameter has values."""
    slot = frame.core.slot[param.slot]
    interval = (
        max(param.least, frame.facts.interval(param.low)[0]),
        min(param.most, frame.facts.interval(param.high)[1]),
    )
    first, stop = write_range(frame, param)
    if not is_cheap(first) and first.level != UNARY:
        name = frame.scope.fresh("low")
        frame.out.append(f"{name} = {first.source}")
        first = Text(name)

    def keep_chosen(chosen: str) -> None:
        terms = [t for t in (first.source, chosen) if t != "0"]
        keep(frame, slot, Text(" + ".join(terms) or "0", SUM), interval)

    if (
        first.source.lstrip("-").isdigit()
        and stop.source.lstrip("-").isdigit()
        and known(frame, option.guard)
    ):
        return str(max(0, int(stop.source) - int(first.source))), keep_chosen
    count = frame.scope.fresh(f"ways_to_{option.name}")
    ways = stop.source if first.source == "0" else f"{wrap(stop, SUM)} - {wrap(first, UNARY)}"
    frame.out.append(f"{count} = {ways}")
    if known(frame, option.guard):
        test = f"{count} < 0"
    else:
        test = f"{count} <= 0 or {wrap(truth(frame, Not(option.guard)), AND)}"
    with frame.out.indent(f"if {test}:"):
        frame.out.append(f"{count} = 0")
    return count, keep_chosen


def _found_in_row(frame: Frame, option: Option, row: Read, value: int) -> tuple[str, Callable[[str], None]]:
    """The places of a row that hold a value: counted, and the chosen one looked for."""
    (param,) = option.params
    source = row_source(frame, row)
    count = frame.scope.fresh(f"ways_to_{option.name}")
    frame.out.append(f"{count} = {source}.count({value})")

    def keep_chosen(chosen: str) -> None:
        name, left = frame.scope.fresh(param.name), frame.scope.temporary("number")
        if chosen != left:
            frame.out.append(f"{left} = {chosen}")
        _write_search(frame, source, value, name, left)
        keep(frame, frame.core.slot[param.slot], Text(name), (param.least, param.most))

    return count, keep_chosen


def _listed(frame: Frame, option: Option) -> tuple[str, Callable[[str], None]]:
    """The values of the parameters in a list."""
    found = frame.scope.fresh(f"ways_to_{option.name}")
    frame.out.append(f"{found} = []")

    def add(values: Iterable[object]) -> None:
        each = ", ".join(map(str, values))
        frame.out.append(f"{found}.append(({each}))" if ", " in each else f"{found}.append({each})")

    with frame.branch():
        ways = written_out(frame.core, option)
        if ways is None:
            write_option(frame, option, add)
        else:
            write_ways(frame, ways, add)

    def keep_chosen(chosen: str) -> None:
        names = [frame.scope.fresh(param.name) for param in option.params]
        frame.out.append(f"{', '.join(names)} = {found}[{chosen}]")
        for param, name in zip(option.params, names, strict=True):
            keep(frame, frame.core.slot[param.slot], Text(name), (param.least, param.most))

    return f"len({found})", keep_chosen


# --- drawing an outcome ------------------------------------------------------------------------------------


def _draw_outcome(frame: Frame, chance: Chance) -> Text:
    """Source that draws what chance decides."""
    low, high = weight_range(frame, chance)
    outcomes = chance.high - chance.low + 1
    if low == high and low > 0 and frame.facts.safe(chance.weight):
        if outcomes == 1:
            return literal(chance.low)
        unit = f"int(draw() * {outcomes * low})" + (f" // {low}" if low > 1 else "")
        return Text(f"{chance.low} + {unit}" if chance.low else unit, SUM)
    row = _row_of_weights(frame, chance)
    if row is not None and (low, high) == (0, 1):
        return _drawn_from_row(frame, row)
    site = frame.site("chance", "outcome ", " has the weight ", "") if low < 0 else None
    weights = _weights(frame, chance, site)
    return Text(f"pick(draw, {chance.low}, {weights}, {frame.site('chance', NOTHING)})")


def _row_of_weights(frame: Frame, chance: Chance) -> Read | None:
    fold = Fold("sum", "outcome", chance.low, chance.high, None, chance.weight)
    return whole_row(frame.core, fold, chance.weight)


def _drawn_from_row(frame: Frame, row: Read) -> Text:
    """One of the places of a row of 0 and 1 that hold 1."""
    source, ones = row_source(frame, row), frame.scope.temporary("ones")
    number, outcome = frame.scope.temporary("number"), frame.scope.temporary("outcome")
    frame.out.append(f"{ones} = sum({source})")
    none = f"fault({frame.site('chance', NOTHING)})"
    frame.out.append(f"{number} = int(draw() * {ones}) if {ones} > 1 else 0 if {ones} else {none}")
    _write_search(frame, source, 1, outcome, number)
    return Text(outcome)


def _write_search(frame: Frame, row: str, value: int, place: str, number: str) -> None:
    """`place` becomes the place of the value in the row that so many others of it stand before."""
    frame.out.append(f"{place} = {row}.index({value})")
    with frame.out.indent(f"while {number}:"):
        frame.out.append(f"{place} = {row}.index({value}, {place} + 1)")
        frame.out.append(f"{number} -= 1")


def _weights(frame: Frame, chance: Chance, below: int | None) -> str:
    """Source of a list or tuple with the weights of all outcomes, ascending.

    `below` is the fault of a weight below 0, where there may be one. It comes before what looking at a later
    weight stumbles over.
    """
    row = _row_of_weights(frame, chance)
    if row is not None and below is None:
        return row_source(frame, row)
    fold = Fold("sum", "outcome", chance.low, chance.high, None, chance.weight)
    written_out = chance.high - chance.low < _WRITTEN_OUT
    if written_out and (below is None or frame.facts.safe(fold)):
        each = (substitute(chance.weight, "outcome", o) for o in range(chance.low, chance.high + 1))
        weights = f"({', '.join(number(frame, w).source for w in each)},)"
        return weights if below is None else f"no_debts({weights}, {chance.low}, {below})"
    name, weight = frame.scope.temporary("weights"), frame.scope.temporary("weight")
    frame.out.append(f"{name} = []")
    with frame.branch():
        outcome = frame.bind("outcome", (chance.low, chance.high))
        with frame.out.indent(f"for {outcome} in {span(chance.low, chance.high)}:"):
            frame.out.append(f"{weight} = {number(frame, chance.weight).source}")
            if below is not None:
                with frame.out.indent(f"if {weight} < 0:"):
                    frame.out.append(f"fault({below}, {outcome}, {weight})")
            frame.out.append(f"{name}.append({weight})")
    return name
