"""One game of a site: its rulebook and all that pages want to know of it, each worked out once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, cached_property
from pathlib import Path

from rulespec import api
from rulespec.compiler.core.tree import Configuration, Core
from rulespec.compiler.front import Checked
from rulespec.compiler.typed.tree import Example, Rulebook
from rulespec.outline import Outline
from rulespec.reference import steps, verdicts
from rulespec.reference.firings import PlayOuts, play_outs
from rulespec.reference.leaning import Leaning, leanings
from rulespec.reference.names import Names, names
from rulespec.reference.parts import Parts, parts
from rulespec.reference.steps import Told
from rulespec.reference.verdicts import Verdicts
from rulespec.site.anchors import Anchors, anchors
from rulespec.verifying import lock as locks
from rulespec.verifying.lock import Lock


class Subject:
    """A rulebook without errors.

    `name` is the folder of its pages and the name that the rulebook gives the game.

    Raises:
        RulesError: the rulebook cannot be read or has errors.
    """

    def __init__(self, game: str) -> None:
        self.game = game
        self.book = api.open_rulebook(game)
        checked = self.book.checked
        if checked is None or checked.rulebook is None or self.book.outline is None:
            raise api.RulesError(self.book.diagnostics, self.book.sources)
        assert self.book.path is not None
        self.checked: Checked = checked
        self.rulebook: Rulebook = checked.rulebook
        self.outline: Outline = self.book.outline
        self.path: Path = self.book.path
        self.name: str = self.rulebook.name
        self.title: str = self.rulebook.title
        self.known: dict[str, str] = {}
        self.kept: Mapping[str, str] | None = None

    @property
    def main_file(self) -> str:
        """The name of the rulebook's own file in spans; others are modules that it uses."""
        return self.checked.documents[0].file

    @property
    def text(self) -> str:
        """The rulebook's own text."""
        return self.book.sources[self.main_file]

    def about(self, what: str, tell: Callable[[Subject, str], str], name: str) -> str:
        """What is told beside a declaration. Where something is `kept` from before, it is that or nothing."""
        if self.kept is not None:
            return self.kept.get(what, "")
        if what not in self.known:
            self.known[what] = tell(self, name)
        return self.known[what]

    @cached_property
    def names(self) -> Names:
        """What each name means, in the rulebook and in the modules that it uses."""
        return names(self.checked)

    @cached_property
    def anchors(self) -> Anchors:
        """Where each definition stands."""
        return anchors(self.name, self.main_file, self.names)

    @property
    def players(self) -> range:
        """The numbers of players."""
        low, high = self.rulebook.players
        return range(low, high + 1)

    @property
    def usual_players(self) -> int:
        """The number that pictures and numbers are of where one has to be taken: the middle one."""
        low, high = self.rulebook.players
        return (low + high + 1) // 2

    def configuration(self, players: int) -> Configuration:
        """The default readings, without variants."""
        return self.book.configuration(players=players)

    def core(self, players: int) -> Core:
        """The core of the default configuration.

        Raises:
            RulesError: the rulebook has errors with that number of players.
        """
        return self.core_of(self.configuration(players))

    @cache  # noqa: B019  one subject lives as long as a build
    def core_of(self, configuration: Configuration) -> Core:
        """The core of any configuration.

        Raises:
            RulesError: the rulebook has errors in it.
        """
        return self.book.core(configuration)

    @cached_property
    def verdicts(self) -> Verdicts:
        """What is claimed of the game and how it stands."""
        return verdicts.verdicts(self.book, self.core_of)

    @cached_property
    def parts(self) -> Parts:
        """What the game is played with."""
        return parts(self.rulebook, self.checked.documents)

    @cached_property
    def told(self) -> Mapping[str, Told]:
        """The examples as they are carried out, by name."""
        found = steps.told(self.rulebook, self.book.sources, self.book.rules_hash)
        return {each.name: each for each in found}

    @cached_property
    def exercised(self) -> Mapping[str, tuple[Example, ...]]:
        """For each rule the examples that exercise it."""
        examples = {each.name: each for each in self.rulebook.examples}
        by_rule = steps.exercised(tuple(self.told.values()))
        return {rule: tuple(examples[name] for name in names) for rule, names in by_rule.items()}

    @cached_property
    def leanings(self) -> Mapping[str, Leaning]:
        """For each rule the open questions that it leans on."""
        return leanings(self.rulebook)

    @cache  # noqa: B019  as above
    def play_outs(self, players: int) -> PlayOuts:
        """Random games of the default configuration."""
        core = self.core(players)
        return play_outs(core, self.book.core_hash(core))

    @cached_property
    def lock(self) -> Lock:
        """What the lock file beside the rulebook says; empty where there is none or it cannot be read."""
        try:
            return locks.read(self.path.parent / locks.NAME)
        except locks.Unusable:
            return Lock()
