"""Proofs written out: any solver agrees with every file, and the page says what each one is."""

from __future__ import annotations

import re

import pytest
import z3
from halves import HALVES
from words_book import core_of

from rulespec.proofs.evidence import Task
from rulespec.proofs.exported import Exported, export, page
from rulespec.proofs.smt.second import SecondSolver, is_installed
from rulespec.proofs.verdicts import Limits
from rulespec.proofs.verify import certify

QUICK = Limits(total=15.0, proof=8.0, question=1.0)


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Exported:
    core = core_of(HALVES, tmp_path_factory.mktemp("halves"), 2)
    found = certify(Task(core, limits=QUICK))
    assert found.proof.certificate is not None
    files = tuple(export(core, found.claims, found.proof.certificate, found.proved, "2-players"))
    return Exported(core.title, "2 players", files, found.proved, {c: found.why_open(c) for c in found.open})


def test_every_question_has_the_answer_that_it_must_have(exported: Exported) -> None:
    assert {"invariant earned", "invariant steady", "range of purse"} <= set(exported.proved)
    assert len(exported.files) > 3
    for file in exported.files:
        solver = z3.Solver()
        solver.from_string(file.text)
        assert str(solver.check()) == "unsat", file.name
        if is_installed():
            assert SecondSolver(2_000_000).decide(file.text) == "unsat", file.name


def test_without_the_last_assertion_there_is_an_answer(exported: Exported) -> None:
    """What is known does not contradict itself, so that it is the claim that is refuted."""
    steps = [file for file in exported.files if "/steps/" in file.name]
    assert steps
    for file in steps:
        known, last, rest = file.text.rpartition("(assert ")
        assert last
        solver = z3.Solver()
        solver.from_string(f"{known}(check-sat)")
        assert str(solver.check()) == "sat", rest


def test_a_file_says_what_it_is_about(exported: Exported) -> None:
    step = next(file for file in exported.files if "/steps/" in file.name)

    assert step.text.startswith("; halves, 2 players: what is kept from where somebody chooses in")
    assert "; - 2 * round = p0.bought + p0.purse" in step.text
    assert "(declare-const |p0.purse| Int)\n(assert (<= 0 |p0.purse| 10))" in step.text
    assert "Rest on it: invariant earned" in step.text


def test_the_page_lists_every_file_and_every_claim(exported: Exported) -> None:
    text = page("Halves", [exported])

    assert text.startswith("# What the proofs of Halves rest on\n")
    assert f"`{len(exported.files)} unsat`" in text
    assert sorted(re.findall(r"^\| `([^`]+\.smt2)` \|", text, re.M)) == sorted(f.name for f in exported.files)
    for claim in exported.proved:
        assert claim in text


def test_names_are_all_different_and_plain(exported: Exported) -> None:
    names = [file.name for file in exported.files]

    assert len(set(names)) == len(names)
    assert all(re.fullmatch(r"[A-Za-z0-9/.-]+", name) for name in names)
