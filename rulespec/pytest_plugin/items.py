"""The items: one thing each that must hold."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, cast

import pytest

from rulespec.compiler.diagnostics import Diagnostic, Severity
from rulespec.proofs.verdicts import WORST_FIRST, Verdict
from rulespec.pytest_plugin.subject import Subject, Table

if TYPE_CHECKING:
    from rulespec.engine.game import Game

GAMES = 8  # played in both engines
SEEDS = range(3)  # of the plays that are looked at
NOT_PROVED = ("sampled", "bounded")


class Failed(Exception):
    """An item fails for this reason, told in our own words; the first line stands for the whole."""

    def __init__(self, plain: str, colored: str = "") -> None:
        super().__init__(plain)
        self.plain = plain
        self.colored = colored or plain


class _Place:
    """Where it failed, in a line; what pytest asks of a traceback's last entry."""

    def __init__(self, path: str, line: int, message: str) -> None:
        self.path, self.lineno, self.message = path, line, message

    def __str__(self) -> str:
        return f"{self.path}:{self.lineno}: {self.message}"


class _Shown:
    """A failure as pytest shows it: in color on a terminal, plain in files."""

    def __init__(self, failed: Failed, path: str, line: int) -> None:
        self.failed = failed
        self.reprcrash = _Place(path, line, failed.plain.partition("\n")[0])

    def __str__(self) -> str:
        return self.failed.plain

    def toterminal(self, writer: Any) -> None:
        writer.line(self.failed.colored if writer.hasmarkup else self.failed.plain)


class RulebookItem(pytest.Item):
    """`group` is what the item is one of; `line` counts from 1."""

    group = ""
    line = 1

    def __init__(self, *, subject: Subject, **others: Any) -> None:
        super().__init__(**others)
        self.subject = subject
        self.add_marker("rulespec")
        self.add_marker(f"rulespec_{self.group}")

    def reportinfo(self) -> tuple[os.PathLike[str], int, str]:
        what = self.name if self.name == self.group else f"{self.group} {self.name}"
        return self.path, self.line - 1, f"{self.subject.name}: {what}"

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        if isinstance(excinfo.value, Failed):
            return cast(Any, _Shown(excinfo.value, self.subject.name, self.line))
        return super().repr_failure(excinfo, style)

    def fail_with(self, found: Iterable[Diagnostic]) -> None:
        """Fail where something was found.

        Raises:
            Failed: with all that was found.
        """
        from rulespec.compiler.render import render

        diagnostics = list(found)
        if diagnostics:
            sources = self.subject.book.sources
            raise Failed(*(render(diagnostics, sources, color).rstrip("\n") for color in (False, True)))


class CheckItem(RulebookItem):
    """The rulebook has no mistake; warnings count where settings are strict."""

    group = "check"

    def runtest(self) -> None:
        found = self.subject.book.all_diagnostics
        errors = any(each.severity is Severity.ERROR for each in found)
        self.fail_with(found if errors or self.subject.settings.strict else ())


class FormatItem(RulebookItem):
    """The rulebook and its own modules are as `rulespec fmt` writes them."""

    group = "format"

    def runtest(self) -> None:
        from rulespec import formatting

        for file, text in self.subject.files.items():
            laid = formatting.lay_out(text, file)
            self.fail_with(laid.diagnostics)
            if laid.changed:
                lines = formatting.difference(laid.before, laid.after, file)
                message = f"`{file}` is not in the one layout; `rulespec fmt {file}` puts it there"
                raise Failed(f"{message}\n{''.join(lines)}".rstrip("\n"))


class ExampleItem(RulebookItem):
    """An example holds."""

    group = "example"

    def __init__(self, *, line: int, **others: Any) -> None:
        super().__init__(**others)
        self.line = line

    def runtest(self) -> None:
        from rulespec import examples, examples_told

        collection = self.subject.collection
        assert collection.rulebook is not None
        example = next(each for each in collection.examples if each.name == self.name)
        ran = examples.run(collection.rulebook, example)
        if not ran.passed:
            raise Failed(
                *(
                    "\n".join(examples_told.paragraphs(ran, collection.sources, color=color)).rstrip("\n")
                    for color in (False, True)
                )
            )


class _TableItem(RulebookItem):
    """Something of one configuration."""

    def __init__(self, *, table: Table, **others: Any) -> None:
        super().__init__(**others)
        self.table = table


class PropertyItem(_TableItem):
    """A claim holds, as far as its verdict says."""

    group = "property"

    def __init__(self, *, claim: str, line: int, **others: Any) -> None:
        super().__init__(**others)
        self.claim = claim
        self.line = line

    def runtest(self) -> None:
        _settle(self.subject, self.table)
        if self.claim in self.table.open:
            raise Failed(_not_vouched_for(self.claim, self.table.open[self.claim]))
        verdict = self.table.verdicts.get(self.claim)
        if verdict is None:
            raise Failed(f"`{self.claim}`: no verdict was given")
        self.judge(verdict)

    def judge(self, verdict: Verdict) -> None:
        """Pass, fail or be expected to fail, as the verdict and the settings say."""
        settings = self.subject.settings
        self.user_properties.append(("rulespec_verdict", verdict.label))
        if verdict.verdict == "unknown" and settings.unknown == "xfail":
            pytest.xfail(f"unknown: {verdict.reason}")
        if not verdict.holds or (settings.strict and verdict.verdict in NOT_PROVED):
            raise Failed(*(_told(self.table, verdict, color) for color in (False, True)))


class OtherClaimsItem(PropertyItem):
    """What comes up only while the verifier is at work holds as well; the worst of it counts."""

    def runtest(self) -> None:
        _settle(self.subject, self.table)
        collected = {claim.name for claim in self.table.claims}
        for name, why in self.table.open.items():
            if name not in collected:
                raise Failed(_not_vouched_for(name, why))
        others = [v for v in self.table.verdicts.values() if v.property not in collected]
        if others:
            self.judge(min(others, key=lambda verdict: WORST_FIRST.index(verdict.verdict)))


class ConformanceItem(_TableItem):
    """Something that every game must do."""

    group = "conformance"

    def __init__(self, *, check: Callable[[Game, int], None], **others: Any) -> None:
        super().__init__(**others)
        self.check = check

    def runtest(self) -> None:
        from rulespec.engine.faults import Fault

        for seed in SEEDS:
            try:
                self.check(self.table.game, seed)
            except (AssertionError, Fault) as error:
                where = f"with {self.table.label}, in the play from seed {seed}"
                raise Failed(f"{self.name}: {error}\n{where}") from None


class AgreementItem(_TableItem):
    """Both engines play the same random games in the same way."""

    group = "conformance"

    def runtest(self) -> None:
        from rulespec import agreement

        compared = agreement.between(self.table.part.core)
        for seed in range(1, GAMES + 1):
            difference = compared.game(seed)
            if difference is not None:
                fault = "the engines part: an error in rulespec, not in the rules"
                raise Failed(f"{fault}\nwith {self.table.label}, {difference}")


def _settle(subject: Subject, table: Table) -> None:
    from rulespec.verifying.lock import Unusable

    try:
        subject.settle(table)
    except Unusable as error:
        raise Failed(str(error)) from None


def _not_vouched_for(claim: str, why: str) -> str:
    return (
        f"`{claim}` is not vouched for by the lock file: {why}\n`rulespec verify` brings the file up to date"
    )


def _told(table: Table, verdict: Verdict, color: bool) -> str:
    from rulespec.verifying.told import paragraphs

    head = f"`{verdict.property}` is {verdict.label}, with {table.label}"
    return f"{head}\n{paragraphs(table.part, (verdict,), color=color)}".rstrip("\n")
