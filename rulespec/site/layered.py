"""Where boxes and arrows lie: layers from top to bottom, found by fast_sugiyama, with room for each box.

Arrows that lead on go down from layer to layer; those that lead back go up in lanes beside the boxes. A label
is a box of its own on its arrow, so nothing runs across it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

GAP = 40.0  # between layers
APART = 26.0  # between boxes side by side
LANE = 16.0  # between lanes, and between a lane and a box
MARGIN = 12.0
_CLOSE = 0.02  # what it costs that a layer is wide
_MAIN = 2.0  # what it costs besides when the first way on is not straight
_IN = 24.0  # how far from a box's corner arrows stay
_LEVEL = 0.25  # how far below the middle of its box's side a way back leaves
_ASIDE = 120.0  # what it costs to go back around other boxes

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
    main: dict[int, int] = field(default_factory=dict)  # what lies straight below, if possible
    x: dict[int, float] = field(default_factory=dict)
    tops: list[float] = field(default_factory=list)
    heights: list[float] = field(default_factory=list)

    def size(self, node: int) -> tuple[float, float]:
        return self.sizes[node] if node < len(self.sizes) else (2.0, 0.0)

    def is_bend(self, node: int) -> bool:
        return node >= len(self.sizes)


def layout(sizes: Sequence[tuple[float, float]], arrows: Sequence[Arrow]) -> Layout:
    """Places for boxes of these sizes, in the order of play.

    All are reached from the first by arrows that are not `back`, which lead from lower numbers to higher.
    """
    plan = _planned(sizes, arrows)
    _set_across(plan)
    _set_down(plan)
    layer = {node: n for n, nodes in enumerate(plan.layers) for node in nodes}
    boxes = [_placed(plan, node, layer) for node in range(len(sizes))]
    ahead = [n for n, arrow in enumerate(arrows) if not arrow.back]
    routes: dict[int, Route] = {}
    for n, chain in zip(ahead, plan.chains, strict=True):
        label = _placed(plan, plan.labels[n], layer) if n in plan.labels else None
        routes[n] = Route(_down(plan, chain, layer), False, label)
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
        edges |= dict.fromkeys(pairwise(stops))
    if not edges:
        return _Plan(every, [[0]], [], labels)
    drawn = list(edges)
    edges |= dict.fromkeys(_to_the_end(len(sizes), edges))
    layers, ways = _layers(list(edges), len(every), set(drawn))
    chains = []
    for stops in pairs:
        chain = stops[:1]
        for a, b in pairwise(stops):
            chain += ways[a, b]
        chains.append(chain)
    return _Plan(every, layers, chains, labels, _main(chains))


def _main(chains: list[list[int]]) -> dict[int, int]:
    """What comes next on the longest way to the end, for each node."""
    onwards: dict[int, list[list[int]]] = {}
    for chain in chains:
        onwards.setdefault(chain[0], []).append(chain)
    far: dict[int, int] = {}
    main: dict[int, int] = {}
    for source in sorted(onwards, reverse=True):  # arrows lead from lower numbers to higher
        longest = max(onwards[source], key=lambda chain: far.get(chain[-1], 0))
        far[source] = far.get(longest[-1], 0) + 1
        main |= {a: b for chain in onwards[source] for a, b in pairwise(chain[1:])}
        main[source] = longest[1]
    return main


def _to_the_end(boxes: int, edges: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """From boxes that nothing but ways back leave to the last one, so that it lies below them."""
    leaving = {a for a, _ in edges}
    return [(box, boxes - 1) for box in range(boxes - 1) if box not in leaving]


def _layers(
    edges: list[tuple[int, int]], count: int, drawn: set[tuple[int, int]]
) -> tuple[list[list[int]], dict[tuple[int, int], list[int]]]:
    """The nodes of each layer in order, and for each edge that is drawn the nodes on it but its source."""
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
    ways = {edge: _along(edge, onwards, count) for edge in edges if edge in drawn}
    used = {node for way in ways.values() for node in way} | {a for a, _ in drawn}
    return [[node for node in row if node in used] for row in rows.values()], ways


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
    """As straight as arrows can be with the order in each layer and the room between boxes.

    A linear program, as in E. Gansner et al., A technique for drawing directed graphs (1993).
    """
    pairs = [pair for chain in plan.chains for pair in pairwise(chain)]
    numbers = {node: n for n, node in enumerate(node for nodes in plan.layers for node in nodes)}
    count = len(numbers)
    rows: list[list[tuple[int, float]]] = []  # each at most the limit beside it
    limits: list[float] = []
    cost = [0.0] * (count + len(pairs))
    for nodes in plan.layers:
        for a, b in pairwise(nodes):
            rows.append([(numbers[a], 1.0), (numbers[b], -1.0)])
            limits.append(-(plan.size(a)[0] + plan.size(b)[0]) / 2 - APART)
        cost[numbers[nodes[-1]]] += _CLOSE
        cost[numbers[nodes[0]]] -= _CLOSE
    for n, (a, b) in enumerate(pairs, start=count):
        cost[n] = _straightness(plan, a, b)
        for sign in (1.0, -1.0):
            rows.append([(numbers[a], sign), (numbers[b], -sign), (n, -1.0)])
        limits += [0.0, 0.0]
    plan.x = dict(zip(numbers, _least(cost, rows, limits, count), strict=True))


def _straightness(plan: _Plan, a: int, b: int) -> float:
    """How much it costs when b does not lie below a."""
    bends = plan.is_bend(a) + plan.is_bend(b)
    return (1.0, 2.0, 8.0)[bends] + (_MAIN if plan.main.get(a) == b else 0.0)


def _least(
    cost: list[float], rows: list[list[tuple[int, float]]], limits: list[float], free: int
) -> list[float]:
    """What makes the cost least; the first `free` numbers may be below 0, and the very first is 0."""
    from scipy.optimize import linprog
    from scipy.sparse import coo_array

    if not rows:
        return [0.0] * free
    entries = [(value, row, column) for row, parts in enumerate(rows) for column, value in parts]
    values, down, across = zip(*entries, strict=True)
    matrix = coo_array((values, (down, across)), shape=(len(rows), len(cost)))
    bounds = [(0, 0), *[(None, None)] * (free - 1), *[(0, None)] * (len(cost) - free)]
    found = linprog(cost, A_ub=matrix.tocsr(), b_ub=limits, bounds=bounds, method="highs-ds")
    return [float(x) for x in found.x[:free]]


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


def _down(plan: _Plan, chain: list[int], layer: dict[int, int]) -> tuple[Point, ...]:
    """Points in pairs: each pair is passed straight down, and between pairs the way bends."""
    first, last = _placed(plan, chain[0], layer), _placed(plan, chain[-1], layer)
    leaves = _held(plan.x[chain[1]], first)
    points = [(leaves, first.bottom), (leaves, _floor(plan, layer[chain[0]]))]
    for node in chain[1:-1]:
        points += [(plan.x[node], plan.tops[layer[node]]), (plan.x[node], _floor(plan, layer[node]))]
    comes = _held(points[-1][0], last)
    return (*points, (comes, plan.tops[layer[chain[-1]]]), (comes, last.top))


def _held(x: float, box: Placed) -> float:
    """The place on a box's border nearest to x."""
    reach = max(0.0, box.width / 2 - _IN)
    return min(max(x, box.x - reach), box.x + reach)


def _floor(plan: _Plan, row: int) -> float:
    return plan.tops[row] + plan.heights[row]


# --- arrows that lead back ---------------------------------------------------------------------------------


@dataclass
class _Borders:
    """How far each layer reaches to the left (-1) and to the right (1), lanes included."""

    of: dict[int, list[float]]

    def outside(self, rows: range, side: int) -> float:
        return max(side * self.of[side][row] for row in rows) * side


def _lanes(
    plan: _Plan, arrows: Sequence[Arrow], boxes: Sequence[Placed], layer: dict[int, int]
) -> dict[int, Route]:
    """Shorter ways back lie further in; those to one box share a lane on each side."""
    borders = _Borders({side: [_reach(plan, nodes, side) for nodes in plan.layers] for side in (-1, 1)})
    by_target: dict[int, list[int]] = {}
    for n, arrow in enumerate(arrows):
        if arrow.back:
            by_target.setdefault(arrow.target, []).append(n)
    routes: dict[int, Route] = {}
    for _, target in sorted(
        (_last(arrows, several, layer) - layer[t], t) for t, several in by_target.items()
    ):
        sides: dict[int, list[int]] = {}
        for n in by_target[target]:
            sides.setdefault(_side(plan, boxes, arrows[n], layer, borders), []).append(n)
        for side, several in sorted(sides.items()):
            rows = range(layer[target], _last(arrows, several, layer) + 1)
            lane = borders.outside(rows, side) + side * LANE
            for n in several:
                label = arrows[n].label
                if label is not None:
                    source = boxes[arrows[n].source]
                    lane = side * max(side * lane, side * source.x + source.width / 2 + label[0] + LANE)
            for n in several:
                routes[n] = _back(plan, arrows[n], boxes, layer, lane, side)
            for row in rows:
                borders.of[side][row] = lane
    return routes


def _last(arrows: Sequence[Arrow], several: Iterable[int], layer: dict[int, int]) -> int:
    return max(layer[arrows[n].source] for n in several)


def _reach(plan: _Plan, nodes: Iterable[int], side: int) -> float:
    return max(side * plan.x[node] + plan.size(node)[0] / 2 for node in nodes) * side


def _side(
    plan: _Plan, boxes: Sequence[Placed], arrow: Arrow, layer: dict[int, int], borders: _Borders
) -> int:
    """Left (-1) or right (1), wherever the way is shorter."""
    rows = range(layer[arrow.target], layer[arrow.source] + 1)
    costs: dict[int, float] = {}
    for side in (1, -1):
        lane = side * borders.outside(rows, side)
        ends = arrow.source, arrow.target
        costs[side] = sum(lane - side * boxes[end].x - boxes[end].width / 2 for end in ends)
        costs[side] += sum(_ASIDE for end in ends if not _outermost(plan, end, layer, side))
    return 1 if costs[1] <= costs[-1] else -1


def _back(
    plan: _Plan, arrow: Arrow, boxes: Sequence[Placed], layer: dict[int, int], lane: float, side: int
) -> Route:
    source, target = boxes[arrow.source], boxes[arrow.target]
    points: list[Point] = []
    if _outermost(plan, arrow.source, layer, side):
        level = source.middle + source.height * _LEVEL
        points += [(source.x + side * source.width / 2, level), (lane, level)]
    else:
        under = _floor(plan, layer[arrow.source]) + GAP * 0.25
        points += [(source.x, source.bottom), (source.x, under), (lane, under)]
    if _outermost(plan, arrow.target, layer, side):
        points += [(lane, target.middle), (target.x + side * target.width / 2, target.middle)]
    else:
        over = plan.tops[layer[arrow.target]] - GAP * 0.3
        aside = target.x + side * max(0.0, target.width / 2 - _IN)
        points += [(lane, over), (aside, over), (aside, target.top)]
    return Route(tuple(points), True, _beside(arrow, source, points, side))


def _beside(arrow: Arrow, source: Placed, points: list[Point], side: int) -> Placed | None:
    """The place of a label, next to the box that the arrow leaves."""
    if arrow.label is None:
        return None
    wide, high = arrow.label
    level = points[1][1]
    return Placed(source.x + side * (source.width / 2 + wide / 2 + 2), level - high / 2, wide, high)


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
