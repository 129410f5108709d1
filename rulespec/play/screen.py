"""Where a play is shown and typed: a terminal, or plain lines in and out."""

from __future__ import annotations

import contextlib
import io
import re
import sys
from collections.abc import Iterator
from typing import TextIO

from rich.console import Console, RenderableType
from rich.text import Text

# What is printed comes from rulebooks too, and a rulebook does not steer the terminal.
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
PLAIN_WIDTH = 100


class Screen:
    """Prints, and asks for lines. Colors and clearing are for terminals alone."""

    def __init__(self, source: TextIO | None = None, out: TextIO | None = None, colors: bool = True) -> None:
        self._in = source or sys.stdin
        self._out = out or sys.stdout
        if isinstance(self._in, io.TextIOWrapper):
            # What is no text is no move either; there is no reason to stop.
            self._in.reconfigure(errors="replace")
        self.terminal = self._in.isatty() and self._out.isatty()
        self.console = Console(
            file=self._out,
            width=None if self._out.isatty() else PLAIN_WIDTH,
            no_color=not colors,
            highlight=False,
            markup=False,
            emoji=False,
            soft_wrap=False,
        )
        if self.terminal:
            _edit_lines()

    def say(self, text: str = "", style: str = "") -> None:
        self.console.print(Text(clean(text), style=style), soft_wrap=True)

    def show(self, thing: RenderableType) -> None:
        self.console.print(thing)

    def ask(self, prompt: str) -> str:
        """A line that was typed.

        Raises:
            EOFError: there are no more lines.
        """
        if self.terminal and self._in is sys.stdin:
            return input(clean(prompt))
        self._out.write(clean(prompt))
        self._out.flush()
        line = self._in.readline()
        if not line:
            raise EOFError
        # What was not typed here is not seen here.
        self._out.write("\n")
        return line.rstrip("\n")

    @contextlib.contextmanager
    def waiting(self, text: str) -> Iterator[None]:
        """Say on a terminal, while it lasts, what is waited for."""
        if self.terminal:
            with self.console.status(Text(clean(text))):
                yield
        else:
            yield

    def clear(self) -> None:
        """Leave nothing to be read, not even above the visible lines."""
        if self.terminal:
            self._out.write("\x1b[2J\x1b[3J\x1b[H")
            self._out.flush()


def clean(text: str) -> str:
    """The text without what would steer a terminal."""
    return _CONTROL.sub("�", text)


def _edit_lines() -> None:
    """Arrow keys and earlier lines at the prompt, where Python was built with that."""
    try:
        import readline
    except ImportError:
        return
    readline.set_history_length(100)
