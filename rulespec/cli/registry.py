"""The commands there are. A command is added with one line here and one module beside it."""

from __future__ import annotations

import importlib
from dataclasses import dataclass

import click


@dataclass(frozen=True)
class Entry:
    """A command's name, its line in `rulespec --help`, and a call that works as it stands.

    The module `rulespec.cli.NAME` holds it as `command`. It is imported only when the command is
    asked for, so that none pays for the solver or the parser of another.
    """

    name: str
    summary: str
    example: str


COMMANDS: tuple[Entry, ...] = (
    Entry("games", "List the games that come with rulespec.", "rulespec games"),
    Entry("new", "Begin a rulebook: a folder with a tiny game that works.", "rulespec new harbor"),
    Entry(
        "check",
        "Check rulebooks: spelling, names, types, units, citations, limits.",
        "rulespec check il_principe",
    ),
    Entry("fmt", "Write rulebooks in the one layout.", "rulespec fmt harbor.rules.md"),
    Entry(
        "readings",
        "List what the source leaves open, and what is assumed.",
        "rulespec readings il_principe",
    ),
    Entry(
        "coverage",
        "Show which paragraphs of its sources a rulebook accounts for.",
        "rulespec coverage il_principe",
    ),
    Entry("test", "Run the examples of a rulebook.", "rulespec test il_principe"),
    Entry("play", "Play a game at this keyboard, alone or together.", "rulespec play il_principe -p 3"),
    Entry("run", "Play one game and show it step by step.", "rulespec run il_principe -p 3 --seed 7"),
    Entry(
        "simulate",
        "Play many random games and say what they come to.",
        "rulespec simulate il_principe -p 4 --games 10000",
    ),
    Entry(
        "verify",
        "Prove, or at least test, what must be true of a game.",
        "rulespec verify il_principe",
    ),
    Entry(
        "mutate",
        "Change the rules in small ways and see what notices.",
        "rulespec mutate il_principe -p 3 --sample 100",
    ),
    Entry(
        "bounds",
        "Find how high and how low numbers can go, proved and played.",
        'rulespec bounds il_principe "p.purse for p in players"',
    ),
    Entry(
        "compile",
        "Print what a rulebook is compiled to, for one configuration.",
        "rulespec compile il_principe --players 3",
    ),
    Entry("docs", "Publish rulebooks as a site that can be browsed.", "rulespec docs build il_principe"),
    Entry("ci", "All that must hold before a change is taken.", "rulespec ci"),
    Entry("explain", "Explain a code that a diagnostic has shown.", "rulespec explain R0201"),
    Entry("version", "Say which versions are installed.", "rulespec version --json"),
)


def find(name: str) -> Entry | None:
    """The entry of that name, if there is one."""
    return next((entry for entry in COMMANDS if entry.name == name), None)


def load(entry: Entry) -> click.Command:
    """Import the entry's module and hand out its command.

    Raises:
        TypeError: the module's `command` is not a command.
    """
    command = importlib.import_module(f"rulespec.cli.{entry.name}").command
    if not isinstance(command, click.Command):
        raise TypeError(f"`rulespec.cli.{entry.name}.command` is not a command")
    return command
