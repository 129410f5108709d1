"""Linear programs: the only module that knows scipy, whose HiGHS solves them.

What comes back is a guess in floating point. Whoever uses it proves what follows from it in another way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy
from scipy.optimize import linprog
from scipy.sparse import csr_matrix

MORE = 150  # rows that are taken into account at once, the ones broken most first
TOLERANCE = 1e-6
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
