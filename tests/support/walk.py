"""Walks through a page of the handbook as a reader does: writes the files that it shows, types its commands,
and holds what comes out against what is shown.

- A fenced block with `title="FILE"` is written into that file, or added below an empty line where the file is
  there already. A block `diff` changes the file: lines with `-` go, lines with `+` come, others say where.
- In a block `console` each line that begins with `$ ` is typed in a shell, and the lines below it are what
  comes out. A line `...` stands for any lines, `...` in a line for any words. Seconds may differ. What stands
  behind a prompt (`p0> bid 2`) is typed into the program.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rulespec.site import fences

ROOT = Path(__file__).parents[2]
# The commands of a reader, who has installed rulespec.
STARTS = {
    "rulespec": '-c "from rulespec.cli.main import main; main()"',
    "pytest": "-m pytest -p no:cacheprovider -p no:rulespec -p rulespec.pytest_plugin",
}
_PROMPT = re.compile(r"^(p\d+>) ?(.*)$")
_PROGRESS = re.compile(r"^.*\((\d+\.\d s|\d+:\d\d)\)$")
_SECONDS = re.compile(r"\d+(\.\d+)? ?s\b|\b\d+:\d\d\b")


@dataclass(frozen=True)
class Written:
    """A file that is made, added to, or changed."""

    file: str
    text: str
    change: bool


@dataclass(frozen=True)
class Typed:
    """A command and what is shown below it."""

    command: str
    shown: tuple[str, ...]


def steps(page: str) -> Iterator[Written | Typed]:
    """What a reader does, in the order of the page."""
    for _, fence in fences.parts(page):
        if fence is None:
            continue
        if fence["language"] == "console":
            yield from _typed(fence["body"])
        elif fence["title"]:
            yield Written(fence["title"], fence["body"], fence["language"] == "diff")


def _typed(block: str) -> Iterator[Typed]:
    for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
        command, *shown = part.rstrip("\n").split("\n")
        yield Typed(command, tuple(shown))


class Walk:
    """A shell in a folder of its own, with `rulespec` of this repository."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        commands = folder / ".commands"
        commands.mkdir()
        for name, start in STARTS.items():
            script = commands / name
            script.write_text(f'#!/bin/sh\nexec "{sys.executable}" {start} "$@"\n')
            script.chmod(0o755)
        self._environment = {
            **os.environ,
            "COLUMNS": "100",  # pytest-xdist sets another width
            "PATH": f"{commands}{os.pathsep}{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT),
            "RULESPEC_CACHE": str(folder / ".cache"),
            "NO_COLOR": "1",
        }
        self.here = folder

    def write(self, step: Written) -> None:
        """Do what a reader does with a block that has a file's name."""
        file = self.here / step.file
        if step.change:
            file.write_text(changed(file.read_text("utf-8"), step.text), "utf-8")
        elif file.exists():
            file.write_text(f"{file.read_text('utf-8')}\n{step.text}", "utf-8")
        else:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(step.text, "utf-8")

    def type(self, step: Typed) -> list[str]:
        """Run a command, and give the lines that come out."""
        if step.command.startswith("cd "):
            self.here = (self.here / step.command.removeprefix("cd ")).resolve()
            return []
        typed = "".join(f"{found[2]}\n" for line in step.shown if (found := _PROMPT.match(line)))
        done = subprocess.run(
            ["sh", "-c", step.command],
            cwd=self.here,
            env=self._environment,
            input=typed,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            timeout=300,
        )
        return [line for line in done.stdout.split("\n") if not _PROGRESS.match(line)]


def changed(text: str, change: str) -> str:
    """A text after a change, whose old lines stand in it once."""
    lines = change.rstrip("\n").split("\n")
    old = "".join(f"{line[1:]}\n" for line in lines if not line.startswith("+"))
    new = "".join(f"{line[1:]}\n" for line in lines if not line.startswith("-"))
    found = f"\n{text}".count(f"\n{old}")
    if found != 1:
        raise ValueError(f"these lines stand in the file {found} times:\n{old}")
    return f"\n{text}".replace(f"\n{old}", f"\n{new}")[1:]


def same(shown: tuple[str, ...], came: list[str]) -> bool:
    """Whether what came out is what is shown."""
    pattern = "".join(
        r"(?:.*\n)*?" if line.strip() == "..." else _one(line) + r"\n"
        for line in map(_plain, _trimmed([*shown]))
    )
    return re.fullmatch(pattern, "".join(f"{_plain(line)}\n" for line in _trimmed(came))) is not None


def _one(line: str) -> str:
    return ".*?".join(re.escape(part) for part in line.split("..."))


def _plain(line: str) -> str:
    """Without seconds, the width of columns, and what was typed."""
    line = re.sub(r"(?<=\S) +", " ", _SECONDS.sub("N s", line.rstrip()))
    return found[1] if (found := _PROMPT.match(line)) else line


def _trimmed(lines: list[str]) -> list[str]:
    """Without empty lines at the beginning and the end."""
    while lines and not lines[0].strip():
        lines = lines[1:]
    while lines and not lines[-1].strip():
        lines = lines[:-1]
    return lines
