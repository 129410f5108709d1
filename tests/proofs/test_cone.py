"""Cones: what a claim depends on, and that nothing else can make a difference to it."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import pytest
from edits import edits
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from rulespec.compiler.core import build
from rulespec.compiler.core.tree import Arith, Compare, Const, Core, Property, Read
from rulespec.engine.python.stepper import PythonEngine
from rulespec.proofs.claims import Claims
from rulespec.proofs.cone import NO_STUMBLE, Cones
from rulespec.proofs.evidence import Task
from rulespec.proofs.verdicts import Limits, Verdict
from rulespec.proofs.verify import run_task
from tests.proofs.generate import cores

TIGHT = 4
VISIT = Limits(scope_states=4000, scope_seconds=4.0)
RELAXED = list(HealthCheck)
UNSHRUNK = (Phase.explicit, Phase.reuse, Phase.generate)


def _visited(core: Core) -> dict[str, Verdict]:
    return {v.property: v for v in run_task(Task(core, "whole", limits=VISIT))}


def _is_sure(found: dict[str, Verdict]) -> bool:
    """No play stumbles, and each comes to an end."""
    return all(v.verdict == "exhaustive" for v in found.values() if v.kind in NO_STUMBLE)


def _tight(core: Core, rng: random.Random) -> Iterator[Property]:
    """What is just about true wherever somebody waits: almost any change of a number breaks it."""
    records = list(_records(core))
    for number in range(TIGHT):
        slots = rng.sample([s for s in core.slots if not s.dims], 2)
        factors = [rng.choice((1, -1, 2)) for _ in slots]
        offsets = [core.offset[s.name] for s in slots]
        values = [sum(f * r[o] for f, o in zip(factors, offsets, strict=True)) for r in records]
        form = build.arith(
            "+", *(Arith("*", Const(f), Read(s.name)) for f, s in zip(factors, slots, strict=True))
        )
        for operator, bound in (("<=", max(values)), (">=", min(values))):
            yield Property("invariant", f"tight{operator}{number}", "", Compare(operator, form, Const(bound)))


def _records(core: Core) -> Iterator[tuple[int, ...]]:
    """Every record in which somebody waits."""
    engine = PythonEngine(core)
    seen: set[tuple[int, ...]] = set()
    waiting = [engine.start()]
    while waiting:
        record = waiting.pop()
        if tuple(record) in seen:
            continue
        seen.add(tuple(record))
        yield tuple(record)
        kind = engine.kind(record)
        for move in engine.moves(record) if kind == "choice" else ():
            waiting.append(list(record))
            engine.play(waiting[-1], move)
        for outcome, _ in engine.outcomes(record) if kind == "chance" else ():
            waiting.append(list(record))
            engine.happen(waiting[-1], outcome)


def _hashes(core: Core) -> dict[str, str]:
    claims = Claims(core)
    cones = Cones(core, claims)
    return {claim.name: cones.hash(claim) for claim in claims.all.values()}


def _compare(core: Core, rng: random.Random, number: int, seen: Counter[str]) -> None:
    """Whatever holds in a core holds in each other one where the claim has the same cone."""
    before = _visited(core)
    seen["cores"] += 1
    if not _is_sure(before):
        return
    seen["sure cores"] += 1
    core = replace(core, properties=tuple(_tight(core, rng)))
    before = _visited(core)
    hashes = _hashes(core)
    for other in edits(core, rng, number):
        after = _visited(other)
        now = _hashes(other)
        for name, hashed in hashes.items():
            if before[name].verdict != "exhaustive" or name not in after:
                continue
            same = bool(hashed) and hashed == now.get(name)
            broken = after[name].verdict == "refuted"
            assert not (same and broken), (name, after[name])
            seen["same" if same else "broken" if broken else "other"] += 1
            seen[f"same {before[name].kind}"] += same


def _run(examples: int, number: int, *, fixed: bool) -> Counter[str]:
    seen: Counter[str] = Counter()

    @settings(
        max_examples=examples,
        deadline=None,
        derandomize=fixed,
        database=None,
        suppress_health_check=RELAXED,
        phases=UNSHRUNK,
    )
    @given(cores(), st.integers(0, 1_000_000))
    def compare(core: Core, seed: int) -> None:
        _compare(core, random.Random(seed), number, seen)

    compare()
    return seen


@pytest.mark.slow
def test_edits_outside_a_cone_make_no_difference() -> None:
    seen = _run(40, 6, fixed=True)

    assert seen["same"] > 100
    assert seen["broken"] > 3


@pytest.mark.slow
def test_that_comparison_sees_where_waiting_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Cones, "_undecided", lambda self, cone: set())
    monkeypatch.setattr(Cones, "_seen_at", lambda self, name, cone, unseen: ())

    with pytest.raises(AssertionError):
        _run(150, 8, fixed=True)


@pytest.mark.deep
def test_that_comparison_sees_where_decisions_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Cones, "_decides", lambda self, name, following: False)

    with pytest.raises(AssertionError):
        _run(150, 8, fixed=True)


@pytest.mark.deep
def test_many_edits_outside_a_cone_make_no_difference() -> None:
    seen = _run(500, 10, fixed=False)

    assert seen["same"] > 3000
    assert seen["broken"] > 100
