"""What has changed in a source since it was indexed, told by the hashes of its paragraphs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from rulespec.coverage.paragraphs import Paragraph

LONG = 5_000  # paragraphs

Pair = tuple[Paragraph, Paragraph]  # as it was, as it is


@dataclass(frozen=True)
class Changes:
    """Paragraphs that are not as and where they were.

    `shifted` are as they were and in the same order, on other lines, because of what changed above them.
    `moved` stand among others now. What was in a `changed` place is not known to be the same paragraph.
    """

    changed: tuple[Pair, ...] = ()
    moved: tuple[Pair, ...] = ()
    shifted: tuple[Pair, ...] = ()
    gone: tuple[Paragraph, ...] = ()
    new: tuple[Paragraph, ...] = ()

    def __bool__(self) -> bool:
        return any((self.changed, self.moved, self.shifted, self.gone, self.new))


def between(was: Sequence[Paragraph], now: Sequence[Paragraph]) -> Changes:
    """What has changed from the one list of paragraphs to the other."""
    before, after = [paragraph.hash for paragraph in was], [paragraph.hash for paragraph in now]
    # In a long text what stands everywhere is no help, and would take for ever.
    blocks = SequenceMatcher(None, before, after, autojunk=len(now) > LONG).get_opcodes()
    same = [
        pair for tag, a, b, c, d in blocks if tag == "equal" for pair in zip(was[a:b], now[c:d], strict=True)
    ]
    gaps = [(list(was[a:b]), list(now[c:d])) for tag, a, b, c, d in blocks if tag != "equal"]
    moved = _moved(gaps)
    changed, gone, new = _rest(gaps, moved)
    shifted = tuple((a, b) for a, b in same if (a.first, a.last) != (b.first, b.last))
    return Changes(changed, tuple(moved), shifted, gone, new)


def _moved(gaps: Sequence[tuple[list[Paragraph], list[Paragraph]]]) -> list[Pair]:
    """Those that are gone from one place and new in another, each with one that has its hash."""
    waiting: dict[str, list[Paragraph]] = {}
    for _, after in gaps:
        for paragraph in after:
            waiting.setdefault(paragraph.hash, []).append(paragraph)
    found = []
    for before, _ in gaps:
        for paragraph in before:
            if waiting.get(paragraph.hash):
                found.append((paragraph, waiting[paragraph.hash].pop(0)))
    return found


def _rest(
    gaps: Sequence[tuple[list[Paragraph], list[Paragraph]]], moved: Sequence[Pair]
) -> tuple[tuple[Pair, ...], tuple[Paragraph, ...], tuple[Paragraph, ...]]:
    """Of each gap what stands in the place of what; what is over is gone or new."""
    left, come = {old.first for old, _ in moved}, {now.first for _, now in moved}
    changed: list[Pair] = []
    gone: list[Paragraph] = []
    new: list[Paragraph] = []
    for before, after in gaps:
        old = [paragraph for paragraph in before if paragraph.first not in left]
        now = [paragraph for paragraph in after if paragraph.first not in come]
        both = min(len(old), len(now))
        changed += zip(old, now, strict=False)
        gone += old[both:]
        new += now[both:]
    return tuple(changed), tuple(gone), tuple(new)
