"""All locations of a core and the paths between them, and which loops enclose which."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from rulespec.compiler.core.tree import Core
from rulespec.proofs.smt.contexts import return_slots
from rulespec.proofs.smt.contracts import Contract, find_contracts
from rulespec.proofs.smt.encode import Encoder
from rulespec.proofs.smt.paths import Edge, Exits, Location, Obligation, Passage, TooMany, Walker

LOCATIONS = 5000
Place = tuple[str, str]  # a block and the kind of control point


@dataclass(frozen=True)
class Graph:
    """`exits` has every location that some path leads to, in the order in which they were found.

    `contracts` are those of rules that are gone past where they are called.
    """

    start: Location
    exits: dict[Location, Exits]
    contracts: tuple[Contract, ...] = ()

    @property
    def locations(self) -> tuple[Location, ...]:
        return tuple(self.exits)

    @property
    def edges(self) -> tuple[Edge, ...]:
        return tuple(edge for exits in self.exits.values() for edge in exits.edges)

    def obligations(self) -> Iterable[tuple[Location, Obligation]]:
        for location, exits in self.exits.items():
            for obligation in exits.obligations:
                yield location, obligation


def explore(
    core: Core,
    encoder: Encoder,
    *,
    by_contract: bool = True,
    watch: Callable[[Passage], None] | None = None,
) -> Graph:
    """Every location that can be reached if conditions are left out of account. Raises TooMany.

    `by_contract`: rules with contracts are gone past where they are called. `watch` is told of all that some
    path comes by.
    """
    contracts = find_contracts(core) if by_contract else {}
    walker = Walker(core, encoder, contracts, watch)
    start = Location(core.start, "start")
    exits: dict[Location, Exits] = {}
    waiting = [start]
    while waiting:
        location = waiting.pop()
        if location in exits:
            continue
        if len(exits) >= LOCATIONS:
            raise TooMany(f"more than {LOCATIONS} control points with their return addresses")
        with encoder.terms.serial(location):
            exits[location] = walker.leave(location)
        waiting.extend(edge.target for edge in exits[location].edges)
    return Graph(start, exits, tuple(contracts.values()))


@dataclass(frozen=True)
class Nest:
    """One loop: its head, the locations inside (the head too), the edges that go round, and the loops within.

    `inner` are all edges between locations inside.
    """

    head: Location
    inside: frozenset[Location]
    inner: tuple[Edge, ...]
    rounds: tuple[Edge, ...]
    within: tuple[Nest, ...]


@dataclass(frozen=True)
class Nesting:
    """The loops of a graph.

    `tangled` has cycles that no loop's head accounts for: they may go on for ever.
    """

    loops: tuple[Nest, ...]
    tangled: tuple[frozenset[Location], ...]

    def all(self) -> Iterable[Nest]:
        """Every loop, outer ones first."""
        waiting = list(self.loops)
        while waiting:
            nest = waiting.pop(0)
            yield nest
            waiting.extend(nest.within)


def nesting(graph: Graph) -> Nesting:
    """The loops, found in the graph itself, whatever the core says of them.

    In a strongly connected part, take a head: whoever stays in the part for ever comes to the head for ever,
    or stays in what is left when the paths to it are taken away. So if each path within the part that comes
    to the head makes a measure fall, and the same goes for the parts of what is left, nobody stays for ever.
    """
    edges = [e for e in graph.edges if e.source.kind != "start"]
    tangled: list[frozenset[Location]] = []
    loops = _loops(graph, edges, tangled)
    return Nesting(loops, tuple(tangled))


def _loops(graph: Graph, edges: list[Edge], tangled: list[frozenset[Location]]) -> tuple[Nest, ...]:
    found: list[Nest] = []
    for part in components(edges):
        inner = [e for e in edges if e.source in part and e.target in part]
        heads = [v for v in sorted(part) if v.kind == "head"]
        if not heads:
            tangled.append(part)
            continue
        entered = {e.target for e in graph.edges if e.source not in part}
        head = next((v for v in heads if v in entered), heads[0])
        rounds = tuple(e for e in inner if e.target == head)
        within = _loops(graph, [e for e in inner if e.target != head], tangled)
        found.append(Nest(head, part, tuple(inner), rounds, within))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Visit:
    """A control point passed in a play: the locations that it may be, and in a rule with a contract the
    return addresses, which tell one call from another.
    """

    locations: tuple[Location, ...]
    calls: tuple[int, ...] = ()


class Rounds:
    """Tells going round a loop from coming in anew, on the records of a play."""

    def __init__(self, core: Core, graph: Graph, nests: Iterable[Nest]) -> None:
        self.nests = tuple(nests)
        self._offset = core.offset
        self._contracts = graph.contracts
        self._places: dict[Place, list[Location]] = {}
        for location in graph.locations:
            self._places.setdefault((location.block, location.kind), []).append(location)
        self._calls = {place: self._callers(core, place) for place in self._places}
        self._apart = {
            place: sorted({core.offset[slot] for location in found for slot, _ in location.stack})
            for place, found in self._places.items()
        }
        self._known: dict[tuple[Place, tuple[int, ...]], tuple[Location, ...]] = {}

    def _callers(self, core: Core, place: Place) -> tuple[int, ...]:
        """Where it is kept who has called a rule with a contract, and who has called that one, and so on."""
        within = [c for c in self._contracts if place[0] in c.body]
        written = {slot for c in within for slot in c.written}
        return tuple(core.offset[slot] for slot in sorted(return_slots(core) - written) if within)

    def where(self, passed: Sequence[tuple[Place, tuple[int, ...]]]) -> list[Visit]:
        """Where a play was, each time it passed a control point."""
        return [self._at(place, record) for place, record in passed]

    def _at(self, place: Place, record: tuple[int, ...]) -> Visit:
        key = place, tuple(record[position] for position in self._apart.get(place, ()))
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = tuple(
                location
                for location in self._places.get(place, ())
                if all(record[self._offset[slot]] == value for slot, value in location.stack)
            )
        return Visit(found, tuple(record[position] for position in self._calls.get(place, ())))

    def of(self, nest: Nest, where: Sequence[Visit]) -> Iterator[tuple[int, int]]:
        """Pairs of visits to the head, one time round apart, as positions in `where`."""
        last: int | None = None
        for number, here in enumerate(where):
            if nest.head in here.locations:
                if last is not None and where[last].calls == here.calls:
                    yield last, number
                last = number
            elif self.is_left(nest, here):
                last = None

    def is_left(self, nest: Nest, here: Visit) -> bool:
        """Whether who is there is outside the loop, and not just in a rule that is called inside it."""
        if not nest.inside.isdisjoint(here.locations):
            return False
        return not any(
            location.block in c.body and nest.head.block not in c.body
            for location in here.locations
            for c in self._contracts
        )


def components(edges: Iterable[Edge]) -> list[frozenset[Location]]:
    """The strongly connected parts that hold a cycle (Tarjan, without recursion)."""
    after: dict[Location, list[Location]] = {}
    for edge in edges:
        after.setdefault(edge.source, []).append(edge.target)
        after.setdefault(edge.target, [])
    number: dict[Location, int] = {}
    lowest: dict[Location, int] = {}
    stack: list[Location] = []
    found: list[frozenset[Location]] = []
    for root in after:
        if root in number:
            continue
        number[root] = lowest[root] = len(number)
        stack.append(root)
        work = [(root, iter(after[root]))]
        while work:
            node, rest = work[-1]
            following = next(rest, None)
            if following is None:
                work.pop()
                if work:
                    lowest[work[-1][0]] = min(lowest[work[-1][0]], lowest[node])
                if lowest[node] == number[node]:
                    part = frozenset(stack[stack.index(node) :])
                    del stack[stack.index(node) :]
                    if len(part) > 1 or node in after[node]:
                        found.append(part)
            elif following not in number:
                number[following] = lowest[following] = len(number)
                stack.append(following)
                work.append((following, iter(after[following])))
            elif following in stack:
                lowest[node] = min(lowest[node], number[following])
    return found
