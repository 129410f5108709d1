"""Questions that are asked case by case."""

from __future__ import annotations

from rulespec.proofs.smt.chosen import MOST, cases
from rulespec.proofs.smt.solver import Solver
from rulespec.proofs.smt.terms import Term, Terms

BOARD = 40


def _board(terms: Terms) -> list[Term]:
    return [terms.variable(key, 0, 1, f"square{key}") for key in range(BOARD)]


def _marked_once(terms: Terms, board: list[Term], square: Term) -> tuple[Term, Term]:
    """That a square is free, and the sum over the board once it is marked."""
    free = terms.conj(
        terms.disj([terms.ne(square, terms.integer(n)), terms.le(each, terms.integer(0))])
        for n, each in enumerate(board)
    )
    after = [
        terms.ite(terms.eq(square, terms.integer(n)), terms.integer(1), each) for n, each in enumerate(board)
    ]
    return free, terms.total((1, each) for each in after)


def test_each_value_of_what_is_chosen_is_a_case() -> None:
    terms = Terms()
    square = terms.fresh("square", 0, 3)
    free, after = _marked_once(terms, _board(terms)[:4], square)

    found = list(cases(terms, [free, terms.le(after, terms.integer(1))], {}))

    assert [value for _, value, _ in found] == [0, 1, 2, 3]
    assert all(square.number not in condition.variables for _, _, left in found for condition in left)


def test_a_case_that_rules_itself_out_is_left_out() -> None:
    terms = Terms()
    square = terms.fresh("square", 0, 9)

    found = list(cases(terms, [terms.lt(square, terms.integer(2))], {}))

    assert [value for _, value, _ in found] == [0, 1]


def test_too_many_cases_are_none() -> None:
    terms = Terms()
    wide = terms.fresh("wide", 0, MOST)
    known = terms.variable(0, 0, 1, "known")

    assert list(cases(terms, [terms.le(wide, known)], {})) == []
    assert list(cases(terms, [terms.le(known, terms.integer(0))], {})) == []


def test_case_by_case_the_answer_is_the_same() -> None:
    terms = Terms()
    board, square = _board(terms), terms.fresh("square", 0, BOARD - 1)
    free, after = _marked_once(terms, board, square)
    one_more = terms.add(terms.total((1, each) for each in board), terms.integer(1))
    solver = Solver(terms, 30)

    fewer = solver.by_cases([free, terms.lt(after, one_more)], ())
    as_many = solver.by_cases([free, terms.eq(after, one_more)], ())

    assert fewer is not None
    assert fewer.status == "unsat"
    assert as_many is not None
    assert as_many.status == "sat"
    assert as_many.model.get(as_many.model[square.number], 0) == 0


def test_what_the_cases_lean_on_is_all_that_one_of_them_leans_on() -> None:
    terms = Terms()
    low, high = (terms.variable(key, 0, 9, f"v{key}") for key in (0, 1))
    chosen = terms.fresh("chosen", 0, 1)
    facts = [terms.le(low, terms.integer(3)), terms.le(high, terms.integer(5))]
    value = terms.ite(terms.eq(chosen, terms.integer(0)), low, high)

    found = Solver(terms, 30).by_cases([terms.le(terms.integer(6), value)], facts)

    assert found is not None
    assert (found.status, found.used) == ("unsat", frozenset(facts))
