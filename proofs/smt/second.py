"""cvc5 behind a small face: the only module that knows it. It is given text and nothing else."""

from __future__ import annotations

import importlib
import re
from typing import Any

EXTRA = "recheck"  # what of this package brings it along
HOW = f"pip install 'rulespec[{EXTRA}]'"


class NotInstalled(Exception):
    """There is no cvc5; the text says how to get it."""


def is_installed() -> bool:
    """Whether it can be used: a package that is there may be for another machine."""
    try:
        importlib.import_module("cvc5")
    except ImportError:
        return False
    return True


class SecondSolver:
    """Decides SMT-LIB texts. `steps` is the most that it may do for one, by its own count, which is the same
    in every run.

    Raises:
        NotInstalled
    """

    def __init__(self, steps: int) -> None:
        if not is_installed():
            raise NotInstalled(f"cvc5 is not installed; it is in the extra `{EXTRA}`: {HOW}")
        self.steps = steps
        self._cvc5: Any = importlib.import_module("cvc5")

    @property
    def version(self) -> str:
        return str(self._cvc5.__version__)

    def decide(self, text: str) -> str:
        """`sat`, `unsat`, `unknown`, or what it says is wrong with the text."""
        cvc5 = self._cvc5
        solver = cvc5.Solver(cvc5.TermManager())
        solver.setOption("rlimit-per", str(self.steps))
        parser = cvc5.InputParser(solver)
        parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "question")
        symbols = parser.getSymbolManager()
        answers: list[str] = []
        try:
            while not (command := parser.nextCommand()).isNull():
                said = str(command.invoke(solver, symbols)).strip()
                answers += [said] if said else []
        except RuntimeError as error:
            return f"an error: {error}"
        if len(answers) == 1 and (found := re.fullmatch(r"(sat|unsat|unknown)( \(\w+\))?", answers[0])):
            return found[1]
        return f"an error: {'; '.join(answers) or 'no answer'}"
