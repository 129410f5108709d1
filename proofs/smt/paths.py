"""From one control point to the next: all paths through the step blocks between, symbolically.

A proof's control point is a `Location`: a block, and the return addresses that are in force there, so that a
rule that is called from three places has three copies of its control points here (and nowhere else).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from rulespec.compiler.core.tree import (
    Block,
    Branch,
    Chance,
    Check,
    Choose,
    Const,
    Core,
    End,
    Enter,
    Expr,
    For,
    Goto,
    If,
    Let,
    Option,
    Origin,
    Set,
    Slot,
    Statement,
    Switch,
)
from rulespec.proofs.smt.bounds import Bounds
from rulespec.proofs.smt.contexts import Contexts
from rulespec.proofs.smt.contracts import Contract
from rulespec.proofs.smt.encode import Encoder, Need, Scope, under
from rulespec.proofs.smt.state import State
from rulespec.proofs.smt.syntax import variables
from rulespec.proofs.smt.terms import Term

PATHS = 4000  # from one location; more is given up
OUTCOMES = 6  # chance with so many outcomes or fewer is taken apart
COMBINATIONS = 3000  # parameter values tried one by one to show that an option is open


class TooMany(Exception):
    """A limit of the proof was reached, `text` says which."""


@dataclass(frozen=True, slots=True, order=True)
class Location:
    """`kind` is `start`, `head`, `choice`, `chance` or `end`; `stack` has the return addresses in force.

    At a head the block's statements are still to come; at a choice, chance or end they have been done.
    """

    block: str
    kind: str
    stack: tuple[tuple[str, int], ...] = ()

    def __str__(self) -> str:
        if not self.stack:
            return self.block
        return f"{self.block} ({', '.join(f'{slot} {value}' for slot, value in self.stack)})"


@dataclass(frozen=True, slots=True)
class Obligation:
    """`claim` must hold where `conditions` do, all over the record at the location that the path leaves.

    `kind` is a kind of `Fault`; `subject` the slot, table or block it is about.
    """

    kind: str
    subject: str
    text: str
    claim: Term
    conditions: tuple[Term, ...]
    origin: Origin
    block: str


@dataclass(frozen=True, slots=True)
class Edge:
    """One path. `store` has the elements it writes, over the record and the choice at its source."""

    source: Location
    target: Location
    conditions: tuple[Term, ...]
    store: dict[int, Term]
    trail: tuple[str, ...]
    passed: tuple[tuple[Expr, bool], ...]
    label: str = ""


@dataclass(frozen=True, slots=True)
class Settled:
    """An obligation that intervals show to be met, so that nobody was asked; of kind `path`: that a path
    cannot be taken.

    Its conditions are the first `known` of those that the path came to have.
    """

    found: Obligation
    path: list[Term]
    known: int

    @property
    def obligation(self) -> Obligation:
        return replace(self.found, conditions=tuple(self.path[: self.known]))


@dataclass(frozen=True, slots=True)
class Exits:
    """All that can happen from one location to the next ones; `settled` is for who checks a proof again."""

    edges: tuple[Edge, ...]
    obligations: tuple[Obligation, ...]
    settled: tuple[Settled, ...] = ()


@dataclass(frozen=True, slots=True)
class Passage:
    """A path comes by a place in the text if `conditions` hold at the location that it leaves.

    `kind` is `rule` (it begins), `then` or `other` (a condition comes out so), `option` (it is chosen) or
    `kept back` (only the option's own `when` stands against it).
    """

    kind: str
    origin: Origin
    source: Location
    conditions: tuple[Term, ...]


class Walker:
    """Walks all paths of a core from a location; `watch` is told of what they come by."""

    def __init__(
        self,
        core: Core,
        encoder: Encoder,
        contracts: Mapping[str, Contract],
        watch: Callable[[Passage], None] | None = None,
    ) -> None:
        self.core = core
        self.watch = watch
        self.encoder = encoder
        self.terms = encoder.terms
        self.contracts = contracts
        self.contexts = Contexts(core, contracts)
        self._edges: list[Edge] = []
        self._obligations: list[Obligation] = []
        self._settled: list[Settled] = []
        self._source = Location(core.start, "start")
        self._origin = Origin()  # of the latest statement that has one, as the interpreter has it for faults

    def leave(self, location: Location) -> Exits:
        """Raises TooMany."""
        self._edges, self._obligations, self._settled, self._source = [], [], [], location
        state = self._begin(location)
        block = self.core.block[location.block]
        match location.kind, block.end:
            case "start", _:
                self._start(state)
            case "head", _:
                self._run(block, state)
            case "end", _:
                self._end(block, state)
            case _, Choose() as choose:
                self._choices(block, choose, state)
            case _, Chance() as chance:
                self._outcomes(block, chance, state)
        return Exits(tuple(self._edges), tuple(self._obligations), tuple(self._settled))

    def _begin(self, location: Location) -> State:
        returns = {slot: value for slot, value in location.stack if slot in self.contexts.returns}
        state = State({}, returns)
        if location.kind == "start":
            values = [v for slot in self.core.slots for v in slot.initial]
            state.store.update((position, self.terms.integer(v)) for position, v in enumerate(values))
        for slot, value in location.stack:
            state.store[self.core.offset[slot]] = self.terms.integer(value)
        return state

    def _start(self, state: State) -> None:
        block = self.core.block[self.core.start]
        for slot in self.core.slots:
            inside = self.terms.truth(all(slot.low <= v <= slot.high for v in slot.initial))
            text = f"{slot.name} starts outside its range"
            self._claim("range", slot.name, text, inside, state, Scope(state.store), slot.origin, block)
        self._enter(self.core.start, state)

    def _end(self, block: Block, state: State) -> None:
        """Nothing follows, but the scores must be there."""
        for seat in range(self.core.configuration.players):
            scope = Scope(state.store, {"p": self.terms.integer(seat)})
            for key in self.core.ranking:
                self.encoder.number(key, scope)
            self._oblige(scope, state, block.origin, block)

    # --- blocks --------------------------------------------------------------------------------------------

    def _enter(self, name: str, state: State) -> None:
        """The path comes to a block: it ends at a loop's head, else goes on through the statements."""
        block = self.core.block[name]
        if state.bounds.impossible:
            self._closed(state, self.terms.false, block)
            return
        contract = self.contracts.get(name)
        if contract is not None:
            past = state.fork(self.terms.true)
            state.active.clear()
            self._past(contract, past)
        if block.loop is not None:
            self._arrive(name, "head", state)
        else:
            self._run(block, state)

    def _past(self, contract: Contract, state: State) -> None:
        """The rule was called and has returned: all that it writes is anything that it ensures."""
        for name in contract.written:
            slot, base = self.core.slot[name], self.core.offset[name]
            for number in range(slot.size):
                state.store[base + number] = self.terms.fresh(name, slot.low, slot.high)
        for check in contract.ensures:
            state.assume(self.encoder.sound_truth(check.condition, state.store))
            state.passed.append((check.condition, True))
        state.trail.append(f"{contract.entry} (as it ensures)")
        end = self.core.block[contract.exit].end
        assert isinstance(end, Switch)
        self._switch(contract.returns, end.targets, state)

    def _arrive(self, name: str, kind: str, state: State) -> None:
        if len(self._edges) >= PATHS:
            raise TooMany(f"more than {PATHS} paths from {self._source}")
        target = Location(name, kind, self._kept(name, kind, state))
        self._edges.append(
            Edge(
                self._source,
                target,
                tuple(state.conditions),
                state.store,
                tuple(state.trail),
                tuple(state.passed),
                state.label,
            )
        )

    def _kept(self, name: str, kind: str, state: State) -> tuple[tuple[str, int], ...]:
        """The return addresses and counters that are known and still needed."""
        returns = tuple(sorted(state.active.items()))
        needed = self.contexts.needed(name, returns, at_end=kind != "head")
        kept = dict(state.active)
        for counter in self.contexts.counters & needed:
            value = state.store.get(self.core.offset[counter])
            if value is not None and value.op == "int":
                kept[counter] = value.number
        return tuple(sorted((slot, value) for slot, value in kept.items() if slot in needed))

    def _run(self, block: Block, state: State) -> None:
        state.trail.append(block.name)
        scope = Scope(state.store)
        self._origin = block.origin
        for statement in block.body:
            self._statement(statement, state, scope, block)
        scope.names = {}
        if block.name in self.contexts.exits:
            return  # what comes after it comes after the call, see _past
        match block.end:
            case Goto(target):
                self._enter(target, state)
            case Branch(condition) as end:
                test = self.encoder.truth(condition, scope)
                self._oblige(scope, state, self._origin, block)
                self._branch(end, test, state)
            case Switch(slot, targets):
                self._switch(slot, targets, state)
            case Choose():
                self._arrive(block.name, "choice", state)
            case Chance():
                self._arrive(block.name, "chance", state)
            case End():
                self._arrive(block.name, "end", state)

    def _branch(self, end: Branch, test: Term, state: State) -> None:
        condition, then, other = end.condition, end.then, end.other
        known = state.bounds.truth(test)
        for value, target in ((True, then), (False, other)):
            if known is not (not value):
                next_state = state.fork(test if value else self.terms.neg(test))
                next_state.passed.append((condition, value))
                self._tell("then" if value else "other", end.origin, next_state)
                self._enter(target, next_state)
            else:
                self._closed(state, self.terms.neg(test) if value else test, self.core.block[target])

    def _switch(self, slot: str, targets: tuple[str, ...], state: State) -> None:
        value = self.encoder.element(Scope(state.store), self.core.offset[slot])
        state.active.pop(slot, None)
        for number, target in enumerate(targets):
            test = self.terms.eq(value, self.terms.integer(number))
            if state.bounds.truth(test) is not False:
                self._enter(target, state.fork(test))
            else:
                self._closed(state, self.terms.neg(test), self.core.block[target])

    # --- statements ----------------------------------------------------------------------------------------

    def _statements(self, body: Sequence[Statement], state: State, scope: Scope, block: Block) -> None:
        names, origin = scope.names, self._origin
        scope.names = dict(names)
        for statement in body:
            self._statement(statement, state, scope, block)
        scope.names, self._origin = names, origin

    def _statement(self, statement: Statement, state: State, scope: Scope, block: Block) -> None:
        if isinstance(statement, Set | Check | Enter) and statement.origin != Origin():
            self._origin = statement.origin
        match statement:
            case Set():
                self._set(statement, state, scope, block)
            case Let(name, value):
                term = self.encoder.number(value, scope)
                self._oblige(scope, state, self._origin, block)
                scope.names[name] = term
            case If(condition, then, other):
                test = self.encoder.truth(condition, scope)
                self._oblige(scope, state, self._origin, block)
                self._tell_if(statement, test, state, scope)
                self._if(test, then, other, state, scope, block)
            case For(variable, low, high, body):
                before = scope.names
                for each in range(low, high + 1):
                    scope.names = {**before, variable: self.terms.integer(each)}
                    self._statements(body, state, scope, block)
                scope.names = before
            case Check(condition, kind, text):
                test = self.encoder.truth(condition, scope)
                self._oblige(scope, state, self._origin, block)
                self._claim(kind, block.name, text, test, state, scope, self._origin, block)
                if not scope.guards:
                    state.passed.append((condition, True))
            case Enter():
                self._tell("rule", statement.origin, state, scope.guards)

    def _tell_if(self, statement: If, test: Term, state: State, scope: Scope) -> None:
        known = state.bounds.truth(test)
        for value in (True, False):
            if known is not (not value):
                kind = "then" if value is not statement.turned else "other"
                way = (*scope.guards, test if value else self.terms.neg(test))
                self._tell(kind, statement.origin, state, way)

    def _tell(self, kind: str, origin: Origin, state: State, more: Iterable[Term] = ()) -> None:
        if self.watch is not None and origin != Origin():
            self.watch(Passage(kind, origin, self._source, (*state.conditions, *more)))

    def _if(
        self,
        test: Term,
        then: Sequence[Statement],
        other: Sequence[Statement],
        state: State,
        scope: Scope,
        block: Block,
    ) -> None:
        known = state.bounds.truth(test)
        if known is not None:
            self._closed(state, test if known else self.terms.neg(test), block)
            self._statements(then if known else other, state, scope, block)
            return
        before = dict(state.store)
        with under(scope, test):
            self._statements(then, state, scope, block)
        taken = dict(state.store)
        state.store.clear()
        state.store.update(before)
        with under(scope, self.terms.neg(test)):
            self._statements(other, state, scope, block)
        for position in taken.keys() | state.store.keys():
            a = taken.get(position, self.encoder.elements[position])
            b = state.store.get(position, self.encoder.elements[position])
            if a is not b:
                state.store[position] = self.terms.ite(test, a, b)

    def _set(self, statement: Set, state: State, scope: Scope, block: Block) -> None:
        slot = self.core.slot[statement.slot]
        at = self.encoder.indices(statement.index, slot.dims, slot.name, scope)
        value = self.encoder.number(statement.value, scope)
        self._oblige(scope, state, self._origin, block)
        inside = self.encoder.within(value, slot.low, slot.high)
        self._claim(
            "range", slot.name, f"{slot.name} leaves its range", inside, state, scope, self._origin, block
        )
        if slot.name in self.contexts.returns and isinstance(statement.value, Const):
            state.active[slot.name] = statement.value.value
        self.write(state.store, slot, at, value)

    def write(self, store: dict[int, Term], slot: Slot, at: tuple[Term, ...], value: Term) -> None:
        """`slot[at] := value`, by cases where `at` is not known."""
        base = self.core.offset[slot.name]
        for number in range(slot.size):
            hit = self._is_at(slot, at, number)
            if hit is not self.terms.false:
                old = store.get(base + number, self.encoder.elements[base + number])
                store[base + number] = self.terms.ite(hit, self._given(hit, value), old)

    def _given(self, hit: Term, value: Term) -> Term:
        """The value where `hit` holds, with the variables that this settles replaced by their numbers."""
        if hit is self.terms.true or value.variables.isdisjoint(hit.variables):
            return value
        bounds = Bounds()
        bounds.learn((hit,))
        settled: dict[int, Term] = {}
        for key in hit.variables & value.variables:
            low, high = bounds.of_variable(key)
            if low is not None and low == high:
                settled[key] = self.terms.integer(low)
        return self.terms.substitute(value, settled, {})

    def _is_at(self, slot: Slot, at: tuple[Term, ...], number: int) -> Term:
        tests: list[Term] = []
        for dim, index in zip(reversed(slot.dims), reversed(at), strict=True):
            number, here = divmod(number, len(dim.names))
            tests.append(self.terms.eq(index, self.terms.integer(here)))
        return self.terms.conj(tests)

    # --- what must hold on the way -------------------------------------------------------------------------

    def _oblige(self, scope: Scope, state: State, origin: Origin, block: Block) -> None:
        needs: list[Need] = list(scope.needs)
        scope.needs.clear()
        for need in needs:
            self._note(Obligation(need.kind, need.text, "", need.claim, (), origin, block.name), state)

    def _claim(
        self,
        kind: str,
        subject: str,
        text: str,
        test: Term,
        state: State,
        scope: Scope,
        origin: Origin,
        block: Block,
    ) -> None:
        claim = self.terms.disj([*(self.terms.neg(g) for g in scope.guards), test])
        self._note(Obligation(kind, subject, text, claim, (), origin, block.name), state)

    def _note(self, found: Obligation, state: State) -> None:
        """Record the obligation unless it is plain; from here on the path is one on which it held."""
        if state.bounds.truth(found.claim) is True:
            self._settle(found, state)
            return
        self._obligations.append(
            Obligation(
                found.kind,
                found.subject,
                found.text,
                found.claim,
                tuple(state.conditions),
                found.origin,
                found.block,
            )
        )
        state.assume(found.claim)

    def _settle(self, found: Obligation, state: State) -> None:
        """Intervals show it."""
        if found.claim is not self.terms.true:
            self._settled.append(Settled(found, state.conditions, len(state.conditions)))

    def _closed(self, state: State, claim: Term, block: Block) -> None:
        """By intervals `claim` holds, and so there is no path into the block."""
        self._settle(Obligation("path", block.name, "", claim, (), block.origin, block.name), state)

    # --- choices -------------------------------------------------------------------------------------------

    def _choices(self, block: Block, choose: Choose, state: State) -> None:
        scope = Scope(state.store)
        actor = self.encoder.number(choose.actor, scope)
        self._oblige(scope, state, block.origin, block)
        seat = self.encoder.within(actor, 0, self.core.configuration.players - 1)
        self._claim("seat", block.name, "a seat that is there", seat, state, scope, block.origin, block)
        for option in choose.options if self.watch is not None else ():
            # That there is a move is not taken for granted: the only one may be kept back, too.
            self._option(block, option, state.fork(self.terms.true), kept_back=True)
        some = self.terms.disj(self.openings(choose, state))
        self._claim("choice", block.name, "there is a legal move", some, state, scope, block.origin, block)
        for option in choose.options:
            self._option(block, option, state.fork(self.terms.true))

    def openings(self, choose: Choose, state: State) -> Iterator[Term]:
        """Conditions under which some move is legal, option by option, simplest first."""
        for option in sorted(choose.options, key=lambda o: len(o.params)):
            yield self._opening(option, 0, Scope(state.store), COMBINATIONS)

    def _opening(self, option: Option, number: int, scope: Scope, room: int) -> Term:
        """Some values of the parameters from `number` on make a legal move; false where there are too many to
        try.
        """
        if number == len(option.params):
            return self.encoder.sound_truth(option.guard, scope.store, scope.names)
        param = option.params[number]
        low = self.encoder.number(param.low, scope)
        high = self.encoder.number(param.high, scope)
        if number == len(option.params) - 1 and param.name not in variables(option.guard):
            guard = self.encoder.sound_truth(option.guard, scope.store, scope.names)
            return self.terms.conj((self.terms.le(low, high), guard))
        count = param.most - param.least + 1
        if count > room:
            return self.terms.false
        found: list[Term] = []
        for value in range(param.least, param.most + 1):
            chosen = self.terms.integer(value)
            inside = self.terms.conj((self.terms.le(low, chosen), self.terms.le(chosen, high)))
            if inside is not self.terms.false:
                inner = Scope(scope.store, {**scope.names, param.name: chosen})
                rest = self._opening(option, number + 1, inner, room // count)
                found.append(self.terms.conj((inside, rest)))
        return self.terms.disj(found)

    def _option(self, block: Block, option: Option, state: State, *, kept_back: bool = False) -> None:
        scope = Scope(state.store)
        state.label = option.name
        chosen: list[tuple[Slot, Term]] = []
        for param in option.params:
            low = self.encoder.number(param.low, scope)
            high = self.encoder.number(param.high, scope)
            self._oblige(scope, state, option.origin, block)
            encoded = self.terms.disj(
                (
                    self.terms.lt(high, low),
                    self.terms.conj(
                        (
                            self.terms.le(self.terms.integer(param.least), low),
                            self.terms.le(high, self.terms.integer(param.most)),
                        )
                    ),
                )
            )
            self._claim("parameter", param.name, param.name, encoded, state, scope, option.origin, block)
            value = self.terms.fresh(param.name, param.least, param.most)
            state.assume(self.terms.conj((self.terms.le(low, value), self.terms.le(value, high))))
            scope.names[param.name] = value
            chosen.append((self.core.slot[param.slot], value))
        guard = self.encoder.truth(option.guard, scope)
        self._oblige(scope, state, option.origin, block)
        if kept_back:
            unasked = self.encoder.sound_truth(option.unasked, scope.store, scope.names)
            self._tell("kept back", option.origin, state, (unasked, self.terms.neg(guard)))
            return
        state.assume(guard)
        self._tell("option", option.origin, state)
        state.passed.append((option.guard, True))
        for slot, value in chosen:
            inside = self.encoder.within(value, slot.low, slot.high)
            self._claim("range", slot.name, "", inside, state, scope, option.origin, block)
            self.write(state.store, slot, (), value)
        self._enter(option.target, state)

    def _outcomes(self, block: Block, chance: Chance, state: State) -> None:
        scope = Scope(state.store)
        weights: dict[int, Term] = {}
        for outcome in range(chance.low, chance.high + 1):
            scope.names["outcome"] = self.terms.integer(outcome)
            weights[outcome] = self.encoder.number(chance.weight, scope)
        self.encoder.number(chance.seen_by, scope)
        self._oblige(scope, state, block.origin, block)
        zero = self.terms.zero
        possible = self.terms.conj(
            [
                *(self.terms.le(zero, w) for w in weights.values()),
                self.terms.lt(zero, self.terms.total((1, w) for w in weights.values())),
            ]
        )
        self._claim("chance", block.name, "something can happen", possible, state, scope, block.origin, block)
        slot = self.core.slot[chance.slot]
        if len(weights) <= OUTCOMES:
            for outcome, weight in weights.items():
                self._outcome(chance, slot, self.terms.integer(outcome), weight, state)
            return
        value = self.terms.fresh("outcome", chance.low, chance.high)
        scope.names["outcome"] = value
        self._outcome(chance, slot, value, self.encoder.number(chance.weight, scope), state)

    def _outcome(self, chance: Chance, slot: Slot, value: Term, weight: Term, state: State) -> None:
        test = self.terms.lt(self.terms.zero, weight)
        if state.bounds.truth(test) is False:
            self._closed(state, self.terms.neg(test), self.core.block[chance.target])
            return
        after = state.fork(test)
        after.label = slot.name
        inside = self.encoder.within(value, slot.low, slot.high)
        block = self.core.block[self._source.block]
        self._claim("range", slot.name, "", inside, after, Scope(after.store), block.origin, block)
        self.write(after.store, slot, (), value)
        self._enter(chance.target, after)
