"""What linear programs are told: each inequality holds for all numbers that meet the conditions."""

from __future__ import annotations

from itertools import product

import pytest

from rulespec.proofs.linear import ONE, Consequences
from rulespec.proofs.smt.inequalities import Inequalities
from rulespec.proofs.smt.terms import Term, Terms
from rulespec.proofs.smt.values import evaluate

WIDTHS = {1: (0, 3), 2: (0, 3), 3: (-1, 1), 4: (0, 12)}


def made(name: str, terms: Terms) -> tuple[Term, tuple[Term, ...]]:
    """A number, and what is known of it."""
    a, b, who, far = (terms.variable(key, *ends, f"v{key}") for key, ends in WIDTHS.items())
    nobody = terms.lt(who, terms.zero)
    match name:
        case "the least of three":
            return terms.minimum(a, terms.minimum(b, far)), ()
        case "the greatest less what is there":
            return terms.sub(terms.maximum(a, b), a), (terms.ne(a, b),)
        case "paid by whom it falls to":
            paid = terms.ite(nobody, terms.zero, terms.ite(terms.le(who, terms.zero), a, b))
            return terms.sub(far, paid), (terms.disj((nobody, terms.lt(terms.one, far))),)
        case "two that contradict each other":
            less = terms.conj((terms.lt(a, b), terms.le(terms.one, a)))
            more = terms.conj((terms.le(b, a), terms.le(terms.one, b)))
            return terms.add(terms.indicator(less), terms.indicator(more)), (terms.le(a, far),)
        case "half of it":
            return terms.add(terms.div(far, 2), terms.indicator(terms.eq(far, terms.integer(7)))), ()
    raise ValueError(name)


NAMES = (
    "the least of three",
    "the greatest less what is there",
    "paid by whom it falls to",
    "two that contradict each other",
    "half of it",
)


@pytest.mark.parametrize("name", NAMES)
def test_each_inequality_holds_wherever_the_conditions_do(name: str) -> None:
    terms = Terms()
    number, conditions = made(name, terms)
    inequalities = Inequalities(terms)
    ranges = [range(low, high + 1) for low, high in WIDTHS.values()]
    every = [dict(zip(WIDTHS, values, strict=True)) for values in product(*ranges)]
    meeting = [values for values in every if all(evaluate(c, values, {}) for c in conditions)]
    compared = 0
    covered = 0
    for case in inequalities.cases([number], conditions, ()):
        here = [v for v in meeting if all(v[key] == n.number for key, n in case.values.items())]
        covered += len(here)
        simpler = inequalities.simpler(terms.substitute(number, case.values, case.memo), case.known)
        atoms = simpler.kids if simpler.op == "lin" else (simpler,) * (simpler.op != "int")
        for values in here:
            assert evaluate(simpler, values, {}) == evaluate(number, values, {})
            for one in inequalities.about(atoms, case):
                memo: dict[Term, int] = {}
                total = one.constant + sum(f * evaluate(a, values, memo) for a, f in one.atoms.items())
                assert total == 0 if one.equal else total >= 0, one
                compared += 1
    assert covered == len(meeting)
    assert compared > len(meeting)


def test_a_program_finds_what_follows_from_premises() -> None:
    """The least c for which c - x - y is at least 0 where x <= 3 and x + 2 y <= 7."""
    program: Consequences[str] = Consequences([1.0], [(-100.0, 100.0)])
    before = program.mark()
    premises = [
        (3, {"x": -1}, False),
        (7, {"x": -1, "y": -2}, False),
    ]
    program.add({"x": {ONE: -1}, "y": {ONE: -1}}, {1: 1}, premises)

    assert program.solve(10.0, {}) == pytest.approx([1.0, 5.0])
    assert program.solve(10.0, {1: 4.0}) is None
    program.back_to(before)
    assert len(program) == 2
