"""Where boxes and arrows lie: layers from top to bottom, found by fast_sugiyama, with room for each box's size.

Arrows that lead on go down from layer to layer; those that lead back go up in lanes beside the boxes. A label
is a box of its own on its arrow, so nothing runs across it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

GAP = 40.0  # between layers
APART = 26.0  # between boxes side by side
LANE = 16.0  # between lanes, and between a lane and a box
MARGIN = 12.0
_SWEEPS = 20
_STRAIGHT = 8.0  # how much more a bend in a long arrow weighs

Point = tuple[float, float]


@dataclass(frozen=True)
class Arrow:
    """`label` is the size of the text on it, None without."""

    source: int
    target: int
    back: bool = False
    label: tuple[float, float] | None = None


@dataclass(frozen=True)
class Placed:
    """A box: its centre across, its top, its size."""

    x: float
    top: float
    width: float
    height: float

    @property
    def bottom(self) -> float:
        return self.top + self.height

    @property
    def middle(self) -> float:
        return self.top + self.height / 2

    @property
    def left(self) -> float:
        return self.x - self.width / 2

    @property
    def right(self) -> float:
        return self.x + self.width / 2


@dataclass(frozen=True)
class Route:
    """An arrow's way: `curve` through points that lie on layer borders, or straight `lines` with corners.

    `label` is the place of its text.
    """

    points: tuple[Point, ...]
    back: bool
    label: Placed | None = None


@dataclass(frozen=True)
class Layout:
    boxes: tuple[Placed, ...]
    routes: tuple[Route, ...]
    width: float
    height: float


@dataclass
class _Plan:
    """The layered graph: numbers from `len(sizes)` on are labels, then bends of long arrows."""

    sizes: list[tuple[float, float]]
    layers: list[list[int]]
    chains: list[list[int]]  # of each arrow that leads on, from its source to its target
    labels: dict[int, int]  # arrow to the number of its label
    x: dict[int, float] = field(default_factory=dict)
    tops: list[float] = field(default_factory=list)
    heights: list[float] = field(default_factory=list)

    def size(self, node: int) -> tuple[float, float]:
        return self.sizes[node] if node < len(self.sizes) else (2.0, 0.0)

    def is_bend(self, node: int) -> bool:
        return node >= len(self.sizes)


def layout(sizes: Sequence[tuple[float, float]], arrows: Sequence[Arrow]) -> Layout:
    """Places for boxes of these sizes, all of which are reached from the first by arrows that are not `back`."""
    plan = _planned(sizes, arrows)
    _set_across(plan)
    _set_down(plan)
    layer = {node: n for n, nodes in enumerate(plan.layers) for node in nodes}
    boxes = [_placed(plan, node, layer) for node in range(len(sizes))]
    ahead = [n for n, arrow in enumerate(arrows) if not arrow.back]
    routes: dict[int, Route] = {}
    ports = _ports(plan, arrows, ahead)
    for n, chain in zip(ahead, plan.chains, strict=True):
        label = _placed(plan, plan.labels[n], layer) if n in plan.labels else None
        routes[n] = Route(_down(plan, chain, layer, ports[n]), False, label)
    routes |= _lanes(plan, arrows, boxes, layer)
    return _moved_in(boxes, [routes[n] for n in range(len(arrows))])


# --- layers ------------------------------------------------------------------------------------------------


def _planned(sizes: Sequence[tuple[float, float]], arrows: Sequence[Arrow]) -> _Plan:
    every = list(sizes)
    labels: dict[int, int] = {}
    edges: dict[tuple[int, int], None] = {}
    pairs: list[list[int]] = []
    for n, arrow in enumerate(arrows):
        if arrow.back:
            continue
        stops = [arrow.source, arrow.target]
        if arrow.label is not None:
            labels[n] = len(every)
            every.append(arrow.label)
            stops.insert(1, labels[n])
        pairs.append(stops)
        edges |= {(a, b): None for a, b in zip(stops, stops[1:], strict=False)}
    if not edges:
        return _Plan(every, [[0]], [], labels)
    layers, ways = _layers(list(edges), len(every))
    chains = []
    for stops in pairs:
        chain = stops[:1]
        for a, b in zip(stops, stops[1:], strict=False):
            chain += ways[a, b]
        chains.append(chain)
    return _Plan(every, layers, chains, labels)


def _layers(
    edges: list[tuple[int, int]], count: int
) -> tuple[list[list[int]], dict[tuple[int, int], list[int]]]:
    """The nodes of each layer in order, and for each edge the nodes from behind its source to its target."""
    from fast_sugiyama import from_edges

    found = from_edges(
        edges,
        minimum_length=1,
        vertex_spacing=10,
        dummy_vertices=True,
        ranking_type="minimize",
        crossing_minimization="barycenter",
        transpose=True,
        check_layout=False,
    )
    places = {int(node): place for positions, *_ in found for node, place in positions}
    parts = [(int(a), int(b)) for *_, part in found for a, b in part or ()]
    rows: dict[float, list[int]] = {}
    for node in sorted(places, key=lambda n: (-places[n][1], places[n][0], n)):
        rows.setdefault(places[node][1], []).append(node)
    onwards: dict[int, list[int]] = {}
    for a, b in sorted(parts):
        onwards.setdefault(a, []).append(b)
    return list(rows.values()), {edge: _along(edge, onwards, count) for edge in edges}


def _along(edge: tuple[int, int], onwards: dict[int, list[int]], count: int) -> list[int]:
    source, target = edge
    for first in onwards[source]:
        chain = [first]
        while chain[-1] >= count:
            chain.append(onwards[chain[-1]][0])
        if chain[-1] == target:
            return chain
    raise AssertionError("an arrow was lost in the layout")


# --- places ------------------------------------------------------------------------------------------------


def _set_across(plan: _Plan) -> None:
    """Each box as near as it can be to the middle of those that it is linked with."""
    above: dict[int, list[int]] = {}
    below: dict[int, list[int]] = {}
    for chain in plan.chains:
        for a, b in zip(chain, chain[1:], strict=False):
            below.setdefault(a, []).append(b)
            above.setdefault(b, []).append(a)
    for nodes in plan.layers:
        x = 0.0
        for node in nodes:
            x += plan.size(node)[0] / 2
            plan.x[node] = x
            x += plan.size(node)[0] / 2 + APART
    for sweep in range(_SWEEPS):
        down = sweep % 2 == 0
        for nodes in plan.layers if down else reversed(plan.layers):
            _spread(plan, nodes, above if down else below)


def _spread(plan: _Plan, nodes: list[int], linked: dict[int, list[int]]) -> None:
    """Moves one layer; the order stays, and so does the room between."""
    shift, shifts = 0.0, []
    for before, node in zip([None, *nodes], nodes, strict=False):
        if before is not None:
            shift += plan.size(before)[0] / 2 + plan.size(node)[0] / 2 + APART
        shifts.append(shift)
    wanted, weights = [], []
    for node, moved in zip(nodes, shifts, strict=True):
        others = linked.get(node, [])
        middle = sum(plan.x[other] for other in others) / len(others) if others else plan.x[node]
        wanted.append(middle - moved)
        straight = plan.is_bend(node) and all(map(plan.is_bend, others))
        weights.append(_STRAIGHT if straight else 1.0 if others else 0.1)
    for node, moved, place in zip(nodes, shifts, _rising(wanted, weights), strict=True):
        plan.x[node] = place + moved


def _rising(wanted: list[float], weights: list[float]) -> list[float]:
    """The numbers that never fall and are nearest to those wanted, by least squares."""
    runs: list[tuple[float, float, int]] = []  # mean, weight, how many
    for value, weight in zip(wanted, weights, strict=True):
        runs.append((value, weight, 1))
        while len(runs) > 1 and runs[-2][0] > runs[-1][0]:
            (a, u, m), (b, v, n) = runs[-2:]
            runs[-2:] = [((a * u + b * v) / (u + v), u + v, m + n)]
    return [mean for mean, _, count in runs for _ in range(count)]


def _set_down(plan: _Plan) -> None:
    top = 0.0
    for nodes in plan.layers:
        height = max(plan.size(node)[1] for node in nodes)
        plan.tops.append(top)
        plan.heights.append(height)
        only_labels = height < GAP
        top += height + (GAP * 0.6 if only_labels else GAP)


def _placed(plan: _Plan, node: int, layer: dict[int, int]) -> Placed:
    width, height = plan.size(node)
    row = layer[node]
    top = plan.tops[row] + (plan.heights[row] - height) / 2
    return Placed(plan.x[node], top, width, height)


# --- arrows that lead on -----------------------------------------------------------------------------------


def _ports(plan: _Plan, arrows: Sequence[Arrow], ahead: list[int]) -> dict[int, float]:
    """Where each arrow leaves its box, from the middle: several side by side, as their ways go on."""
    leaving: dict[int, list[tuple[float, int]]] = {}
    for n, chain in zip(ahead, plan.chains, strict=True):
        leaving.setdefault(chain[0], []).append((plan.x[chain[1]], n))
    found: dict[int, float] = {}
    for source, several in leaving.items():
        room = plan.size(source)[0] * 0.6
        step = min(60.0, room / max(1, len(several) - 1)) if len(several) > 1 else 0.0
        for place, (_, n) in enumerate(sorted(several)):
            found[n] = (place - (len(several) - 1) / 2) * step
    return found


def _down(plan: _Plan, chain: list[int], layer: dict[int, int], port: float) -> tuple[Point, ...]:
    """Points in pairs: each pair is passed straight down, and between pairs the way bends."""
    source, target = chain[0], chain[-1]
    first, last = _placed(plan, source, layer), _placed(plan, target, layer)
    row = layer[source]
    points = [(first.x + port, first.bottom), (first.x + port, plan.tops[row] + plan.heights[row])]
    for node in chain[1:-1]:
        top = plan.tops[layer[node]]
        points += [(plan.x[node], top), (plan.x[node], top + plan.heights[layer[node]])]
    return (*points, (last.x, plan.tops[layer[target]]), (last.x, last.top))


# --- arrows that lead back ---------------------------------------------------------------------------------


def _lanes(
    plan: _Plan, arrows: Sequence[Arrow], boxes: Sequence[Placed], layer: dict[int, int]
) -> dict[int, Route]:
    """Shorter ways back lie further in; those to one box share a lane on each side."""
    left = [min(_edges(plan, nodes, -1)) for nodes in plan.layers]
    right = [max(_edges(plan, nodes, 1)) for nodes in plan.layers]
    by_target: dict[int, list[int]] = {}
    for n, arrow in enumerate(arrows):
        if arrow.back:
            by_target.setdefault(arrow.target, []).append(n)
    order = sorted(by_target, key=lambda t: (max(layer[arrows[n].source] for n in by_target[t]) - layer[t], t))
    routes: dict[int, Route] = {}
    for target in order:
        sides: dict[int, list[int]] = {}
        for n in by_target[target]:
            sides.setdefault(_side(boxes, arrows[n], layer, left, right), []).append(n)
        for side, several in sorted(sides.items()):
            border = right if side > 0 else left
            rows = range(layer[target], max(layer[arrows[n].source] for n in several) + 1)
            inside = [border[row] for row in rows]
            lane = max(inside) + LANE if side > 0 else min(inside) - LANE
            for n in several:
                routes[n] = _back(plan, arrows[n], boxes, layer, lane, side)
            for row in rows:
                border[row] = lane
    return routes


def _edges(plan: _Plan, nodes: Iterable[int], side: int) -> list[float]:
    return [plan.x[node] + side * plan.size(node)[0] / 2 for node in nodes]


def _side(
    boxes: Sequence[Placed], arrow: Arrow, layer: dict[int, int], left: list[float], right: list[float]
) -> int:
    rows = range(layer[arrow.target], layer[arrow.source] + 1)
    ends = boxes[arrow.source], boxes[arrow.target]
    to_right = sum(max(right[row] for row in rows) - box.right for box in ends)
    to_left = sum(box.left - min(left[row] for row in rows) for box in ends)
    return 1 if to_right <= to_left else -1


def _back(
    plan: _Plan, arrow: Arrow, boxes: Sequence[Placed], layer: dict[int, int], lane: float, side: int
) -> Route:
    source, target = boxes[arrow.source], boxes[arrow.target]
    points: list[Point] = []
    if _outermost(plan, arrow.source, layer, side):
        points += [(source.right if side > 0 else source.left, source.middle), (lane, source.middle)]
    else:
        row = layer[arrow.source]
        under = plan.tops[row] + plan.heights[row] + GAP * 0.25
        points += [(source.x, source.bottom), (source.x, under), (lane, under)]
    if _outermost(plan, arrow.target, layer, side):
        points += [(lane, target.middle), (target.right if side > 0 else target.left, target.middle)]
    else:
        over = plan.tops[layer[arrow.target]] - GAP * 0.3
        points += [(lane, over), (target.x + side * 20, over), (target.x + side * 20, target.top)]
    return Route(tuple(points), True)


def _outermost(plan: _Plan, node: int, layer: dict[int, int], side: int) -> bool:
    row = plan.layers[layer[node]]
    return row[-1 if side > 0 else 0] == node


# --- the whole ---------------------------------------------------------------------------------------------


def _moved_in(boxes: Sequence[Placed], routes: Sequence[Route]) -> Layout:
    """All of it with its corner at the margin."""
    labels = [route.label for route in routes if route.label is not None]
    points = [point for route in routes for point in route.points]
    x = [*(b.left for b in (*boxes, *labels)), *(b.right for b in (*boxes, *labels)), *(p[0] for p in points)]
    y = [*(b.top for b in boxes), *(b.bottom for b in boxes), *(p[1] for p in points)]
    dx, dy = MARGIN - min(x), MARGIN - min(y)

    def moved(box: Placed) -> Placed:
        return Placed(box.x + dx, box.top + dy, box.width, box.height)

    return Layout(
        tuple(map(moved, boxes)),
        tuple(
            Route(
                tuple((px + dx, py + dy) for px, py in route.points),
                route.back,
                None if route.label is None else moved(route.label),
            )
            for route in routes
        ),
        max(x) + dx + MARGIN,
        max(y) + dy + MARGIN,
    )
