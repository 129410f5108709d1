"""What a proof may use: where that is not enough, it says so and nothing else."""

from __future__ import annotations

from dataclasses import replace

import pytest
from books import read
from samples import sample

from rulespec.compiler.core.tree import Core
from rulespec.proofs.smt.solver import Solver
from rulespec.proofs.smt.terms import Terms
from rulespec.proofs.verdicts import Limits
from rulespec.proofs.verify import verify

QUICK = Limits(sampling=0.2, plays=50, machine=0, shrinking=0.2, scope_states=1)
HOLDS = ("proved", "vacuous", "exhaustive")


def _core(name: str) -> Core:
    book = read(name)
    return book.core(book.said[0])


def test_a_proof_without_memory_is_given_up() -> None:
    verdicts = verify(_core("sixth_round"), limits=replace(QUICK, memory=0))

    given_up = [v for v in verdicts if v.reason == "memory ran out before the facts were settled"]
    assert given_up
    assert all(v.verdict not in ("proved", "vacuous") for v in given_up)


def test_a_claim_has_only_its_time() -> None:
    core = sample("auction")
    usual = {v.property: v for v in verify(core, limits=QUICK)}
    hurried = {v.property: v for v in verify(core, limits=replace(QUICK, claim=-1.0))}

    assert usual.keys() == hurried.keys()
    late = [v for v in hurried.values() if "the time for one claim was over" in v.reason]
    assert late
    assert all(v.verdict not in ("proved", "vacuous") for v in late)


def test_a_solver_without_memory_says_so() -> None:
    solver = Solver(Terms(), 1.0)
    error = solver_error("out of memory")

    with pytest.raises(MemoryError), solver.clock():
        raise error


def test_other_errors_of_the_solver_are_faults() -> None:
    solver = Solver(Terms(), 1.0)
    error = solver_error("invalid argument")

    with pytest.raises(type(error)), solver.clock():
        raise error


def solver_error(text: str) -> Exception:
    import z3

    error: Exception = z3.Z3Exception(text)
    return error
