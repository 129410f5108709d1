"""Proofs checked twice: cvc5 agrees with what is right, and finds what is wrong with a certificate."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import books
import pytest
import z3
from halves import HALVES
from words_book import BOOK, Made, core_of

from rulespec.compiler.core.tree import Core
from rulespec.proofs.claims import Claims
from rulespec.proofs.counterexample import Replayer
from rulespec.proofs.recheck import Decide, Recheck, Rechecked
from rulespec.proofs.sampled import Search
from rulespec.proofs.samples import Samples
from rulespec.proofs.smt.certificate import Certificate
from rulespec.proofs.smt.prove import Proof, Prover
from rulespec.proofs.smt.second import SecondSolver
from rulespec.proofs.smt.smtlib import Assertion, script
from rulespec.proofs.smt.terms import Term
from rulespec.proofs.smt.values import evaluate
from rulespec.proofs.verdicts import AGREES, DISAGREES, GAVE_UP, Limits
from rulespec.proofs.verify import verify

STEPS = 2_000_000
QUICK = Limits(total=15.0, proof=8.0, question=1.0, sampling=0.5, plays=50, machine=0, recheck=20.0)


def proof_of(core: Core) -> Proof:
    claims = Claims(core)
    search = Search(core, claims, Replayer(core, claims, None, {}))
    samples = Samples(core)
    search.gather(60, 4000, 0, samples)
    return Prover(core, claims, samples, seconds=30, question=2).run()


@pytest.fixture
def halves(tmp_path: Path) -> Core:
    return core_of(HALVES, tmp_path, 2)


def proved(proof: Proof) -> list[str]:
    return [claim for claim, finding in proof.findings.items() if finding.proved]


def again(core: Core, proof: Proof, decide: Decide | None = None) -> Rechecked:
    assert proof.certificate is not None
    recheck = Recheck(core, Claims(core), proof.certificate, SecondSolver(STEPS), seconds=30, decide=decide)
    return recheck.run(proved(proof))


# --- what is right -----------------------------------------------------------------------------------------


def test_cvc5_agrees_with_a_proof(halves: Core) -> None:
    proof = proof_of(halves)
    result = again(halves, proof)

    assert {"invariant earned", "invariant steady", "range of purse"} <= set(proved(proof))
    assert result.goals > result.questions >= 5
    assert result.doubts == []
    assert {result.of(claim) for claim in result.claims} == {(AGREES, "")}
    assert {"invariant earned", "invariant steady", "range of purse"} <= result.claims


def test_a_claim_rests_on_its_own_facts_alone(halves: Core) -> None:
    proof = proof_of(halves)
    assert proof.certificate is not None
    whole = proof.certificate.rests_on(proved(proof))
    own = proof.certificate.rests_on(["invariant steady"])

    assert 0 < sum(map(len, own.facts.values())) <= sum(map(len, whole.facts.values()))
    for location, facts in own.facts.items():
        assert facts <= proof.facts[location]
        for step in proof.certificate.steps:
            if step.edge.target == location:
                assert facts <= own.steps[step.number]


def test_the_certificate_is_the_same_in_every_run(halves: Core) -> None:
    def texts() -> list[str]:
        proof = proof_of(halves)
        assert proof.certificate is not None
        asked: list[str] = []

        def decide(text: str) -> str:
            asked.append(text)
            return "unsat"

        again(halves, proof, decide)
        return asked

    assert texts() == texts()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["equal_bids", "second_leader", "stolen_twice", "two_majors"])
def test_cvc5_agrees_with_what_is_proved_of_wrong_books(name: str) -> None:
    book = books.read(name)
    core = book.core(book.said[0])
    proof = proof_of(core)

    assert proved(proof)
    assert again(core, proof).doubts == []


# --- what is wrong -----------------------------------------------------------------------------------------


def leaning(certificate: Certificate) -> Iterator[tuple[int, Term]]:
    """Steps with a fact that they need another fact for."""
    for question in certificate.questions(certificate.rests_on(certificate.held)):
        if question.step is not None and question.facts:
            for goal in question.goals:
                assert goal.about is not None
                if question.step.leans_on.get(goal.about):
                    yield question.step.number, goal.about


def test_a_fact_that_is_left_out_is_missed(halves: Core) -> None:
    proof = proof_of(halves)
    assert proof.certificate is not None
    found = 0
    for number, fact in list(leaning(proof.certificate))[:12]:
        step = proof.certificate.steps[number]
        kept = step.leans_on
        step.leans_on = {**kept, **dict.fromkeys(kept, frozenset[Term]())}
        result = again(halves, proof)
        step.leans_on = kept
        found += any(doubt.disagrees for doubt in result.doubts)
        assert fact in kept

    assert found > 0


def test_a_condition_that_is_left_out_is_missed(halves: Core) -> None:
    proof = proof_of(halves)
    assert proof.certificate is not None
    bare = [replace(met, conditions=()) if met.kind == "obligation" else met for met in proof.certificate.met]
    proof.certificate.met = bare
    result = again(halves, proof)

    assert any(doubt.disagrees for doubt in result.doubts)
    named = [doubt for doubt in result.doubts if doubt.disagrees and doubt.claims]
    assert all(result.of(doubt.claims[0])[0] == DISAGREES for doubt in named)


def test_a_wrong_formula_is_a_disagreement_that_names_what_it_is_about(halves: Core) -> None:
    proof = proof_of(halves)
    assert proof.certificate is not None
    met = next(m for m in proof.certificate.met if m.kind == "obligation" and m.goal.op == "le")
    wrong = replace(met, goal=proof.certificate.terms.neg(met.goal))
    proof.certificate.met[proof.certificate.met.index(met)] = wrong
    result = again(halves, proof)

    assert [doubt.claims for doubt in result.doubts if doubt.disagrees] == [(met.claim,)]
    assert met.claim in result.doubts[0].text
    assert result.of(met.claim)[0] == DISAGREES
    assert result.of("invariant steady")[0] == AGREES


def test_what_cvc5_gives_up_on_is_not_agreed_with(halves: Core) -> None:
    result = again(halves, proof_of(halves), lambda text: "unknown")

    assert len(result.doubts) == result.goals
    state, why = result.of("invariant steady")
    assert state == GAVE_UP
    assert "gave up" in why


def test_where_cvc5_disagrees_nothing_is_proved(halves: Core, monkeypatch: pytest.MonkeyPatch) -> None:
    def decide(self: SecondSolver, text: str) -> str:
        return "sat" if "purse" in text else "unsat"

    monkeypatch.setattr(SecondSolver, "decide", decide)
    verdicts = {verdict.property: verdict for verdict in verify(halves, limits=QUICK)}

    doubted = [verdict for verdict in verdicts.values() if verdict.second == DISAGREES]
    assert doubted
    assert {verdict.verdict for verdict in doubted} == {"unknown"}
    assert all("a fault in the verifier" in verdict.reason for verdict in doubted)


def test_a_verdict_says_that_both_agree(halves: Core) -> None:
    verdicts = verify(halves, limits=QUICK)

    assert {verdict.second for verdict in verdicts if verdict.verdict == "proved"} == {AGREES, ""}
    assert {verdict.second for verdict in verdicts if verdict.kind == "invariant"} == {AGREES}


# --- the text ----------------------------------------------------------------------------------------------


def by_z3(text: str) -> str:
    solver = z3.Solver()
    solver.from_string(text)
    return str(solver.check())


@pytest.mark.parametrize("seed", range(2))
def test_both_solvers_read_in_the_text_what_the_terms_say(seed: int, tmp_path: Path) -> None:
    made = Made(core_of(BOOK, tmp_path, 2), seed)
    second = SecondSolver(STEPS)
    record = next(made.records(1))
    names = made.terms.names
    given = [
        Assertion(made.terms.eq(term, made.terms.integer(record[key])))
        for key, term in enumerate(made.encoder.elements)
    ]
    for _ in range(8):
        term = made.truth(3)
        holds = bool(evaluate(term, record, {}))
        known = [each for each in given if not each.term.variables.isdisjoint(term.variables)]
        for wanted, term_or_not in ((holds, term), (not holds, made.terms.neg(term))):
            text = script(["a question"], [*known, Assertion(term_or_not)], names)
            answer = "sat" if wanted else "unsat"
            assert second.decide(text) == answer, text
            assert by_z3(text) == answer, text


def test_shared_parts_are_written_once(tmp_path: Path) -> None:
    made = Made(core_of(BOOK, tmp_path, 2), 0)
    terms, first = made.terms, made.encoder.elements[made.core.offset["round"]]
    term = first
    for number in range(60):
        less = terms.sub(term, terms.integer(number))
        term = terms.ite(terms.le(term, terms.integer(3)), terms.add(term, first), less)
    text = script([], [Assertion(terms.le(term, terms.zero))], terms.names)

    assert len(text) < 60_000
    assert text.count("define-fun") > 20


def test_a_broken_text_is_no_answer() -> None:
    second = SecondSolver(STEPS)

    assert second.decide("(assert (no-such-thing))").startswith("an error")
    assert second.decide("(set-logic QF_LIA)").startswith("an error")


def test_cvc5_gives_up_after_so_many_steps() -> None:
    hard = "".join(f"(declare-const x{n} Int)(assert (<= 2 x{n} 100000))" for n in range(4))
    text = f"(set-logic QF_NIA){hard}(assert (= (* x0 x0 x0 x1) (+ 7 (* x2 x2 x3 x3 x3))))(check-sat)"

    assert SecondSolver(1000).decide(text) == "unknown"
