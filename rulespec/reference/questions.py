"""The questions that a source leaves open: who asks them, what each meaning changes, and whether it shows."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from typing import Any

from rulespec import cache
from rulespec.compiler.core import from_typed
from rulespec.compiler.digest import digest
from rulespec.compiler.surface.tree import Document
from rulespec.compiler.typed import tree as t
from rulespec.engine.python.stepper import PythonEngine
from rulespec.proofs.vacuity.alike import alike
from rulespec.reference.apart import Difference, Search, search
from rulespec.reference.asks import Ask, asks
from rulespec.reference.compared import Compiled, Differing, differing
from rulespec.reference.leaning import leanings

FORMAT = 1  # of what is kept; to be changed with what is looked for
PLAYS = 60  # of each meaning with one number of players
STEPS = 6_000  # of all of them together
MOST_NUMBERS = 6  # numbers of players that are looked at; of more, the least, the usual and the greatest
PATIENCE = 40.0  # seconds of this process for one rulebook; meanings after them are not looked at


@dataclass(frozen=True)
class Compared:
    """The default meaning and another with so many players.

    `refused` says why one of the games cannot be made. `one_game`: both are the same game, step by step; then
    and where it was not looked for, `search` is None.
    """

    players: int
    refused: str = ""
    one_game: bool = False
    differing: Differing = field(default_factory=Differing)
    search: Search | None = None


@dataclass(frozen=True)
class Meant:
    """A meaning other than the default. `compared` is empty where there was no time to look."""

    name: str
    compared: tuple[Compared, ...]

    @property
    def one_game(self) -> bool:
        """Whether it cannot be told from the default at all."""
        return bool(self.compared) and all(each.one_game for each in self.compared)

    @property
    def shown(self) -> Compared | None:
        """Where a play shows that it is another game."""
        return next((each for each in self.compared if each.search and each.search.difference), None)

    @property
    def plays(self) -> int:
        """How many plays were tried."""
        return sum(each.search.plays for each in self.compared if each.search)


@dataclass(frozen=True)
class Question:
    """`asks` are the places where rules ask for it, `by_way` the rules that go by what asks: a function, a
    param, money."""

    reading: t.Reading
    asks: tuple[Ask, ...]
    by_way: tuple[str, ...]
    meant: tuple[Meant, ...]

    @property
    def is_open(self) -> bool:
        """Whether there is a choice."""
        return len(self.reading.meanings) > 1


def questions(rulebook: t.Rulebook, documents: Iterable[Document], usual: int) -> tuple[Question, ...]:
    """All readings of a rulebook; plays are of the `usual` number of players where these show it."""
    asked, leaning = asks(documents).readings, leanings(rulebook)
    found: list[Question] = []
    bench = _Bench(rulebook, usual)
    for reading in rulebook.readings:
        places = asked.get(reading.name, ())
        asking = {ask.name for ask in places if ask.sort == "rule"}
        by_way = tuple(rule for rule, it in leaning.items() if reading.name in it.own and rule not in asking)
        others = [meaning.name for meaning in reading.meanings if meaning.name != reading.default]
        look = bench.meant if places else bench.never_asked
        meant = tuple(look(reading, name) for name in others)
        found.append(Question(reading, places, by_way, meant))
    return tuple(found)


class _Bench:
    """Compares meanings, and keeps what it finds under the hash of the rules, to which prose makes no
    difference.
    """

    def __init__(self, rulebook: t.Rulebook, usual: int) -> None:
        self.rulebook = rulebook
        self.usual = usual
        self._rules = ""
        self._cache = cache.opened()
        self._bases: dict[int, tuple[_Base | None, str]] = {}
        self._end = time.process_time() + PATIENCE

    def never_asked(self, _: t.Reading, meaning: str) -> Meant:
        """What no text asks for is in no game."""
        return Meant(meaning, tuple(Compared(players, one_game=True) for players in self._numbers()))

    def meant(self, reading: t.Reading, meaning: str) -> Meant:
        self._rules = self._rules or digest(replace(self.rulebook, examples=(), scopes=()))
        limits = (str(number) for number in (FORMAT, PLAYS, STEPS, self.usual))
        name = cache.key(self._rules, reading.name, meaning, *limits)
        try:
            return _from_text(self._cache.get("apart", name) or "")
        except (ValueError, KeyError, TypeError):
            if time.process_time() > self._end:
                return Meant(meaning, ())
            found = Meant(meaning, tuple(self._compared(reading.name, meaning)))
            self._cache.put("apart", name, json.dumps(asdict(found)))
            return found

    def _compared(self, reading: str, meaning: str) -> Iterator[Compared]:
        """With each number of players; plays only until one shows it."""
        shown = False
        for players in sorted(self._numbers(), key=lambda number: number != self.usual):
            base, refused = self._base(players)
            other, why = self._core(players, {reading: meaning}) if base else (None, "")
            if base is None or other is None:
                yield Compared(players, refused or why)
                continue
            a, b = base.compiled.core, other.core
            one_game = bool(alike(a, replace(b, properties=a.properties, hints=a.hints), ()))
            tried = None
            if not one_game and not shown:
                tried = search(base.engine, PythonEngine(b), PLAYS, STEPS)
                shown = tried.difference is not None
            yield Compared(players, "", one_game, differing(base.compiled, other), tried)

    def _numbers(self) -> Sequence[int]:
        low, high = self.rulebook.players
        if high - low < MOST_NUMBERS:
            return range(low, high + 1)
        return sorted({low, self.usual, high})

    def _base(self, players: int) -> tuple[_Base | None, str]:
        """The game with the default meanings, made once."""
        if players not in self._bases:
            made, refused = self._core(players, {})
            self._bases[players] = (None if made is None else _Base(made), refused)
        return self._bases[players]

    def _core(self, players: int, readings: Mapping[str, str]) -> tuple[Compiled | None, str]:
        wanted = from_typed.configuration(self.rulebook, players, (), readings)
        core, found = from_typed.compile(self.rulebook, wanted)
        return (Compiled(core), "") if core else (None, "; ".join(each.message for each in found))


@dataclass(frozen=True)
class _Base:
    """A game that others are held against, and what plays it."""

    compiled: Compiled

    @cached_property
    def engine(self) -> PythonEngine:
        return PythonEngine(self.compiled.core)


# --- as text ------------------------------------------------------------------------------------------------


def _from_text(text: str) -> Meant:
    """Raises ValueError, KeyError or TypeError where it is not what was kept."""
    data = json.loads(text)
    return Meant(data["name"], tuple(_one_compared(each) for each in data["compared"]))


def _one_compared(data: dict[str, Any]) -> Compared:
    found = data["search"]
    difference = found and found["difference"]
    tried = found and Search(found["plays"], difference and Difference(**_tuples(difference)))
    return Compared(**{**data, "differing": Differing(**_tuples(data["differing"])), "search": tried})


def _tuples(data: dict[str, Any]) -> dict[str, Any]:
    return {name: _frozen(value) for name, value in data.items()}


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value
