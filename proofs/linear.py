"""Linear programs: the only module that knows scipy, whose HiGHS solves them.

What comes back is a guess in floating point. Whoever uses it proves what follows from it in another way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

import numpy
from scipy.optimize import linprog
from scipy.sparse import csr_matrix

MORE = 150  # rows that are taken into account at once, the ones broken most first
TOLERANCE = 1e-6
MOST_STEPS = 60_000  # of the simplex method for sums that are to follow from premises
ONE = 0  # the number of an unknown that is 1
Atom = TypeVar("Atom")
LIMITS = {"maxiter": 20_000, "time_limit": 10.0}  # of one program; those that are solved take a tenth of it


class Program:
    """Numbers of least cost within limits, of which each row's sum is at least its right side.

    Of many rows most never matter: only those are handed over that some solution has broken.
    """

    def __init__(self, costs: Sequence[float], limits: Sequence[tuple[float, float]]) -> None:
        self._costs = numpy.array(costs, dtype=float)
        self._limits = limits
        self._data: list[float] = []
        self._columns: list[int] = []
        self._ends = [0]
        self._least: list[float] = []
        self._active: list[int] = []

    def __len__(self) -> int:
        return len(self._least)

    def add(self, items: Iterable[tuple[int, int]], least: int) -> None:
        """A row by its columns and coefficients; no column twice."""
        for column, value in items:
            self._columns.append(column)
            self._data.append(float(value))
        self._ends.append(len(self._data))
        self._least.append(float(least))

    def solve(self, late: Callable[[], bool] = lambda: False) -> list[float] | None:
        """The numbers; None where there are none, or none were found before it was `late`."""
        whole = csr_matrix((self._data, self._columns, self._ends), shape=(len(self), len(self._costs)))
        least = numpy.array(self._least)
        while not late():
            chosen = numpy.array(self._active, dtype=int)
            found = linprog(
                self._costs,
                A_ub=-whole[chosen],
                b_ub=-least[chosen],
                bounds=self._limits,
                method="highs-ds",
                options=LIMITS,
            )
            if found.status != 0:
                return None
            missing = least - whole @ found.x
            missing[chosen] = 0.0
            worst = numpy.argsort(-missing, kind="stable")[:MORE]
            broken = [int(n) for n in worst if missing[n] > TOLERANCE * (1 + abs(least[n]))]
            if not broken:
                return [float(value) for value in found.x]
            self._active += broken
        return None


@dataclass
class _Rows:
    """Rows of a sparse matrix, one after the other."""

    columns: list[int] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=lambda: [0])

    def __len__(self) -> int:
        return len(self.ends) - 1

    def add(self, items: Mapping[int, int]) -> None:
        self.columns.extend(items)
        self.numbers.extend(items.values())
        self.ends.append(len(self.columns))

    def cut(self, rows: int) -> None:
        del self.columns[self.ends[rows] :], self.numbers[self.ends[rows] :]
        del self.ends[rows + 1 :]

    def matrix(self, width: int) -> csr_matrix:
        return csr_matrix((self.numbers, self.columns, self.ends), shape=(len(self), width), dtype=float)


class Consequences(Generic[Atom]):
    """Unknown numbers with which sums are at least 0 whenever premises hold (Farkas' lemma): each sum is what
    its premises add up to, some of this and some of that one, and something that is not below 0.

    Unknowns have numbers; `ONE` is known. A premise says that a constant and multiples of atoms come to at
    least 0, or to 0.
    """

    def __init__(self, costs: Sequence[float], limits: Sequence[tuple[float, float]]) -> None:
        self._costs = [0.0, *costs]
        self._limits: list[tuple[float | None, float | None]] = [(1.0, 1.0), *limits]
        self._cancelled = _Rows()  # for each sum and atom: nothing of it is left
        self._left = _Rows()  # for each sum: what is left is not below 0

    def __len__(self) -> int:
        """Unknowns and premises."""
        return len(self._limits)

    def mark(self) -> tuple[int, int, int]:
        """How much is known, for `back_to`."""
        return len(self._limits), len(self._cancelled), len(self._left)

    def back_to(self, mark: tuple[int, int, int]) -> None:
        columns, cancelled, left = mark
        del self._limits[columns:]
        self._cancelled.cut(cancelled)
        self._left.cut(left)

    def add(
        self,
        of_atoms: Mapping[Atom, Mapping[int, int]],
        alone: Mapping[int, int],
        premises: Iterable[tuple[int, Mapping[Atom, int], bool]],
    ) -> None:
        """A sum of unknowns times atoms, and of unknowns alone, with factors."""
        rows = {atom: dict(items) for atom, items in of_atoms.items()}
        left = dict(alone)
        for constant, atoms, equal in premises:
            column = len(self._limits)
            self._limits.append((None if equal else 0.0, None))
            for atom, factor in atoms.items():
                rows.setdefault(atom, {})[column] = -factor
            if constant:
                left[column] = -constant
        for items in rows.values():
            self._cancelled.add(items)
        self._left.add(left)

    def solve(self, seconds: float, fixed: Mapping[int, float]) -> list[float] | None:
        """The unknowns of least cost, `ONE` first, some of them `fixed`.

        None where there are none, or none were found in time.
        """
        limits = [(fixed[n], fixed[n]) if n in fixed else each for n, each in enumerate(self._limits)]
        width = len(self._limits)
        found = linprog(
            self._costs + [0.0] * (width - len(self._costs)),
            A_ub=-self._left.matrix(width),
            b_ub=numpy.zeros(len(self._left)),
            A_eq=self._cancelled.matrix(width),
            b_eq=numpy.zeros(len(self._cancelled)),
            bounds=limits,
            method="highs-ds",
            options={"time_limit": seconds, "maxiter": MOST_STEPS},
        )
        if found.status != 0:
            return None
        return [float(value) for value in found.x[: len(self._costs)]]
