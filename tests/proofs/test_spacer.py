"""Spacer: a source of facts, in a process of its own, of which nothing is trusted."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from without_help import PUSHING

from rulespec import api
from rulespec.compiler.core.tree import Core
from rulespec.proofs.smt import deeper, fixedpoint
from rulespec.proofs.smt.fixedpoint import Limits as Most
from rulespec.proofs.smt.fixedpoint import reach
from rulespec.proofs.smt.reading import NotSaid, read
from rulespec.proofs.smt.smtlib import Rule, rules
from rulespec.proofs.smt.terms import Term, Terms
from rulespec.proofs.unaided import unaided
from rulespec.proofs.verdicts import Limits, Verdict
from rulespec.proofs.verify import verify

ENOUGH = Limits(total=90.0, proof=60.0, question=10.0, sampling=0.2, plays=20, machine=0, shrinking=0.2)
LITTLE = Limits(total=9.0, proof=6.0, question=2.0, sampling=0.2, plays=20, machine=0, shrinking=0.2)
BRIEF = Most(steps=4_000_000, seconds=20)

OPEN = "checks of turn_of"


def core_of(folder: Path, text: str) -> Core:
    path = folder / "pushing.rules"
    path.write_text(text)
    book = api.open_rulebook(str(path))
    return unaided(book.core(book.configuration(players=2)))


def verdicts(core: Core, limits: Limits = LITTLE) -> dict[str, Verdict]:
    return {v.property: v for v in verify(core, limits=limits)}


# --- in proofs ---------------------------------------------------------------------------------------------


def test_it_finds_what_nothing_else_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    core = core_of(tmp_path, PUSHING)
    found = verdicts(core, ENOUGH)[OPEN]

    assert found.verdict == "proved"
    assert "turn_of: keeps hand + kept + table <= 6 * throws" in found.found
    monkeypatch.setattr(deeper, "WAYS", tuple(w for w in deeper.WAYS if "spacer" not in w.__name__))
    assert verdicts(core)[OPEN].verdict == "sampled"


def test_what_is_wrong_is_not_proved(tmp_path: Path) -> None:
    wrong = PUSHING.replace("kept <= 6 * throws", "kept < 6 * throws or throws < 2")

    assert verdicts(core_of(tmp_path, wrong))[OPEN].verdict in ("refuted", "sampled", "unknown")


def test_lies_are_not_believed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def lying(text: str, relations: dict[str, int], *_: object) -> fixedpoint.Reached:
        return fixedpoint.Reached("unsat", dict.fromkeys(relations, ("false", "(<= a0 (- 1))", "(oops)")))

    monkeypatch.setattr("rulespec.proofs.smt.spacer.reach", lying)
    wrong = PUSHING.replace("kept <= 6 * throws", "kept < 6 * throws or throws < 2")

    assert verdicts(core_of(tmp_path, wrong))[OPEN].verdict in ("refuted", "sampled", "unknown")


# --- by itself ---------------------------------------------------------------------------------------------


def counting(terms: Terms, step: int, most: int, missed: Term) -> str:
    """A number that begins at 0 and rises by `step` while it is below `most`; is `missed` ever true?"""
    x = terms.variable(0, None, None, "x")
    begin = Rule(None, (), ("at", (terms.zero,)))
    on = Rule(("at", (x,)), (terms.lt(x, terms.integer(most)),), ("at", (terms.add(x, terms.integer(step)),)))
    return rules({"at": 1, "missed": 0}, [begin, on, Rule(("at", (x,)), (missed,), ("missed", ()))], "missed")


def test_what_cannot_be_reached_comes_with_what_holds() -> None:
    terms = Terms()
    x = terms.variable(0, None, None, "x")
    missed = terms.lt(terms.integer(1001), x)

    reached = reach(counting(terms, 2, 1000, missed), {"at": 1}, BRIEF)

    assert reached.status == "unsat"
    facts = [read(text, terms, {"a0": x}) for text in reached.holds["at"]]
    values = range(-5, 2000)
    held = [
        n for n in values if all(terms.substitute(f, {0: terms.integer(n)}, {}) is terms.true for f in facts)
    ]
    assert set(range(0, 1001, 2)) <= set(held)
    assert max(held) <= 1001


def test_what_can_be_reached() -> None:
    terms = Terms()
    missed = terms.eq(terms.variable(0, None, None, "x"), terms.integer(6))

    assert reach(counting(terms, 2, 1000, missed), {"at": 1}, BRIEF).status == "sat"


def test_it_gives_up_after_so_many_steps() -> None:
    terms = Terms()
    missed = terms.eq(terms.variable(0, None, None, "x"), terms.integer(999_999))

    reached = reach(counting(terms, 7, 10_000_000, missed), {"at": 1}, Most(steps=100_000, seconds=20))

    assert reached.status.startswith("unknown")


def test_what_it_cannot_read_is_no_answer() -> None:
    assert reach("(declare-rel at (Int))\n(rule (at x))\n(query at)\n", {"at": 1}, BRIEF).status.startswith(
        "an error"
    )


@pytest.mark.parametrize(
    "script",
    [
        "import sys, time\nsys.stdin.readline()\ntime.sleep(60)",
        "import os\nos.abort()",
        "print('oops')",
        "while True: pass",
    ],
)
def test_a_process_that_hangs_or_dies_harms_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str
) -> None:
    path = tmp_path / "script.py"
    path.write_text(script)
    monkeypatch.setattr(fixedpoint, "SCRIPT", path)
    monkeypatch.setattr(fixedpoint, "PATIENCE", 0.3)
    began = time.monotonic()

    reached = reach("", {}, Most(steps=1, seconds=1))

    assert reached.status.startswith("unknown")
    assert time.monotonic() - began < 20


# --- what it says, as terms --------------------------------------------------------------------------------


def test_formulas_are_read() -> None:
    terms = Terms()
    a, b = terms.variable(0, -9, 9, "a"), terms.variable(1, -9, 9, "b")
    text = "(let ((a!1 (+ a0 (* (- 2) a1)))) (and (or (not (<= a!1 (- 1))) (= (mod a1 2) 1)) (> a0 a1)))"

    double = terms.total(((1, a), (-2, b)))
    odd = terms.eq(terms.mod(b, 2), terms.one)
    expected = terms.conj((terms.disj((terms.lt(terms.integer(-1), double), odd)), terms.lt(b, a)))
    assert read(text, terms, {"a0": a, "a1": b}) is expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a0",
        "(<= a0 a9)",
        "(forall ((x Int)) (<= x a0))",
        "(<= a0 0",
        "(and a0 a0)",
        "(<= 1.5 a0)",
        "(^ a0)",
    ],
)
def test_what_terms_cannot_say_is_left_out(text: str) -> None:
    terms = Terms()

    with pytest.raises(NotSaid):
        read(text, terms, {"a0": terms.variable(0, 0, 9, "a")})
