"""Names from the rules text as Python identifiers that mean nothing else."""

from __future__ import annotations

import builtins
import keyword
import re

_UNSAFE = frozenset(dir(builtins)) | frozenset(keyword.kwlist) | frozenset(keyword.softkwlist)
_LONGEST = 48


def identifier(text: str) -> str:
    """ASCII letters, digits and single underscores, beginning with a letter; never empty, at most 48 long."""
    name = re.sub(r"[^A-Za-z0-9]+", "_", text).strip("_")[:_LONGEST].rstrip("_")
    return name if name[:1].isalpha() else f"x{name}" if name else "x"


class Names:
    """Hands out identifiers. No module-level name is ever also the name of a local variable, or a builtin.

    Locals of different functions may share a name; `Scope` keeps those of one function apart.
    """

    def __init__(self, reserved: frozenset[str], arguments: frozenset[str]) -> None:
        """`reserved`: names the module gets from elsewhere; `arguments`: of the generated functions."""
        self._module: set[str] = set(_UNSAFE | reserved | arguments)
        self._locals: set[str] = set()

    def module(self, text: str) -> str:
        name = _first_free(identifier(text), self._module | self._locals)
        self._module.add(name)
        return name

    def constant(self, text: str) -> str:
        return self.module(identifier(text).upper())

    def scope(self) -> Scope:
        return Scope(self, set())

    def local(self, text: str, taken: set[str]) -> str:
        name = _first_free(identifier(text), self._module | taken)
        self._locals.add(name)
        return name


class Scope:
    """The local names of one function; `release` lets those go that were taken since a `mark`."""

    def __init__(self, names: Names, taken: set[str]) -> None:
        self._names = names
        self._taken = taken
        self._temporary: dict[str, str] = {}

    def fresh(self, text: str) -> str:
        name = self._names.local(text, self._taken)
        self._taken.add(name)
        return name

    def temporary(self, text: str) -> str:
        """A name for a value that is used up by the next statement; always the same."""
        if text not in self._temporary:
            self._temporary[text] = self._names.local(text, self._taken)
        self._taken.add(self._temporary[text])
        return self._temporary[text]

    def mark(self) -> frozenset[str]:
        return frozenset(self._taken)

    def release(self, mark: frozenset[str]) -> None:
        self._taken = {*mark, *self._temporary.values()}


def _first_free(name: str, taken: set[str]) -> str:
    if name not in taken:
        return name
    number = 2
    while f"{name}_{number}" in taken:
        number += 1
    return f"{name}_{number}"
