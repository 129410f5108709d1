"""One question as many small ones: what was chosen, or what chance decided, is each of its values in turn.

Where all stays but for one square of a board, a sum over the board is hard before it is known which square
that is, and easy then: most of it cancels, and often nothing is left to ask.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulespec.proofs.smt.terms import FIRST_FRESH, Term, Terms

MOST = 256  # values of what is chosen


Memos = dict[int, dict[Term, Term]]  # by value: what terms become


def cases(
    terms: Terms, hard: Sequence[Term], memos: dict[int, Memos]
) -> Iterator[tuple[int, int, list[Term]]]:
    """A variable, each of its values, and the conditions then; cases that rule themselves out are left out.

    It is that choice, or decision of chance, which could come out in most ways. None at all where there is
    none, or only one of too many ways. `memos`, by variable, are kept from one question on a path to the
    next.
    """
    widest = max(_chosen(hard), key=_ways, default=None)
    if widest is None or widest.low is None or _ways(widest) > MOST:
        return
    known = memos.setdefault(widest.number, {})
    for value in range(widest.low, widest.low + _ways(widest)):
        memo = known.setdefault(value, {})
        store = {widest.number: terms.integer(value)}
        left = [terms.substitute(condition, store, memo) for condition in hard]
        if terms.false not in left:
            yield widest.number, value, left


def _ways(variable: Term) -> int:
    assert variable.low is not None
    assert variable.high is not None
    return variable.high - variable.low + 1


def _chosen(hard: Sequence[Term]) -> list[Term]:
    """The variables of choices and chance, those that have finite ranges."""
    found: dict[Term, None] = {}
    seen: set[Term] = set()
    waiting = [t for t in hard if any(key >= FIRST_FRESH for key in t.variables)]
    while waiting:
        term = waiting.pop()
        if term.op == "var":
            if term.number >= FIRST_FRESH and term.low is not None and term.high is not None:
                found[term] = None
        elif term not in seen and any(key >= FIRST_FRESH for key in term.variables):
            seen.add(term)
            waiting.extend(term.kids)
    return sorted(found)
