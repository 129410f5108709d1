"""One question as many small ones: what was chosen, or what chance decided, is each of its values in turn.

Where all stays but for one square of a board, a sum over the board is hard before it is known which square
that is, and easy then: most of it cancels, and often nothing is left to ask.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from rulespec.proofs.smt.terms import FIRST_FRESH, Term, Terms

MOST = 256  # cases of one question


def cases(terms: Terms, hard: Sequence[Term]) -> Iterator[tuple[dict[int, int], list[Term]]]:
    """What is chosen, by variable, and the conditions then; cases that rule themselves out are left out.

    None at all where nothing is chosen, or from too much.
    """
    chosen = _chosen(hard)
    many = 1
    for variable in chosen:
        assert variable.low is not None
        assert variable.high is not None
        many *= variable.high - variable.low + 1
        if many > MOST:
            return
    ranges = [range(v.low, v.high + 1) for v in chosen if v.low is not None and v.high is not None]
    for values in product(*ranges) if chosen else ():
        case = {variable.number: value for variable, value in zip(chosen, values, strict=True)}
        memo: dict[Term, Term] = {}
        store = {key: terms.integer(value) for key, value in case.items()}
        left = [terms.substitute(condition, store, memo) for condition in hard]
        if terms.false not in left:
            yield case, left


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
