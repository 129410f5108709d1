"""Verdicts in a few paragraphs, where there is no table."""

from __future__ import annotations

import io

from rich.console import Console

from rulespec.proofs.verdicts import Verdict
from rulespec.verifying.details import plays, unsettled
from rulespec.verifying.plan import Part
from rulespec.verifying.run import Outcome

WIDTH = 100


def paragraphs(part: Part, verdicts: tuple[Verdict, ...], *, color: bool) -> str:
    """What is not settled, each with its reason, and the plays that break something."""
    outcome = Outcome((part,), {0: verdicts})
    out = io.StringIO()
    console = Console(
        file=out,
        width=WIDTH,
        force_terminal=color,
        no_color=not color,
        color_system="standard" if color else None,
        highlight=False,
    )
    for reason in unsettled(outcome):
        reason.show(console, False)
        console.print()
    for broken in plays(outcome, "refuted"):
        broken.show(console, False)
        console.print()
    return out.getvalue().rstrip("\n")
