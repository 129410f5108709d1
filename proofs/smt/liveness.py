"""Which elements of the record still matter at a location: facts about the others would be of no use."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rulespec.proofs.smt.locations import Graph
from rulespec.proofs.smt.paths import Edge, Location


def live(
    graph: Graph, always: Iterable[int], here: Mapping[Location, frozenset[int]]
) -> dict[Location, frozenset[int]]:
    """For each location the elements whose values may be looked at before they are overwritten.

    `always` are elements that count as looked at everywhere, such as those that stated properties read, and
    `here` those that are looked at somewhere, as what a loop keeps is at its head.
    """
    everywhere = frozenset(always)
    nothing: frozenset[int] = frozenset()
    own = {
        location: everywhere | _asked(graph, location) | here.get(location, nothing)
        for location in graph.locations
    }
    found = dict(own)
    before: dict[Location, set[Location]] = {}
    for edge in graph.edges:
        before.setdefault(edge.target, set()).add(edge.source)
    waiting = set(graph.locations)
    while waiting:
        location = waiting.pop()
        wanted = set(own[location])
        for edge in graph.exits[location].edges:
            wanted |= _needed(edge, found[edge.target])
        if wanted != found[location]:
            found[location] = frozenset(wanted)
            waiting |= before.get(location, set())
    return found


def _asked(graph: Graph, location: Location) -> frozenset[int]:
    """What conditions and obligations on the way out read."""
    exits = graph.exits[location]
    terms = [c for e in exits.edges for c in e.conditions]
    terms += [c for o in exits.obligations for c in (*o.conditions, o.claim)]
    return frozenset().union(*(t.variables for t in terms))


def _needed(edge: Edge, after: frozenset[int]) -> set[int]:
    """What the elements that matter after a path are made of before it."""
    store = edge.store
    needed = set(after - store.keys())
    for key in after & store.keys():
        needed |= store[key].variables
    return needed
