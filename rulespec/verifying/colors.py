"""The colors of verdicts, the same in the progress and in the table."""

from __future__ import annotations

STYLES = {
    "proved": "green",
    "exhaustive": "green",
    "vacuous": "cyan",
    "bounded": "yellow",
    "sampled": "yellow",
    "unknown": "magenta",
    "refuted": "bold red",
}
