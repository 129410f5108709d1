"""The value of a term, and how it reads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rulespec.proofs.smt.terms import Term, split


def evaluate(term: Term, values: Mapping[int, int], memo: dict[Term, int]) -> int:
    """The value under an assignment to every variable of the term; truth values are 0 and 1."""
    found = memo.get(term)
    if found is None:
        found = memo[term] = _evaluate(term, values, memo)
    return found


def _evaluate(term: Term, values: Mapping[int, int], memo: dict[Term, int]) -> int:
    kids = term.kids
    match term.op:
        case "var":
            return values[term.number]
        case "lin":
            result = term.number
            for c, a in zip(term.coefficients, kids, strict=True):
                result += c * evaluate(a, values, memo)
            return result
        case "le":
            return int(evaluate(kids[0], values, memo) <= 0)
        case "and":
            return int(all(evaluate(p, values, memo) for p in kids))
        case "or":
            return int(any(evaluate(p, values, memo) for p in kids))
        case "ite":
            return evaluate(kids[1] if evaluate(kids[0], values, memo) else kids[2], values, memo)
        case "ind":
            return evaluate(kids[0], values, memo)
        case "eq":
            return int(evaluate(kids[0], values, memo) == 0)
        case "ne":
            return int(evaluate(kids[0], values, memo) != 0)
        case "int":
            return term.number
        case "true" | "false":
            return int(term.op == "true")
        case "div":
            return evaluate(kids[0], values, memo) // term.number
        case "mod":
            return evaluate(kids[0], values, memo) % term.number
        case _:
            return evaluate(kids[0], values, memo) * evaluate(kids[1], values, memo)


def show(term: Term, names: Mapping[int, str] | None = None) -> str:
    """For people: infix, with the variables' names where they are given."""
    match term.op:
        case "int":
            return str(term.number)
        case "var":
            key = term.number
            return names.get(key, f"v{key}") if names else f"v{key}"
        case "lin":
            return _show_sum(term.number, zip(term.coefficients, term.kids, strict=True), names)
        case "true" | "false":
            return term.op
        case "le" | "eq" | "ne":
            return _show_comparison(term, names)
        case "and" | "or":
            return "(" + f" {term.op} ".join(show(p, names) for p in term.kids) + ")"
        case "ite":
            c, a, b = (show(p, names) for p in term.kids)
            return f"({a} if {c} else {b})"
        case "ind":
            return f"(1 if {show(term.kids[0], names)} else 0)"
        case "div" | "mod":
            return f"({show(term.kids[0], names)} {term.op} {term.number})"
        case _:
            return "(" + " * ".join(show(p, names) for p in term.kids) + ")"


def _show_sum(const: int, items: Iterable[tuple[int, Term]], names: Mapping[int, str] | None) -> str:
    texts = []
    for c, a in items:
        sign = "-" if c < 0 else "+"
        factor = "" if abs(c) == 1 else f"{abs(c)} * "
        texts.append(f"{sign} {factor}{show(a, names)}")
    if const or not texts:
        texts.append(f"{'-' if const < 0 else '+'} {abs(const)}")
    joined = " ".join(texts)
    return joined[2:] if joined.startswith("+ ") else "-" + joined[2:]


def _show_comparison(term: Term, names: Mapping[int, str] | None) -> str:
    const, atoms = split(term.kids[0])
    left = [(c, a) for a, c in atoms.items() if c > 0]
    right = [(-c, a) for a, c in atoms.items() if c < 0]
    on_left = const > 0 and bool(left) is not bool(right) and not left
    first = _show_sum(const if on_left else 0, left, names)
    second = _show_sum(0 if on_left else -const, right, names)
    sign = {"le": "<=", "eq": "=", "ne": "!="}[term.op]
    return f"{first} {sign} {second}"
