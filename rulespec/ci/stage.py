"""What a stage is, and how stages are carried out one after the other, whatever becomes of each."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from rulespec.ci.finding import Finding, Opened

PASSED, FAILED, SKIPPED, STOPPED = "passed", "failed", "skipped", "stopped"


@dataclass(frozen=True)
class Work:
    """What stages are asked for. `tell` takes a line on how far they are; with `color`, what is shown has it.

    `strict`: warnings count, and what is tried but not proved; `allow_unknown`: what is unknown does not.
    """

    tell: Callable[[str], None]
    color: bool = False
    strict: bool = False
    allow_unknown: bool = False


@dataclass(frozen=True)
class Told:
    """What a stage came to. `skipped` says why it could not be tried at all, which is not the same as passed;
    `failed` where it failed for more than its findings."""

    text: str
    findings: tuple[Finding, ...] = ()
    skipped: bool = False
    failed: bool = False


@dataclass(frozen=True)
class Stage:
    """A stage by its name, in one word."""

    name: str
    run: Callable[[Sequence[Opened], Work], Told]


@dataclass(frozen=True)
class Result:
    """How a stage went; `fault` where rulespec itself is wrong."""

    stage: Stage
    result: str
    text: str
    findings: tuple[Finding, ...] = ()
    seconds: float = 0.0
    fault: Exception | None = None


def carry_out(stages: Sequence[Stage], books: Sequence[Opened], work: Work) -> Iterator[Result]:
    """The stages' results, each as soon as it is there; after Ctrl-C, what was not reached is stopped.

    What an earlier stage has found already is not found again; a stage that finds it fails all the same.
    """
    seen: set[tuple[object, ...]] = set()
    stopped = False
    for stage in stages:
        result = Result(stage, STOPPED, "not reached") if stopped else _carry_out(stage, books, work)
        stopped = result.result == STOPPED
        new = tuple(each for each in result.findings if each.is_same_as not in seen)
        seen.update(each.is_same_as for each in new)
        yield replace(result, findings=new)


def _carry_out(stage: Stage, books: Sequence[Opened], work: Work) -> Result:
    began = time.monotonic()
    try:
        told = stage.run(books, work)
    except KeyboardInterrupt:
        return Result(stage, STOPPED, "interrupted", seconds=time.monotonic() - began)
    except Exception as error:  # noqa: BLE001  the other stages go on, and the fault is told
        error.add_note(f"the stage `{stage.name}`")
        text = "an error in rulespec"
        return Result(stage, FAILED, text, seconds=time.monotonic() - began, fault=error)
    finally:
        work.tell("")
    counts = ("error", "warning") if work.strict else ("error",)
    bad = told.failed or any(each.level in counts for each in told.findings)
    result = SKIPPED if told.skipped else FAILED if bad else PASSED
    return Result(stage, result, told.text, told.findings, time.monotonic() - began)
