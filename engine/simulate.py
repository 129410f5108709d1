"""Many random games, over several processes: one result each, and how often each rule and option happened.

Games are told apart by their seeds, so results do not depend on the number of processes. They come in
chunks, so that whoever asks can show how far it is, and keep what is done when it is broken off.
"""

from __future__ import annotations

import random
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from multiprocessing import get_context

from rulespec.compiler.core.tree import Block, Choose, Core, Enter
from rulespec.engine.faults import Fault
from rulespec.engine.interpreter.stepper import Interpreter
from rulespec.engine.python.playout import MOST, Playout
from rulespec.engine.rng import pick, pick_move
from rulespec.engine.stepper import Record
from rulespec.engine.tally import places

# Games in a chunk: some tenths of a second of work.
_CHUNK = {"python": 50, "interpreter": 2}
ENGINES = tuple(_CHUNK)


@dataclass(frozen=True, slots=True)
class Result:
    """One game.

    `steps` are all moves and chances, `decisions` the moves among them. `keys` are for each seat its ranking
    keys, `scores` the first of each, `winners` the seats with the best keys. A game that was given up after
    too many steps is not `finished` and has no winners. `fault` is "" or what the rules stumbled over; then
    there are no keys.
    """

    seed: int
    steps: int
    decisions: int
    finished: bool
    keys: tuple[tuple[int, ...], ...]
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    fault: str = ""


@dataclass(frozen=True, slots=True)
class Chunk:
    """Some games, in the order of their seeds, and their counts in the order of `tally.places`."""

    results: tuple[Result, ...]
    rules: tuple[int, ...]
    options: tuple[int, ...]


@dataclass
class Totals:
    """Counts over all chunks added so far, in the order of `tally.places`."""

    core: Core
    games: int = 0
    rules: list[int] = field(init=False)
    options: list[int] = field(init=False)

    def __post_init__(self) -> None:
        self._places = places(self.core)
        self.rules = [0] * len(self._places.rules)
        self.options = [0] * len(self._places.options)

    def add(self, chunk: Chunk) -> None:
        self.games += len(chunk.results)
        self.rules = [a + b for a, b in zip(self.rules, chunk.rules, strict=True)]
        self.options = [a + b for a, b in zip(self.options, chunk.options, strict=True)]

    def by_rule(self) -> dict[str, int]:
        """How often each rule began, also those that never did."""
        return dict(zip(self._places.rules, self.rules, strict=True))

    def by_option(self) -> dict[tuple[str, str], int]:
        """(rule, option) -> how often it was taken, also those that never were."""
        result: dict[tuple[str, str], int] = {}
        for (number, position), count in zip(self._places.options, self.options, strict=True):
            end = self.core.blocks[number].end
            assert isinstance(end, Choose)
            option = end.options[position]
            key = (option.origin.rule or self.core.blocks[number].origin.rule, option.name)
            result[key] = result.get(key, 0) + count
        return result


def simulate(
    core: Core, games: int, *, seed: int = 0, jobs: int = 1, engine: str = "python", most: int = MOST
) -> Iterator[Chunk]:
    """Random games from `seed`, `seed + 1`, ...; chunks come in the order of seeds.

    `engine` is `python` or `interpreter`. With one job all is done in this process. Closing the iterator,
    or an exception in whoever uses it, ends the other processes.
    """
    if engine not in _CHUNK:
        raise ValueError(f"there is no engine {engine!r}: it is {' or '.join(ENGINES)}")
    if games < 0 or jobs < 1:
        raise ValueError("the number of games is at least 0, of jobs at least 1")
    size = _CHUNK[engine]
    starts = ((first, min(size, seed + games - first)) for first in range(seed, seed + games, size))
    if jobs == 1:
        player = _player(core, engine)
        return (_chunk(player, first, count, most) for first, count in starts)
    return _spread(core, engine, starts, jobs, most)


def _spread(
    core: Core, engine: str, starts: Iterator[tuple[int, int]], jobs: int, most: int
) -> Iterator[Chunk]:
    pool = ProcessPoolExecutor(jobs, get_context("spawn"), _begin, (core, engine))
    waiting: deque[Future[Chunk]] = deque()
    try:
        with _interruptions_ignored():
            for first, count in islice(starts, 2 * jobs):
                waiting.append(pool.submit(_work, first, count, most))
        while waiting:
            chunk = waiting.popleft().result()
            for first, count in islice(starts, 1):
                waiting.append(pool.submit(_work, first, count, most))
            yield chunk
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


@contextmanager
def _interruptions_ignored() -> Iterator[None]:
    """Processes that are started in it ignore them from the first, before `_begin` could tell them to."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    earlier = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, earlier)


# --- in a process of its own -------------------------------------------------------------------------------

# Plays the game from a seed, for a number of steps at most, and adds to the counts of rules and options.
_Counted = Callable[[int, list[int], list[int], int], tuple[Record, int]]


@dataclass(frozen=True)
class _Player:
    core: Core
    play: _Counted
    scores: Callable[[Record], tuple[tuple[int, ...], ...]]


_workers_player: list[_Player] = []


def _begin(core: Core, engine: str) -> None:
    """An interruption is for the process that asked; it then ends this one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _workers_player[:] = [_player(core, engine)]


def _work(first: int, count: int, most: int) -> Chunk:
    return _chunk(_workers_player[0], first, count, most)


def _player(core: Core, engine: str) -> _Player:
    if engine == "python":
        playout = Playout(core)
        return _Player(core, playout.play_counted, playout.scores)
    slow = _Interpreted(core)
    return _Player(core, slow.play_counted, slow.interpreter.scores)


class _Interpreted:
    """Random games through the interpreter, counted as the generated ones are."""

    def __init__(self, core: Core) -> None:
        self.interpreter = Interpreter(core, watch=self._watch)
        counted = places(core)
        self._rule = {name: i for i, name in enumerate(counted.rules)}
        self._option = {option: i for i, option in enumerate(counted.options)}
        self._entered: list[int] = []

    def _watch(self, passed: Block | Enter, record: Record) -> None:
        if isinstance(passed, Enter):
            self._entered[self._rule[passed.rule]] += 1

    def play_counted(self, seed: int, entered: list[int], chosen: list[int], most: int) -> tuple[Record, int]:
        self._entered = entered
        rng = random.Random(seed)
        r = self.interpreter.start()
        for step in range(most):
            match self.interpreter.kind(r):
                case "choice":
                    move = pick_move(rng, self.interpreter.moves(r))
                    chosen[self._option[r[-1], move[0]]] += 1
                    self.interpreter.play(r, move)
                case "chance":
                    self.interpreter.happen(r, pick(rng, self.interpreter.outcomes(r)))
                case _:
                    return r, step
        return r, most


def _chunk(player: _Player, first: int, count: int, most: int) -> Chunk:
    counted = places(player.core)
    entered, chosen = [0] * len(counted.rules), [0] * len(counted.options)
    results = tuple(_result(player, seed, entered, chosen, most) for seed in range(first, first + count))
    return Chunk(results, tuple(entered), tuple(chosen))


def _result(player: _Player, seed: int, entered: list[int], chosen: list[int], most: int) -> Result:
    before = sum(chosen)
    try:
        record, steps = player.play(seed, entered, chosen, most)
        keys = player.scores(record)
    except Fault as fault:
        return Result(seed, 0, sum(chosen) - before, False, (), (), (), str(fault))
    finished = player.core.blocks[record[-1]].kind == "end"
    best = max(keys, default=())
    winners = tuple(seat for seat, own in enumerate(keys) if own == best) if finished and best else ()
    scores = tuple(own[0] for own in keys if own)
    return Result(seed, steps, sum(chosen) - before, finished, keys, scores, winners)
