"""Deliberate bugs in the translation from core to formulas, each put into one function for one test.

What is wrong is said as a piece of the function's text and what stands there instead, so that each bug is as
small as a slip of the pen, and the code that is shipped knows nothing of them. All of them make the verifier
too bold: one that makes it too shy proves less, which other tests see.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import CodeType, FunctionType
from typing import Any

RAN = "__times_a_bug_ran__"


@dataclass(frozen=True, slots=True)
class Bug:
    """In `place`, `new` stands for `old`, which is there once. `wrong` says what is wrong then, and
    `caught_by` is the book or core that shows it.
    """

    wrong: str
    place: Callable[..., Any]
    old: str
    new: str
    caught_by: str

    @contextmanager
    def at_work(self) -> Iterator[list[int]]:
        """The bug is in the verifier meanwhile; gives a list that grows each time its function runs."""
        function = inspect.unwrap(self.place)
        assert isinstance(function, FunctionType)
        right, ran = function.__code__, list[int]()
        function.__globals__[RAN] = ran
        function.__code__ = self._code(function)
        try:
            yield ran
        finally:
            function.__code__ = right
            del function.__globals__[RAN]

    def _code(self, function: FunctionType) -> CodeType:
        text = textwrap.dedent(inspect.getsource(function))
        assert text.count(self.old) == 1, f"{function.__qualname__} no longer says {self.old!r} once"
        tree = ast.parse(text.replace(self.old, self.new))
        (defined,) = tree.body
        assert isinstance(defined, ast.FunctionDef)
        defined.decorator_list = []
        defined.body[:0] = ast.parse(f"{RAN}.append(1)").body
        future = ast.parse("from __future__ import annotations").body
        whole = ast.fix_missing_locations(ast.Module([*future, *tree.body], []))
        made = compile(whole, function.__code__.co_filename, "exec")
        return next(c for c in made.co_consts if isinstance(c, CodeType) and c.co_name == function.__name__)
