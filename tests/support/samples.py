"""The small hand-written cores, as text and read."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from rulespec.compiler.core.from_text import parse
from rulespec.compiler.core.tree import Core

FOLDER = Path(__file__).parents[1] / "core" / "samples"
NAMES = ("auction", "duel", "market")


@cache
def sample_text(name: str) -> str:
    return (FOLDER / f"{name}.core").read_text()


@cache
def sample(name: str) -> Core:
    return parse(sample_text(name))


def changed(name: str, *passages: str) -> Core:
    """A sample with passages of its text changed: before, after, before, after..."""
    text = sample_text(name)
    for before, after in zip(passages[::2], passages[1::2], strict=True):
        assert text.count(before) == 1, f"{before!r} is there {text.count(before)} times"
        text = text.replace(before, after)
    return parse(text)
