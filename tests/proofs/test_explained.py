"""Why a claim holds: the facts that it needs, no more, and what keeps them."""

from __future__ import annotations

import pytest
from halves import HALVES
from words_book import core_of

from rulespec.compiler.core.tree import Core
from rulespec.proofs.evidence import Task
from rulespec.proofs.explained import Explained, explain, lines
from rulespec.proofs.smt.narrow import Narrow
from rulespec.proofs.smt.solver import Solver
from rulespec.proofs.verdicts import Limits
from rulespec.proofs.verify import Certified, certify

QUICK = Limits(total=15.0, proof=8.0, question=1.0)


@pytest.fixture(scope="module")
def halves(tmp_path_factory: pytest.TempPathFactory) -> Core:
    return core_of(HALVES, tmp_path_factory.mktemp("halves"), 2)


@pytest.fixture(scope="module")
def found(halves: Core) -> Certified:
    return certify(Task(halves, limits=QUICK))


def explained(core: Core, found: Certified, claim: str) -> Explained:
    assert found.proof.certificate is not None
    return explain(core, found.claims, found.proof.certificate, claim, found.proved, 20.0)


def test_the_facts_are_said_as_the_rules_say_them(halves: Core, found: Certified) -> None:
    told = explained(halves, found, "invariant steady")

    assert [(fact.text, fact.own) for fact in told.facts] == [
        ("all p in players: p.purse <= 2 * round", True),
        ("all p in players: 2 * round = p.bought + p.purse", False),
    ]
    assert "each time round `play.loop.1` (Playing)" in told.facts[0].places
    assert "where the game is over" in told.facts[0].places
    assert "where the game is over" not in told.facts[1].places


def test_each_path_that_changes_something_says_why(halves: Core, found: Certified) -> None:
    told = explained(halves, found, "invariant steady")
    bought = next(kept for kept in told.kept if "`buy`" in kept.path[0])

    assert bought.reasons == ("F1, F2 by F2",)
    assert "p0.purse := p0.purse + (-n if play.p.2 = p0 else 0)" in bought.changes
    assert told.kept[0].path[0] == "from before the game begins"
    assert told.kept[0].reasons == ("F1, F2 by how the game begins",)
    assert told.untouched > 0


def test_a_claim_about_the_way_says_what_it_follows_from(halves: Core, found: Certified) -> None:
    text = "\n".join(lines(explained(halves, found, "range of purse")))

    assert "What the rules have to meet, and from what it follows:" in text
    assert "purse stays in its range" in text


def test_a_measure_is_explained_by_what_it_was_before(halves: Core, found: Certified) -> None:
    text = "\n".join(lines(explained(halves, found, "loop play.loop.1 ends")))

    assert "before(-round + 5) + round >= 6" in text
    assert "falls and is not below 0" in text


def test_a_claim_that_sums_up_others_rests_on_what_they_rest_on(halves: Core, found: Certified) -> None:
    whole = explained(halves, found, "the game ends")
    part = explained(halves, found, "loop play.loop.1 ends")

    assert whole.facts == part.facts
    assert whole.met == part.met


def test_what_is_left_is_enough(halves: Core, found: Certified) -> None:
    certificate = found.proof.certificate
    assert certificate is not None
    own = Narrow(certificate, 20.0).slice(["invariant steady", "range of purse"])
    narrow = Narrow(certificate, 20.0)
    solver = Solver(certificate.terms, 2.0)
    asked = 0
    for step in certificate.steps:
        for fact in sorted(own.steps.get(step.number, ())):
            goal = certificate.terms.substitute(fact, step.store, step.memo)
            lean = narrow.lean(step, fact)
            assert lean <= found.proof.facts[step.edge.source]
            hard = [*step.edge.conditions, certificate.terms.neg(goal)]
            assert solver.ask(hard, lean).status == "unsat"
            asked += 1
    assert asked > 5


def test_without_time_all_is_taken_that_the_proof_leant_on(halves: Core, found: Certified) -> None:
    certificate = found.proof.certificate
    assert certificate is not None
    hurried = Narrow(certificate, 0.0).slice(["invariant steady"])
    whole = certificate.rests_on(["invariant steady"])

    assert hurried.facts == whole.facts


def test_what_is_not_proved_is_said_to_be_so() -> None:
    text = "\n".join(
        lines(Explained("invariant wrong", "invariant", "", 2, why_not="a play speaks against it"))
    )

    assert text.endswith("It is not proved: a play speaks against it")
