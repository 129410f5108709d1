"""Lines of Python, one after the other, indented where they belong."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from contextlib import contextmanager

_WIDTH = 100


class Writer:
    """Collects lines; `indent` and `define` open a block for the length of a `with`."""

    def __init__(self, depth: int = 0) -> None:
        self.lines: list[str] = []
        self.depth = depth

    def append(self, line: str = "") -> None:
        self.lines.append("    " * self.depth + line if line else "")

    def comment(self, text: str) -> None:
        """Text may come from the rules: it is kept on one line, whatever it holds."""
        self.append(f"# {one_line(text)}")

    @contextmanager
    def indent(self, head: str) -> Iterator[None]:
        """`head` ends in a colon; a body that stays empty becomes `pass`."""
        self.append(head)
        self.depth += 1
        start = len(self.lines)
        yield
        if all(line.lstrip().startswith("#") or not line for line in self.lines[start:]):
            self.append("pass")
        self.depth -= 1

    @contextmanager
    def define(self, name: str, parameters: str, about: str = "") -> Iterator[None]:
        self.append()
        self.append()
        with self.indent(f"def {name}({parameters}):"):
            if about:
                self.append(docstring(about))
            yield

    def text(self) -> str:
        return "\n".join(self.lines) + "\n"


def one_line(text: str) -> str:
    """Control characters and line ends, all those Python or an editor knows, become spaces."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def docstring(text: str) -> str:
    """A docstring literal that says `text` on one line and cannot be closed from inside."""
    line = one_line(text).replace("\\", "\\\\")
    if '"""' in line or line.endswith('"'):
        line = line.replace('"', '\\"')
    return f'"""{line}"""'


def wrapped_docstring(text: str) -> list[str]:
    """The same over several lines where it is long."""
    line = docstring(text)
    if len(line) <= _WIDTH:
        return [line]
    # Never within a word, and an escape has no space in it.
    return textwrap.wrap(line, _WIDTH, break_long_words=False, break_on_hyphens=False)
