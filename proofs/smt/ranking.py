"""Measures for loops that state none: lexicographic ones, fitted to plays before they count.

Each part is what is left of a number that the loop changes, upwards or downwards, or of a sum over an array,
or 1 for as long as something is at nothing. A part may stand still on some ways round, if a later part falls
on them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from rulespec.compiler.core.tree import Core
from rulespec.proofs.samples import Samples
from rulespec.proofs.smt.columns import Columns, as_given
from rulespec.proofs.smt.encode import Encoder
from rulespec.proofs.smt.liveness import live
from rulespec.proofs.smt.locations import Graph, Nest, Nesting, Rounds
from rulespec.proofs.smt.measures import Measures
from rulespec.proofs.smt.terms import Term

TRIED = 3  # measures for one loop
LONGEST = 4  # parts of one measure
ROLES = ("control", "local", "state")

Row = tuple[int, ...]
Pair = tuple[Row, Row]  # records at a loop's head, one time round apart


@dataclass
class Ways:
    """Ways round loops that plays show, by the block of the loop's head."""

    of: dict[str, list[Pair]] = field(default_factory=dict)


def ways_of_plays(core: Core, graph: Graph, loops: Nesting, samples: Samples) -> Ways:
    """What the plays show that were kept whole."""
    rounds = Rounds(core, graph, loops.all())
    traces = [(trace, rounds.where(trace)) for trace in samples.traces]
    ways = Ways()
    for nest in loops.all():
        pairs = [(t[a][1], t[b][1]) for t, where in traces for a, b in rounds.of(nest, where)]
        ways.of.setdefault(nest.head.block, []).extend(pairs)
    return ways


def find_measures(
    core: Core, encoder: Encoder, graph: Graph, loops: Nesting, measures: Measures, samples: Samples
) -> None:
    """Gives each loop without a measure some that fell in all plays seen."""
    without = [nest for nest in loops.all() if nest.head not in measures.of]
    if not without:
        return
    ways = ways_of_plays(core, graph, loops, samples)
    state = [key for key, (slot, _) in enumerate(encoder.owner) if core.slot[slot].role == "state"]
    alive = live(graph, state, {})
    for nest in without:
        for parts in fitting(core, encoder, nest, alive[nest.head], ways.of[nest.head.block]):
            measures.add(nest, parts, found=True)


def fitting(
    core: Core, encoder: Encoder, nest: Nest, alive: frozenset[int], pairs: Sequence[Pair]
) -> list[tuple[Term, ...]]:
    """Measures that fall each of these times round, made of what is `alive` at the loop's head.

    Those of one part that falls by 1 come first, then controls before locals and state; only where there are
    none come those of several parts.
    """
    given = as_given(encoder.given, len(pairs))
    before, after = Columns([a for a, _ in pairs], given), Columns([b for _, b in pairs], given)
    falls = {
        term: [a - b for a, b in zip(before.of(term), after.of(term), strict=True)]
        for term in _parts(core, encoder, nest)
        if not alive.isdisjoint(term.variables)
    }
    single = [term for term, steps in falls.items() if all(step > 0 for step in steps)]
    single.sort(key=lambda term: set(falls[term]) not in (set(), {1}))
    if single:
        sure = set(falls[single[0]]) == {1}
        return [(term,) for term in single[: 1 if sure else TRIED]]
    return _in_turn(falls, len(pairs))


def _in_turn(falls: dict[Term, list[int]], whole: int) -> list[tuple[Term, ...]]:
    """Measures of several parts: each never rises while those before it stand still, and falls sometimes."""
    found: list[tuple[Term, ...]] = []
    first = [term for term, steps in falls.items() if min(steps) >= 0 < max(steps)]
    for start in first:
        parts = [start]
        left = [n for n in range(whole) if falls[start][n] == 0]
        while left and len(parts) < LONGEST:
            best, most = None, 0
            for term, steps in falls.items():
                fallen = sum(steps[n] > 0 for n in left) if all(steps[n] >= 0 for n in left) else 0
                if fallen > most:
                    best, most = term, fallen
            if best is None:
                break
            parts.append(best)
            left = [n for n in left if falls[best][n] == 0]
        if not left:
            found.append(tuple(parts))
    found.sort(key=len)
    return found[:TRIED]


def _parts(core: Core, encoder: Encoder, nest: Nest) -> Iterator[Term]:
    """What is left of each slot that the loop changes, upwards and downwards; whether it is at nothing."""
    terms = encoder.terms
    changed = {encoder.owner[key][0] for key in _changed(nest) if key < len(encoder.owner)}
    for slot in core.slots:
        if slot.name in changed and slot.domain.names and slot.low < 0 and not slot.dims:
            yield terms.indicator(terms.lt(encoder.elements[core.offset[slot.name]], terms.zero))
    for role in ROLES:
        for slot in core.slots:
            if slot.role != role or slot.name not in changed:
                continue
            base = core.offset[slot.name]
            elements: Sequence[Term] = encoder.elements[base : base + slot.size]
            yield terms.total(((-1, e) for e in elements), slot.high * slot.size)
            yield terms.total(((1, e) for e in elements), -slot.low * slot.size)


def _changed(nest: Nest) -> set[int]:
    """Elements that some path inside the loop writes."""
    return {key for edge in nest.inner for key in edge.store}
