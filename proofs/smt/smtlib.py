"""Questions as SMT-LIB 2 text, written from terms alone: any solver can read it.

Each variable is declared with its name in the rules and its range. What is used more than once is defined
once. The text asks whether all that it asserts can hold together; `unsat` is the answer that proves.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from rulespec.proofs.smt.terms import Term, split

NUMBERS = ("int", "var", "lin", "ind", "ite", "div", "mod", "mul")
SHORT = 3  # parts that are written out again rather than defined
WIDTH = 108  # of a line of comment


@dataclass(frozen=True)
class Assertion:
    """Something that shall hold, and what it says in words."""

    term: Term
    comment: str = ""


def script(comments: Iterable[str], assertions: Sequence[Assertion], names: Mapping[int, str]) -> str:
    """One question. `comments` go before it; `names` has a name for each variable by its key."""
    return "".join(f"{line}\n" for line in _Script(names).lines(comments, assertions))


@dataclass(frozen=True)
class Rule:
    """A Horn clause: where `start` holds of these numbers and all conditions hold, so does `head`.

    Both are the name of a relation with its numbers; without a `start`, the conditions are enough.
    """

    start: tuple[str, tuple[Term, ...]] | None
    conditions: tuple[Term, ...]
    head: tuple[str, tuple[Term, ...]]


def rules(relations: Mapping[str, int], clauses: Sequence[Rule], asked: str) -> str:
    """Horn clauses in the dialect of Z3's fixed-point engine: can the relation `asked` hold?

    `relations` have so many numbers each.
    """
    lines = [f"(declare-rel {name} ({' '.join(['Int'] * size)}))" for name, size in relations.items()]
    texts = [_Script({}).rule(clause) for clause in clauses]
    declared = dict.fromkeys(line for variables, _ in texts for line in variables)
    lines += [*declared, *(text for _, text in texts), f"(query {asked})"]
    return "".join(f"{line}\n" for line in lines)


def comment(text: str, indent: str = "; ", then: str = ";   ") -> Iterator[str]:
    """Lines of a comment; what would end it or does not show is left out."""
    line = indent
    for word in "".join(c if c.isprintable() else " " for c in text).split():
        if len(line) + len(word) > WIDTH and line.strip("; "):
            yield line.rstrip()
            line = then
        line += f"{word} "
    yield line.rstrip()


class _Script:
    """One text in the making."""

    def __init__(self, names: Mapping[int, str]) -> None:
        self._names = names
        self._symbols: dict[int, str] = {}
        self._used: set[str] = set()
        self._defined: dict[Term, str] = {}

    def lines(self, comments: Iterable[str], assertions: Sequence[Assertion]) -> Iterator[str]:
        terms = [assertion.term for assertion in assertions]
        order = _postorder(terms)
        for text in comments:
            yield from comment(text)
        hard = any(term.op == "mul" for term in order)
        yield f"(set-logic {'QF_NIA' if hard else 'QF_LIA'})"
        variables = sorted((term for term in order if term.op == "var"), key=lambda term: term.number)
        for variable in variables:
            yield from self._declared(variable)
        for shared in _shared(order, terms):
            yield self._definition(shared)
        for assertion in assertions:
            if assertion.comment:
                yield from comment(assertion.comment)
            yield f"(assert {self._text(assertion.term)})"
        yield "(check-sat)"

    def _declared(self, variable: Term) -> Iterator[str]:
        yield f"(declare-const {self._symbol(variable.number)} Int)"
        yield from (f"(assert {range_})" for range_ in self._range(variable))

    def _range(self, variable: Term) -> Iterator[str]:
        symbol = self._symbol(variable.number)
        if variable.low is not None and variable.high is not None:
            yield f"(<= {_number(variable.low)} {symbol} {_number(variable.high)})"
        elif variable.low is not None:
            yield f"(<= {_number(variable.low)} {symbol})"
        elif variable.high is not None:
            yield f"(<= {symbol} {_number(variable.high)})"

    def rule(self, clause: Rule) -> tuple[list[str], str]:
        """The declarations of variables, and the clause, with what is used more than once in a `let`."""
        start = () if clause.start is None else clause.start[1]
        terms = [*start, *clause.conditions, *clause.head[1]]
        order = _postorder(terms)
        variables = [term for term in order if term.op == "var"]
        declared = [f"(declare-var {self._symbol(v.number)} Int)" for v in variables]
        opened = ""
        for shared in _shared(order, terms):
            text = self._text(shared)
            self._defined[shared] = name = f"n{len(self._defined) + 1}"
            opened += f"(let (({name} {text})) "
        body = [self._applied(*clause.start)] if clause.start is not None else ["true"]
        body += [range_ for v in variables for range_ in self._range(v)]
        body += [self._text(condition) for condition in clause.conditions]
        text = f"(=> (and {' '.join(body)}) {self._applied(*clause.head)})"
        return declared, f"(rule {opened}{text}{')' * len(self._defined)})"

    def _applied(self, name: str, values: tuple[Term, ...]) -> str:
        return f"({name} {' '.join(map(self._text, values))})" if values else name

    def _symbol(self, key: int) -> str:
        found = self._symbols.get(key)
        if found is None:
            wanted = "".join(c for c in self._names.get(key, f"v{key}") if c.isprintable() and c not in "|\\")
            name, number = wanted, 2
            while name in self._used:
                name, number = f"{wanted} ({number})", number + 1
            self._used.add(name)
            found = self._symbols[key] = f"|{name}|"
        return found

    def _definition(self, term: Term) -> str:
        name = f"{'n' if term.op in NUMBERS else 't'}{len(self._defined) + 1}"
        sort = "Int" if term.op in NUMBERS else "Bool"
        text = self._text(term)
        self._defined[term] = name
        return f"(define-fun {name} () {sort} {text})"

    def _text(self, term: Term) -> str:
        known = self._defined.get(term)
        if known is not None:
            return known
        match term.op:
            case "int":
                return _number(term.number)
            case "var":
                return self._symbol(term.number)
            case "true" | "false":
                return term.op
            case "lin":
                return self._sum(term.number, zip(term.coefficients, term.kids, strict=True))
            case "le" | "eq" | "ne":
                return self._comparison(term)
        kids = " ".join(self._text(kid) for kid in term.kids)
        match term.op:
            case "ind":
                return f"(ite {kids} 1 0)"
            case "div" | "mod":
                return f"({term.op} {kids} {term.number})"
            case "mul":
                return f"(* {kids})"
            case _:
                return f"({term.op} {kids})"

    def _sum(self, const: int, items: Iterable[tuple[int, Term]]) -> str:
        texts = [self._text(a) if c == 1 else f"(* {_number(c)} {self._text(a)})" for c, a in items]
        texts += [_number(const)] if const or not texts else []
        return texts[0] if len(texts) == 1 else f"(+ {' '.join(texts)})"

    def _comparison(self, term: Term) -> str:
        """With what is added on the left and what is taken away on the right."""
        total = term.kids[0]
        const, atoms = split(total) if total not in self._defined else (0, {total: 1})
        left = [(c, a) for a, c in atoms.items() if c > 0]
        right = [(-c, a) for a, c in atoms.items() if c < 0]
        first = self._sum(max(const, 0), left)
        second = self._sum(max(-const, 0), right)
        sign = "<=" if term.op == "le" else "="
        text = f"({sign} {first} {second})"
        return f"(not {text})" if term.op == "ne" else text


def _number(value: int) -> str:
    return str(value) if value >= 0 else f"(- {-value})"


def _postorder(terms: Iterable[Term]) -> list[Term]:
    """All terms and their parts, each once, parts first."""
    found: dict[Term, None] = {}
    for root in terms:
        waiting = [(root, iter(root.kids))]
        while waiting:
            term, rest = waiting[-1]
            following = next(rest, None)
            if following is None:
                found.setdefault(term)
                waiting.pop()
            elif following not in found:
                waiting.append((following, iter(following.kids)))
    return list(found)


def _shared(order: Sequence[Term], roots: Sequence[Term]) -> list[Term]:
    """Parts that are used more than once and are worth a name."""
    uses: dict[Term, int] = {}
    size: dict[Term, int] = {}
    for term in order:
        size[term] = min(SHORT + 1, 1 + sum(size[kid] for kid in term.kids))
        for kid in term.kids:
            uses[kid] = uses.get(kid, 0) + 1
    for root in roots:
        uses[root] = uses.get(root, 0) + 1
    return [term for term in order if uses.get(term, 0) > 1 and size[term] > SHORT]
