"""A fact said case by case: what `price <= (purse[p0] if winner = p0 else purse[p1])` says, of each apart."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.proofs.smt.bounds import Bounds
from rulespec.proofs.smt.houdini import split_up
from rulespec.proofs.smt.terms import Term, Terms, split

MOST = 40  # cases


def in_cases(terms: Terms, fact: Term) -> tuple[Term, ...]:
    """Facts without numbers by cases that together say the same; the fact itself where they are too many."""
    waiting, found = [fact], list[Term]()
    while waiting:
        now = waiting.pop()
        number = _by_cases(now)
        if number is None:
            found.extend(simplified(terms, each) for each in _nothing_apart(terms, simplified(terms, now)))
        elif len(waiting) + len(found) > MOST:
            return (fact,)
        else:
            test, then, other = number.kids
            for known, value in ((terms.neg(test), then), (test, other)):
                put = (_put(terms, part, number, value) for part in _parts(now))
                waiting.extend(split_up(terms, terms.disj((known, *put))))
    return tuple(sorted({each for each in found if each is not terms.true}))


def _parts(term: Term) -> tuple[Term, ...]:
    """The parts of a disjunction."""
    return term.kids if term.op == "or" else (term,)


def _by_cases(fact: Term) -> Term | None:
    """A number by cases that is compared in one of the parts."""
    for part in _parts(fact):
        if part.op in ("le", "eq", "ne"):
            _, atoms = split(part.kids[0])
            for atom in sorted(atoms):
                if atom.op == "ite":
                    return atom
    return None


def _put(terms: Terms, part: Term, number: Term, value: Term) -> Term:
    """The part with another value instead of the number."""
    if part.op not in ("le", "eq", "ne"):
        return part
    const, atoms = split(part.kids[0])
    items = [(factor, value if atom is number else atom) for atom, factor in atoms.items()]
    total = terms.total(items, const)
    made = terms.le(total, terms.zero) if part.op == "le" else terms.eq(total, terms.zero)
    return terms.neg(made) if part.op == "ne" else made


def simplified(terms: Terms, fact: Term) -> Term:
    """The same with what is said of one variable alone put together: neither less than 2 nor more is 2."""
    if fact.op != "or":
        return fact
    bounds, premises = _premises(terms, fact)
    if bounds.impossible:
        return terms.true
    found = dict.fromkeys(fact.kids)
    for key in {key for part in premises for key in part.variables}:
        low, high = bounds.of_variable(key)
        if low is not None and low == high:
            found = {part: None for part in found if part not in premises or part.variables != {key}}
            found[terms.ne(terms.variable(key, None, None, ""), terms.integer(low))] = None
    return terms.disj(found)


def _premises(terms: Terms, fact: Term) -> tuple[Bounds, list[Term]]:
    """The parts that are about one variable alone, and what is known where none of them holds."""
    premises = [p for p in _parts(fact) if p.op in ("le", "eq", "ne") and len(p.variables) == 1]
    bounds = Bounds()
    bounds.learn(terms.neg(part) for part in premises)
    return bounds, premises


def _nothing_apart(terms: Terms, fact: Term) -> Iterator[Term]:
    """What is said where something is at nothing or at the first, of each apart."""
    bounds, premises = _premises(terms, fact)
    for key in sorted({key for part in premises for key in part.variables}):
        variable = terms.variable(key, None, None, "")
        low, high = bounds.interval(variable)
        if fact.op == "or" and (low, high) == (-1, 0):
            rest = [part for part in fact.kids if part not in premises or part.variables != {key}]
            for number in (-1, 0):
                yield terms.disj((terms.ne(variable, terms.integer(number)), *rest))
            return
    yield fact
