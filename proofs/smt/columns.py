"""Terms over many records at once: a quick way to see that a fact is not one."""

from __future__ import annotations

from collections.abc import Sequence

from rulespec.proofs.smt.terms import Term, constant, pairs, parts

Column = list[int]


class Columns:
    """Values of terms for each of some records. Truth values are 0 and 1."""

    def __init__(self, records: Sequence[tuple[int, ...]]) -> None:
        self.records = records
        self._width = len(records[0]) if records else 0
        self._rows: list[Column] = [list(column) for column in zip(*records, strict=True)]
        self._memo: dict[Term, Column] = {}

    def knows(self, term: Term) -> bool:
        """Whether all variables are elements of the record."""
        return all(key < self._width for key in term.variables)

    def holds(self, term: Term) -> bool:
        """Whether the truth value is true for all records."""
        return all(self.of(term))

    def of(self, term: Term) -> Column:
        found = self._memo.get(term)
        if found is None:
            found = self._computed(term)
            self._memo[term] = found
        return found

    def _computed(self, term: Term) -> Column:
        match term.op:
            case "var":
                return self._rows[constant(term)]
            case "int":
                return [constant(term)] * len(self.records)
            case "true" | "false":
                return [int(term.op == "true")] * len(self.records)
            case "lin":
                return self._sum(term)
            case "and" | "or":
                join = min if term.op == "and" else max
                return [join(values) for values in zip(*(self.of(p) for p in parts(term)), strict=True)]
        return self._simple(term, [self.of(p) for p in parts(term)])

    def _sum(self, term: Term) -> Column:
        total = [constant(term)] * len(self.records)
        for c, atom in pairs(term):
            column = self.of(atom)
            if c == 1:
                total = [t + a for t, a in zip(total, column, strict=True)]
            elif c == -1:
                total = [t - a for t, a in zip(total, column, strict=True)]
            else:
                total = [t + c * a for t, a in zip(total, column, strict=True)]
        return total

    def _simple(self, term: Term, args: list[Column]) -> Column:
        match term.op:
            case "ind":
                return args[0]
            case "ite":
                return [a if c else b for c, a, b in zip(*args, strict=True)]
            case "div":
                return [a // constant(term) for a in args[0]]
            case "mod":
                return [a % constant(term) for a in args[0]]
            case "le":
                return [int(a <= 0) for a in args[0]]
            case "eq":
                return [int(a == 0) for a in args[0]]
            case "ne":
                return [int(a != 0) for a in args[0]]
            case _:
                return [a * b for a, b in zip(*args, strict=True)]
