"""Measures for loops that state none: counters and what is left to do, tried on plays before they count."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulespec.compiler.core.tree import Core
from rulespec.proofs.samples import Samples
from rulespec.proofs.smt.columns import Columns, as_given
from rulespec.proofs.smt.encode import Encoder
from rulespec.proofs.smt.locations import Graph, Nest, Nesting, Rounds
from rulespec.proofs.smt.measures import Measures
from rulespec.proofs.smt.terms import Term

TRIED = 3  # measures for one loop
ROLES = ("control", "local", "state")


def find_measures(
    core: Core, encoder: Encoder, graph: Graph, loops: Nesting, measures: Measures, samples: Samples
) -> None:
    """Gives each loop without a measure those that fell in all plays seen; those that fall by 1
    come first, then controls before locals and state."""
    rounds = Rounds(core, graph, loops.all())
    traces = [(trace, rounds.where(trace)) for trace in samples.traces]
    for nest in loops.all():
        if nest.head in measures.of:
            continue
        pairs = [(t[a][1], t[b][1]) for t, where in traces for a, b in rounds.of(nest, where)]
        given = as_given(encoder.given, len(pairs))
        before, after = Columns([a for a, _ in pairs], given), Columns([b for _, b in pairs], given)
        fallen = [
            (term, {a - b for a, b in zip(before.of(term), after.of(term), strict=True)})
            for term in _proposals(core, encoder, nest)
        ]
        falling = [(term, steps) for term, steps in fallen if all(step > 0 for step in steps)]
        falling.sort(key=lambda found: found[1] not in (set(), {1}))
        sure = bool(falling) and falling[0][1] == {1}
        for term, _ in falling[: 1 if sure else TRIED]:
            measures.add(nest, [term], found=True)


def _proposals(core: Core, encoder: Encoder, nest: Nest) -> Iterator[Term]:
    """What is left of each slot that the loop changes every time round, upwards and downwards."""
    terms = encoder.terms
    changed = {encoder.owner[key][0] for key in _changed(nest) if key < len(encoder.owner)}
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
