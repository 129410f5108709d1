"""Wrong rulebooks, one fault in each: what is false is never proved, and a play shows it; the rest stands.

The books in `books/` say which of their claims are false and which are true (`tests/support/books.py`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import cache

import books
import nets
import pytest

from rulespec.compiler.core.tree import Block, Core, Enter, Expr
from rulespec.engine.faults import Fault
from rulespec.engine.interpreter.evaluate import Wrong, evaluate
from rulespec.engine.interpreter.stepper import Interpreter
from rulespec.engine.observation import slots
from rulespec.engine.stepper import Record
from rulespec.proofs.claims import ALWAYS, NOTHING_TOLD, Claims
from rulespec.proofs.verdicts import Limits, Play, Verdict
from rulespec.proofs.verify import verify

QUICK = Limits(total=15.0, proof=8.0, question=1.0, sampling=0.5, plays=200, machine=0, shrinking=0.2)
PROVED = ("proved", "exhaustive", "vacuous")

# No play that is looked at comes to what is wrong with these; it must not be proved all the same.
OUT_OF_REACH = {"needle", "far_away", "blamed_elsewhere"}


@cache
def found(name: str) -> list[tuple[books.Said, Core, dict[str, Verdict]]]:
    """For each configuration that a book speaks of, its core and the verdicts."""
    book = books.read(name)
    cores = [(said, book.core(said)) for said in book.said]
    return [
        (said, core, {v.property: v for v in verify(core, limits=QUICK, sources=book.sources)})
        for said, core in cores
    ]


def test_there_are_enough_of_them() -> None:
    names = set(books.names())

    assert len(names) >= 60
    assert names >= OUT_OF_REACH
    assert len(OUT_OF_REACH) <= 5


@pytest.mark.parametrize("name", books.names())
def test_a_book_says_what_is_wrong_with_it(name: str) -> None:
    book = books.read(name)

    assert book.wrong
    assert any(said.false for said in book.said)
    assert any(said.true for said in book.said)
    assert books.opened(book.path).diagnostics == ()


@pytest.mark.slow
@pytest.mark.parametrize("name", books.names())
def test_what_is_false_is_never_proved(name: str) -> None:
    for said, core, verdicts in found(name):
        for claim in said.false:
            verdict = verdicts[claim]
            assert verdict.verdict == "refuted" or name in OUT_OF_REACH, (said, verdict)
            assert verdict.verdict not in PROVED, (said, verdict)
            if verdict.verdict == "refuted" and verdict.kind != "reachable":
                assert shows(core, verdict), (said, verdict)


@pytest.mark.slow
@pytest.mark.parametrize("name", books.names())
def test_a_play_that_refutes_says_what_fails_where_and_by_which_rule(name: str) -> None:
    for said, _, verdicts in found(name):
        for verdict in verdicts.values():
            play = verdict.play
            if play is None or verdict.verdict != "refuted":
                continue
            assert play.conjunct, (said, verdict)
            assert all(step.rule for step in play.steps), (said, verdict)
            if verdict.kind in (*ALWAYS, "kept") and "no value" not in play.conjunct:
                assert re.match(r"`.+`( with .+)?: .+ is .+|`.+`", play.conjunct), (said, verdict)
            changed = [step for step in play.steps if step.changes or step.through]
            assert changed or verdict.kind not in ALWAYS or len(play.steps) < 2, (said, verdict)


@pytest.mark.slow
@pytest.mark.parametrize("name", books.names())
def test_what_is_true_is_not_refuted(name: str) -> None:
    for said, _, verdicts in found(name):
        for claim in said.true:
            assert verdicts[claim].verdict != "refuted", (said, verdicts[claim])


@pytest.mark.slow
@pytest.mark.parametrize("name", books.names())
def test_no_play_speaks_against_a_proof(name: str) -> None:
    for said, _, verdicts in found(name):
        for verdict in verdicts.values():
            assert "fault in the verifier" not in verdict.reason, (said, verdict)


@pytest.mark.slow
@pytest.mark.parametrize("name", books.names())
def test_a_proof_does_not_lean_on_plays_to_find_what_is_false(name: str) -> None:
    """Plays that find a fault hide a proof that is wrong; here is one play only."""
    for said, core, _ in found(name):
        assert nets.said_wrongly(core, said.false, said.true) == []


# --- carrying out what a verdict shows, apart from how the verifier does it --------------------------------


@dataclass
class Replay:
    """Records at waiting points and at heads of loops, and the fault that broke the play off."""

    waits: list[Record] = field(default_factory=list)
    heads: list[tuple[Block, Record]] = field(default_factory=list)
    begun: int = 0  # how many heads had been passed when somebody was last asked
    fault: Fault | None = None

    def come_to(self, block: Block, record: Record) -> None:
        """Raises Fault where the head was passed with the same values since somebody was asked."""
        if any(known == record for _, known in self.heads[self.begun :]):
            raise Fault("endless", "nobody is asked any more", block.origin, block.name)
        self.heads.append((block, list(record)))

    def wait(self, record: Record) -> None:
        self.waits.append(list(record))
        self.begun = len(self.heads)


def replay(core: Core, verdict: Verdict) -> Replay:
    """The play of a verdict in the interpreter. Fails where a step is not possible."""
    assert verdict.play is not None
    made = Replay()

    def watch(at: Block | Enter, record: Record) -> None:
        if isinstance(at, Block) and at.loop is not None:
            made.come_to(at, record)

    engine = Interpreter(core, watch)
    try:
        record = engine.start()
        made.wait(record)
        for step in verdict.play.steps:
            if engine.kind(record) == "choice":
                assert step.raw in engine.moves(record)
                engine.play(record, step.raw)
            else:
                assert step.raw[0] in [outcome for outcome, _ in engine.outcomes(record)]
                engine.happen(record, step.raw[0])
            made.wait(record)
        look_ahead(engine, record)
    except Fault as fault:
        made.fault = fault
    return made


def look_ahead(engine: Interpreter, record: Record) -> None:
    """Raises Fault where nobody can move, nothing can happen or no score can be told."""
    match engine.kind(record):
        case "choice":
            engine.moves(record)
        case "chance":
            engine.outcomes(record)
        case _:
            engine.scores(record)


def shows(core: Core, verdict: Verdict) -> bool:
    """Whether its play breaks the claim."""
    if verdict.kind == "information":
        return leaks(core, verdict)
    made = replay(core, verdict)
    claims = Claims(core)
    claim = claims.all.get(verdict.property)
    if verdict.kind in ALWAYS and made.fault is None:
        assert claim is not None
        assert claim.property is not None
        return not holds(core, claim.property.condition, made.waits[-1])
    if verdict.kind == "kept":
        return any(not holds(core, e, r) for b, r in made.heads if b.loop for e in b.loop.keeps)
    if verdict.kind in ("loop", "end"):
        return goes_on(core, made)
    assert made.fault is not None
    fault = made.fault
    named = claims.of_fault(fault.kind, fault.subject, fault.block, fault.origin.rule)
    return named == verdict.property or (claim is not None and named in claim.parts)


def leaks(core: Core, verdict: Verdict) -> bool:
    """Whether its two plays look alike at the end to the seat that is asked, and offer it different moves."""
    assert verdict.play is not None
    assert verdict.play.other is not None
    other = replace(verdict, play=Play(verdict.play.other.steps))
    engine = Interpreter(core)
    first, second = (replay(core, each).waits[-1] for each in (verdict, other))
    seat = engine.actor(first)
    assert (first[-1], seat) == (second[-1], engine.actor(second))
    assert slots(core, first, seat) == slots(core, second, seat)
    assert core.blocks[first[-1]].name in verdict.property or verdict.property == NOTHING_TOLD
    return engine.moves(first) != engine.moves(second)


def holds(core: Core, condition: Expr, record: Record) -> bool:
    try:
        return bool(evaluate(core, condition, record, {}))
    except Wrong:
        return False


def goes_on(core: Core, made: Replay) -> bool:
    """Nobody is asked ever again, a position comes back, or a stated measure does not fall or is below 0."""
    if made.fault is not None:
        return made.fault.kind == "endless"
    if made.waits[-1] in made.waits[:-1]:
        return True
    last: dict[str, tuple[int, ...]] = {}
    for block, record in made.heads:
        if block.loop is not None and block.loop.measure:
            now = tuple(evaluate(core, e, record, {}) for e in block.loop.measure)
            if block.name in last and (now >= last[block.name] or min(now) < 0):
                return True
            last[block.name] = now
    return False
