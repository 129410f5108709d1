"""Rulebooks as Python values: opened, checked, compiled, and loaded as games that can be played."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from functools import cached_property
from typing import TYPE_CHECKING

from rulespec import cache, library, outline
from rulespec.compiler.diagnostics import Diagnostic
from rulespec.outline import Outline

if TYPE_CHECKING:
    from pathlib import Path

    from rulespec.compiler.core.tree import Configuration, Core
    from rulespec.compiler.front import Checked, Text
    from rulespec.compiler.spans import Span
    from rulespec.engine.game import Game

ENGINES = ("python", "interpreter")


class RulesError(Exception):
    """The rules cannot be used: `diagnostics` say why, `sources` holds the texts they point into."""

    def __init__(self, diagnostics: Sequence[Diagnostic], sources: Mapping[str, str]) -> None:
        super().__init__(diagnostics, sources)
        self.diagnostics = tuple(diagnostics)
        self.sources = dict(sources)

    def __str__(self) -> str:
        from rulespec.compiler.render import render

        return "\n" + render(self.diagnostics, self.sources, color=False).rstrip()


class Book:
    """A rulebook and all that can be asked of it: worked out when asked for, or kept on disk from before.

    `sources` holds the texts that diagnostics point into, by file name. `diagnostics` say what is wrong
    with the text itself; what shows in one configuration alone is found by `compile`.
    """

    def __init__(self, game: str | os.PathLike[str]) -> None:
        self.sources: dict[str, str] = {}
        self._cache = cache.opened()
        self._asked: dict[str, str] = {}  # what `use` names, and a mark of what it brought
        self._main: library.Rulebook | None = None
        self._unreadable: tuple[Diagnostic, ...] = ()
        try:
            self._main = library.find(game)
            self.sources[self._main.shown] = library.read(self._main)
        except library.Unreadable as error:
            self._main, self._unreadable = None, (error.diagnostic,)

    @property
    def path(self) -> Path | None:
        """Where the main file is; None where it cannot be read."""
        return None if self._main is None else self._main.path

    @property
    def outline(self) -> Outline | None:
        """What the rulebook has to choose from; None where errors keep it from being known."""
        return self._found[0]

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """What is wrong with the text."""
        return self._found[1]

    def configuration(
        self,
        *,
        players: int | None = None,
        variants: Iterable[str] = (),
        readings: Mapping[str, str] | None = None,
        scope: str | None = None,
    ) -> Configuration:
        """The configuration that is meant; what is not said is the scope's, else the rulebook's default.

        Raises:
            RulesError: the rulebook has errors.
            ConfigurationError: it does not have that number of players, variant, reading or scope.
        """
        if self.outline is None:
            raise RulesError(self.diagnostics, self.sources)
        return outline.settle(self.outline, players, variants, readings, scope)

    @cached_property
    def all_diagnostics(self) -> tuple[Diagnostic, ...]:
        """What is wrong with the text and, where that is good, with the game for any number of players."""
        if self.outline is None:
            return self.diagnostics
        name = cache.key(*self._texts)
        try:
            _, found = outline.from_text(self._cache.get("counts", name) or "")
        except (ValueError, KeyError, TypeError):
            found = self._found_by_compiling()
            self._cache.put("counts", name, outline.to_text(None, found))
        return (*self.diagnostics, *found)

    def compile(self, configuration: Configuration) -> tuple[Core | None, tuple[Diagnostic, ...]]:
        """The core of one configuration, None where it has errors, and what is wrong with it."""
        if self.outline is None:
            return None, self.diagnostics
        name = self._name_of(configuration)
        kept = self._kept_core(name)
        if kept is not None:
            return kept, ()
        assert self.checked is not None
        assert self.checked.rulebook is not None
        from rulespec.compiler.core import from_typed
        from rulespec.compiler.core.print import show

        core, found = from_typed.compile(self.checked.rulebook, configuration)
        if core is not None and not found:
            self._cache.put("core", name, show(core))
        return core, found

    def core(self, configuration: Configuration) -> Core:
        """The core of one configuration.

        Raises:
            RulesError: the rulebook has errors, or this configuration of it.
        """
        core, found = self.compile(configuration)
        if core is None:
            raise RulesError(found or self.diagnostics, self.sources)
        return core

    @cached_property
    def rules_hash(self) -> str:
        """A hash of all rules and examples, to which prose makes no difference; "" where there are errors."""
        if self.outline is None:
            return ""
        name = cache.key(*self._texts)
        return self._kept_hash("rules", name, lambda: self.checked.rulebook if self.checked else None)

    def core_hash(self, core: Core) -> str:
        """A hash of a core that `compile` has given."""
        return self._kept_hash("hash", self._name_of(core.configuration), lambda: core)

    @cached_property
    def checked(self) -> Checked | None:
        """The trees and the typed rulebook, made afresh; None for a file that cannot be read."""
        if self._main is None:
            return None
        from rulespec.compiler import front

        main = front.Text(self._main.shown, self.sources[self._main.shown])
        return front.check(main, self._load)

    # --- inside ---------------------------------------------------------------------------------------------

    @cached_property
    def _found(self) -> tuple[Outline | None, tuple[Diagnostic, ...]]:
        if self._main is None:
            return None, self._unreadable
        name = cache.key(self._main.shown, self.sources[self._main.shown])
        kept = self._kept_outline(name)
        if kept is not None:
            return kept
        checked = self.checked
        assert checked is not None
        from rulespec.summary import summarize

        made = summarize(checked.rulebook, checked.documents) if checked.rulebook else None
        text = outline.to_text(made, checked.diagnostics)
        self._cache.put("check", name, json.dumps(self._asked) + "\n" + text)
        return made, checked.diagnostics

    def _kept_outline(self, name: str) -> tuple[Outline | None, tuple[Diagnostic, ...]] | None:
        """What was found before, if every module that the rulebook uses is as it was."""
        asked, _, text = (self._cache.get("check", name) or "").partition("\n")
        try:
            for module, mark in json.loads(asked).items():
                self._module(module)
                if self._asked[module] != mark:
                    return None
            return outline.from_text(text)
        except (ValueError, KeyError, TypeError, AttributeError):
            return None

    def _name_of(self, configuration: Configuration) -> str:
        return cache.key(*self._texts, json.dumps(asdict(configuration)))

    def _kept_hash(self, kind: str, name: str, value: Callable[[], object]) -> str:
        kept = self._cache.get(kind, name)
        if kept is not None:
            return kept
        from rulespec.compiler.digest import digest

        made = digest(value())
        self._cache.put(kind, name, made)
        return made

    def _kept_core(self, name: str) -> Core | None:
        text = self._cache.get("core", name)
        if text is None:
            return None
        from rulespec.compiler.core.from_text import parse
        from rulespec.compiler.core.words import CoreTextError

        try:
            return parse(text)
        except CoreTextError:
            return None

    def _found_by_compiling(self) -> tuple[Diagnostic, ...]:
        assert self.outline is not None
        assert self.checked is not None
        assert self.checked.rulebook is not None
        from rulespec.compiler.core import from_typed

        rulebook = self.checked.rulebook
        low, high = rulebook.players
        # One mistake is told once, though its words may name numbers that differ with the configuration.
        seen: dict[tuple[str, Span], tuple[Diagnostic, list[int]]] = {}
        for players in range(low, high + 1):
            for each in from_typed.compile(rulebook, self.configuration(players=players))[1]:
                seen.setdefault((each.code, each.span), (each, []))[1].append(players)
        found = [_with_players(each, numbers, high - low + 1) for each, numbers in seen.values()]
        for scope in rulebook.scopes:
            configuration, refused = from_typed.scope_configuration(rulebook, scope)
            more = from_typed.compile(rulebook, configuration)[1] if configuration else refused
            found += [each for each in more if (each.code, each.span) not in seen]
        for example in from_typed.apart_from_play(rulebook):
            more = from_typed.compile_example(rulebook, example)[1]
            found += [each for each in more if (each.code, each.span) not in seen]
        return tuple(dict.fromkeys(found))

    @property
    def _texts(self) -> list[str]:
        """All that a core follows from, but for the configuration and the tool."""
        return [part for file, text in self.sources.items() for part in (file, text)]

    def _module(self, name: str) -> library.Module | Diagnostic:
        assert self._main is not None
        try:
            module = library.load_module(self._main, name)
        except library.Unreadable as error:
            self._asked[name] = error.diagnostic.message
            return error.diagnostic
        self._asked[name] = cache.key(module.shown, module.text)
        self.sources[module.shown] = module.text
        return module

    def _load(self, name: str) -> Text | Diagnostic:
        from rulespec.compiler.front import Text

        module = self._module(name)
        return module if isinstance(module, Diagnostic) else Text(module.shown, module.text)


def _with_players(diagnostic: Diagnostic, players: list[int], all_counts: int) -> Diagnostic:
    if len(players) == all_counts:
        return diagnostic
    numbers = " and ".join(filter(None, [", ".join(map(str, players[:-1])), str(players[-1])]))
    return replace(diagnostic, help=(*diagnostic.help, f"found with {numbers} players"))


def open_rulebook(game: str | os.PathLike[str]) -> Book:
    """A rulebook by the name of a bundled game or the path of a file; what is wrong is in its diagnostics."""
    return Book(game)


def load(
    game: str | os.PathLike[str],
    *,
    players: int | None = None,
    variants: Iterable[str] = (),
    readings: Mapping[str, str] | None = None,
    scope: str | None = None,
    engine: str = "python",
) -> Game:
    """A game that can be played, in one configuration.

    Args:
        game: the name of a bundled game (`games()` lists them), or the path of a rulebook.
        players: how many play; may be left out with a `scope`, which says it.
        variants: the names of the variants that are played.
        readings: which meaning to take of an open question, by their names; for the others the default.
        scope: the name of a small configuration in the rulebook; what else is given changes it.
        engine: `python` (generated code, fast) or `interpreter` (slow, the meaning of the rules).

    Raises:
        RulesError: the rulebook cannot be read or has errors; its text shows them.
        ConfigurationError: the rulebook has no such number of players, variant, reading, meaning or scope.
        ValueError: there is no such engine.
    """
    if engine not in ENGINES:
        raise ValueError(f"there is no engine `{engine}`; there are `python` and `interpreter`")
    book = open_rulebook(game)
    configuration = book.configuration(players=players, variants=variants, readings=readings, scope=scope)
    return game_of(book.core(configuration), engine)


def game_of(core: Core, engine: str = "python") -> Game:
    """A core as a game, played by one of `ENGINES`."""
    from rulespec.engine.game import Game

    if engine == "interpreter":
        return Game(core)
    from rulespec.engine.python.stepper import PythonEngine

    return Game(core, PythonEngine(core))


def check(game: str | os.PathLike[str]) -> tuple[Diagnostic, ...]:
    """All that is wrong with a rulebook, in its text and when compiled for each number of players."""
    return open_rulebook(game).all_diagnostics


def games() -> tuple[str, ...]:
    """The names of the bundled games, in alphabetical order."""
    return library.games()
