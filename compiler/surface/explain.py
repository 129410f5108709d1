"""Says why a line cannot be read: by the first hint that knows, or else by what was expected."""

from __future__ import annotations

from rulespec.compiler.surface.findings import Findings
from rulespec.compiler.surface.hints import HINTS
from rulespec.compiler.surface.trouble import INFIX, Diagnosis, Trouble, wanted


def explain(trouble: Trouble, found: Findings) -> None:
    """Adds the one diagnostic for this trouble."""
    diagnosis = next((said for hint in HINTS if (said := hint(trouble)) is not None), None) or _plain(trouble)
    place = diagnosis.place or trouble.place
    found.add(diagnosis.code, diagnosis.message, place, *diagnosis.labels, help=diagnosis.help)


def _plain(trouble: Trouble) -> Diagnosis:
    what = wanted(trouble.expected)
    if trouble.found:
        shown = trouble.found if len(trouble.found) <= 40 else trouble.found[:37] + "..."
        return Diagnosis("R0130", f"expected {what}, found `{shown}`")
    help: tuple[str, ...] = ()
    if trouble.understood(","):
        help = ("leave out the last `,`",)
    elif trouble.understood(*INFIX):
        help = ("a line goes on on the next one only inside brackets",)
    return Diagnosis("R0131", f"expected {what}, but the line ends", help)
