"""How far a verification is: a line for each part on a terminal, now and then a line of text elsewhere."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

import click
from rich.console import Console, ConsoleOptions, RenderResult
from rich.live import Live
from rich.table import Table
from rich.text import Text

from rulespec.proofs.verdicts import WORST_FIRST, Verdict
from rulespec.verifying.colors import STYLES
from rulespec.verifying.plan import Part
from rulespec.verifying.run import EXAMPLES, Outcome, Watcher
from rulespec.verifying.work import Stage

SECONDS = 10.0  # between lines where there is no terminal
COMPARED = ("agreement", "sampled")  # games that went well, which are no claim about the rules
BAR = 16  # columns
RULEBOOK = -2  # as the number of a job that is done
SPINNER = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"


@dataclass
class Line:
    """One job: `began` and `ended` are moments; `told` is what it came to, in pieces with their styles."""

    label: str
    stage: Stage = field(default_factory=lambda: Stage("waits"))
    began: float | None = None
    ended: float | None = None
    told: list[tuple[str, str]] = field(default_factory=list)
    bad: bool = False

    @property
    def seconds(self) -> float:
        if self.began is None:
            return 0.0
        return (self.ended or time.monotonic()) - self.began


def counts(verdicts: Sequence[Verdict]) -> list[tuple[str, str]]:
    """`121 proved`, `3 sampled`: how many claims have which verdict, best first, with their styles."""
    number = Counter(each.verdict for each in verdicts if (each.kind, each.verdict) != COMPARED)
    return [(f"{number[name]} {name}", STYLES[name]) for name in reversed(WORST_FIRST) if number[name]]


def _ending(job: int, outcome: Outcome) -> tuple[list[tuple[str, str]], bool]:
    """What a job came to, and whether that is bad."""
    if job != EXAMPLES:
        verdicts = outcome.verdicts[job]
        kept = sum(bool(each.locked) for each in verdicts)
        whole = f"{kept} of these " * (kept < len(verdicts))
        told = [(f"{whole}from the lock file", "dim")] if kept else []
        return [*counts(verdicts), *told], any(each.verdict == "refuted" for each in verdicts)
    if outcome.held is not None:
        return [*_held(outcome.held), ("from the lock file", "dim")], False
    if outcome.examples is None:
        return [("not carried out", STYLES["refuted"])], True
    failed, total = len(outcome.failed_examples), len(outcome.examples)
    if failed:
        return [(f"{failed} of {total} failed", STYLES["refuted"])], True
    return _held(total), False


def _held(total: int) -> list[tuple[str, str]]:
    if not total:
        return [("there are none", "dim")]
    return [(f"{total} hold" if total > 1 else "1 holds", STYLES["proved"])]


def clock(seconds: float) -> str:
    """`12.3 s`, and from a minute on `1:02`."""
    return f"{seconds:.1f} s" if seconds < 60 else f"{int(seconds) // 60}:{int(seconds) % 60:02}"


@contextmanager
def progress(parts: Sequence[Part], checked: float, *, examples: bool, colors: bool) -> Iterator[Watcher]:
    """Something that is told how far the jobs are and shows it on standard error; to check the rulebook
    took `checked` seconds."""
    now = time.monotonic()
    rulebook = Line("rulebook", began=now - checked, ended=now, told=[("good", STYLES["proved"])])
    lines = {RULEBOOK: rulebook} | ({EXAMPLES: Line("examples")} if examples else {})
    lines |= {number: Line(part.label) for number, part in enumerate(parts)}
    if not sys.stderr.isatty():
        yield Plain(lines)
        return
    shown = Shown(lines)
    console = Console(stderr=True, no_color=not colors, highlight=False)
    with Live(shown, console=console, auto_refresh=False) as live:
        shown.refresh = live.refresh
        yield shown
        shown.close()


class Lines:
    """What both displays know of the jobs."""

    def __init__(self, lines: dict[int, Line]) -> None:
        self.lines = lines

    def began(self, job: int) -> None:
        self.lines[job].began = time.monotonic()
        self.lines[job].stage = Stage("begins")

    def stage(self, job: int, stage: Stage) -> None:
        self.lines[job].stage = stage

    def ended(self, job: int, outcome: Outcome) -> None:
        line = self.lines[job]
        line.ended = time.monotonic()
        line.told, line.bad = _ending(job, outcome)


class Plain(Lines):
    """A line for each job that ends, and every few seconds one on those that are at work."""

    def __init__(self, lines: dict[int, Line]) -> None:
        super().__init__(lines)
        self._tell(RULEBOOK)

    def ended(self, job: int, outcome: Outcome) -> None:
        super().ended(job, outcome)
        self._tell(job)

    def _tell(self, job: int) -> None:
        line = self.lines[job]
        self._say(f"{line.label}: {', '.join(text for text, _ in line.told)} ({clock(line.seconds)})")

    def tick(self) -> None:
        if time.monotonic() - self._last < SECONDS:
            return
        for line in self.lines.values():
            if line.began is not None and line.ended is None:
                self._say(f"{line.label}: {_stage_text(line.stage)} ({clock(line.seconds)})")

    def _say(self, text: str) -> None:
        self._last = time.monotonic()
        click.echo(text, err=True)


def _stage_text(stage: Stage) -> str:
    if stage.whole:
        return f"{stage.text}, {stage.done:,} of {stage.whole:,}"
    return f"{stage.text}, {stage.done:,}" if stage.done > 1 else stage.text


def _nothing() -> None:
    return None


class Shown(Lines):
    """A line for each job on a terminal, brought up to date in place."""

    def __init__(self, lines: dict[int, Line]) -> None:
        super().__init__(lines)
        self.over = False
        self.refresh: Callable[[], None] = _nothing

    def tick(self) -> None:
        self.refresh()

    def close(self) -> None:
        """What is shown last stays on the screen: all lines, and nothing that moves."""
        self.over = True
        for line in self.lines.values():
            if line.ended is None:
                line.began, line.stage = None, Stage("not finished")

    def ended(self, job: int, outcome: Outcome) -> None:
        super().ended(job, outcome)
        self.refresh()

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        room = len(self.lines) if self.over else max(4, console.height - 3)
        shown, left = self._chosen(room)
        table = Table.grid(padding=(0, 2, 0, 0), expand=True)
        table.add_column(width=1)
        table.add_column(no_wrap=True, overflow="ellipsis", max_width=max(12, options.max_width // 3))
        table.add_column(ratio=1, no_wrap=True, overflow="ellipsis")
        table.add_column(justify="right", no_wrap=True)
        for line in shown:
            table.add_row(_mark(line), line.label, _middle(line), _elapsed(line))
        if left:
            table.add_row("", "", f"and {left} more", "")
        yield table

    def _chosen(self, room: int) -> tuple[list[Line], int]:
        """Where there is no room for all: those at work, then those that wait, then the last that ended."""
        lines = list(self.lines.values())
        if len(lines) <= room:
            return lines, 0
        order = sorted(range(len(lines)), key=lambda n: (_rank(lines[n]), -(lines[n].ended or 0), n))
        kept = sorted(order[: room - 1])
        return [lines[n] for n in kept], len(lines) - len(kept)


def _rank(line: Line) -> int:
    return 2 if line.ended else 0 if line.began is not None else 1


def _mark(line: Line) -> Text:
    if line.ended is not None:
        return Text("✗", style="bold red") if line.bad else Text("✓", style="green")
    if line.began is None:
        return Text("·", style="dim")
    return Text(SPINNER[int(line.seconds * 10) % len(SPINNER)], style="cyan")


def _middle(line: Line) -> Text:
    text = Text()
    if line.ended is not None:
        for number, (told, style) in enumerate(line.told):
            text.append(", " if number else "").append(told, style=style)
        return text
    if line.began is None:
        return Text(line.stage.text, style="dim")
    stage = line.stage
    if stage.whole:
        full = BAR * min(stage.done, stage.whole) // stage.whole
        text.append("━" * full, style="cyan").append("━" * (BAR - full), style="dim")
        return text.append(f" {stage.done}/{stage.whole}  {stage.text}")
    return text.append(f"{stage.text}, {stage.done:,}" if stage.done > 1 else stage.text)


def _elapsed(line: Line) -> Text:
    return Text("" if line.began is None else clock(line.seconds), style="dim")
