"""Z3's fixed-point engine Spacer behind a small face. It is given text, and works in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

SCRIPT = Path(__file__).with_name("fixedpoint_process.py")
PATIENCE = 20  # by the clock, as many times longer than by the processor: a busy machine is not to matter


@dataclass(frozen=True)
class Limits:
    """`steps` by Z3's own count, which is the same in every run, and if that is not looked at, processor
    seconds; megabytes.
    """

    steps: int
    seconds: int
    megabytes: int = 2000


@dataclass(frozen=True)
class Reached:
    """`unsat` if what was asked for cannot be reached, `sat` if it can, else why nothing is known.

    `holds` has for each relation formulas over `a0`, `a1` and so on, its arguments: what holds of it always,
    or, if nothing is known, for some steps. Nothing of this is to be trusted.
    """

    status: str
    holds: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    seconds: float = 0.0  # of the processor


def reach(
    text: str, relations: Mapping[str, int], limits: Limits, options: Mapping[str, object] | None = None
) -> Reached:
    """What Spacer makes of Horn clauses in Z3's dialect; `relations` have so many numbers each."""
    request = {
        "text": text,
        "relations": dict(relations),
        "steps": limits.steps,
        "seconds": limits.seconds,
        "megabytes": limits.megabytes,
        "options": dict(options or {}),
    }
    before = _spent()
    line = _said(json.dumps(request), limits.seconds * PATIENCE)
    seconds = _spent() - before
    try:
        answer = json.loads(line)
    except ValueError:
        return Reached("unknown: its process ended without an answer", {}, seconds)
    holds = {name: tuple(formulas) for name, formulas in answer["holds"].items()}
    return Reached(answer["status"], holds, seconds)


def _said(line: str, seconds: float) -> str:
    """What the process answers; "" if it ended, or had to be ended, before that."""
    command = [sys.executable, "-P", str(SCRIPT)]
    pipe, nothing = subprocess.PIPE, subprocess.DEVNULL
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=nothing, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        clock = threading.Timer(seconds, process.kill)
        clock.start()
        try:
            process.stdin.write(line + "\n")
            process.stdin.flush()
            return process.stdout.readline()
        except BrokenPipeError:
            return ""
        finally:
            clock.cancel()
            process.kill()


def _spent() -> float:
    """Processor seconds of processes that were started here and have ended."""
    times = os.times()
    return times.children_user + times.children_system
