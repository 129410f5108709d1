"""Whatever is proved of a random core is compared with a visit of all its positions."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from rulespec.compiler.core.check import check
from rulespec.compiler.core.tree import Core
from rulespec.proofs.evidence import Task
from rulespec.proofs.verdicts import ANY, Limits
from rulespec.proofs.verify import run_task, verify
from tests.proofs.generate import cores, otherwise

QUICK = Limits(sampling=0.2, plays=100, machine=0, shrinking=0.2, question=1.0, proof=10.0)
RELAXED = list(HealthCheck)
UNSHRUNK = (Phase.explicit, Phase.reuse, Phase.generate)  # a smaller core takes longer to find than to see


def agrees(core: Core) -> tuple[int, int]:
    """Fails where a proof and a visit of all positions differ; how many of each were compared."""
    assert check(core) == ()
    visited = {v.property: v for v in run_task(Task(core, "whole", limits=QUICK))}
    proved = refuted = 0
    others = [refuted_in(other) for other in otherwise(core)]
    for verdict in verify(core, limits=QUICK):
        other = visited.get(verdict.property)  # a claim about faults is not there if no play met one
        assert "fault in the verifier" not in verdict.reason
        assert "does not confirm" not in verdict.reason
        if verdict.verdict in ("proved", "vacuous") and verdict.kind != "reachable":
            proved += other is not None
            assert other is None or other.verdict != "refuted", (verdict, other)
            if verdict.assumed == ANY:
                assert not any(verdict.property in wrong for wrong in others), verdict
        if verdict.verdict == "refuted" and verdict.kind not in ("loop", "end"):
            refuted += 1
            assert other is not None, verdict
            assert other.verdict == "refuted", (verdict, other)
    return proved, refuted


def refuted_in(core: Core) -> set[str]:
    """What some play of this core breaks."""
    found = run_task(Task(core, "whole", limits=QUICK))
    return {verdict.property for verdict in found if verdict.verdict == "refuted"}


@pytest.mark.slow
@settings(max_examples=15, deadline=None, derandomize=True, suppress_health_check=RELAXED, phases=UNSHRUNK)
@given(cores())
def test_proofs_agree_with_exploration(core: Core) -> None:
    proved, _ = agrees(core)
    assert proved > 0


@pytest.mark.deep
@settings(max_examples=300, deadline=None, suppress_health_check=RELAXED, phases=UNSHRUNK)
@given(cores())
def test_many_proofs_agree_with_exploration(core: Core) -> None:
    proved, _ = agrees(core)
    assert proved > 0
