"""Terms over many records at once: a quick way to see that a fact is not one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import repeat
from operator import sub

from rulespec.proofs.smt.terms import Term

Column = list[int]


def as_given(given: Mapping[int, int], size: int) -> dict[int, Column]:
    """Columns of variables that have the same value in all of so many records."""
    return {key: [value] * size for key, value in given.items()}


class Columns:
    """Values of terms for each of some records. Truth values are 0 and 1.

    `extra` has columns for variables that are no elements of the record.
    """

    def __init__(self, records: Sequence[tuple[int, ...]], extra: Mapping[int, Column] | None = None) -> None:
        self.size = len(records)
        self._records = records
        self._width = len(records[0]) if records else 0
        self._rows: dict[int, Column] = dict(extra or {})
        self._memo: dict[Term, Column] = {}

    def knows(self, term: Term) -> bool:
        """Whether there are values for all variables."""
        return all(key < self._width or key in self._rows for key in term.variables)

    def holds(self, term: Term) -> bool:
        """Whether the truth value is true for all records."""
        if term.op == "and":
            return all(self.holds(p) for p in term.kids)
        return all(self.of(term))

    def row(self, key: int) -> Column:
        """The values of a variable."""
        found = self._rows.get(key)
        if found is None:
            found = [record[key] for record in self._records]
            self._rows[key] = found
        return found

    def of(self, term: Term) -> Column:
        found = self._memo.get(term)
        if found is None:
            found = self._computed(term)
            self._memo[term] = found
        return found

    def _computed(self, term: Term) -> Column:
        match term.op:
            case "var":
                return self.row(term.number)
            case "int":
                return [term.number] * self.size
            case "true" | "false":
                return [int(term.op == "true")] * self.size
            case "lin":
                return self._sum(term)
            case "and" | "or":
                join = min if term.op == "and" else max
                return [join(values) for values in zip(*(self.of(p) for p in term.kids), strict=True)]
        return self._simple(term, [self.of(p) for p in term.kids])

    def _sum(self, term: Term) -> Column:
        """Columns that are added, less those that are taken away; both are mostly taken once."""
        plus: list[Iterable[int]] = [repeat(term.number, self.size)]
        minus: list[Iterable[int]] = []
        for c, atom in zip(term.coefficients, term.kids, strict=True):
            column, times = self.of(atom), abs(c)
            scaled = column if times == 1 else [times * a for a in column]
            (plus if c > 0 else minus).append(scaled)
        added = map(sum, zip(*plus, strict=True))
        if not minus:
            return list(added)
        return list(map(sub, added, map(sum, zip(*minus, strict=True))))

    def _simple(self, term: Term, args: list[Column]) -> Column:
        match term.op:
            case "ind":
                return args[0]
            case "ite":
                return [a if c else b for c, a, b in zip(*args, strict=True)]
            case "div":
                return [a // term.number for a in args[0]]
            case "mod":
                return [a % term.number for a in args[0]]
            case "le":
                return [int(a <= 0) for a in args[0]]
            case "eq":
                return [int(a == 0) for a in args[0]]
            case "ne":
                return [int(a != 0) for a in args[0]]
            case _:
                return [a * b for a, b in zip(*args, strict=True)]
