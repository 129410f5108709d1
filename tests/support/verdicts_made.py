"""Verdicts and outcomes as a verification comes to them, made up for what a test is about."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from samples import sample

from rulespec.proofs.verdicts import Verdict
from rulespec.verifying.plan import Part
from rulespec.verifying.run import Outcome


def made(name: str, kind: str, verdict: str = "proved", players: int = 2, **rest: Any) -> Verdict:
    """A verdict on a claim."""
    return Verdict("sample", players, name, kind, verdict, "induction", 0.5, **rest)


def part(players: int, **rest: Any) -> Part:
    """A configuration for so many players; the core itself is always the same."""
    core = sample("duel")
    return Part(replace(core, configuration=replace(core.configuration, players=players)), **rest)


def outcome(*verdicts: Verdict, **rest: Any) -> Outcome:
    """What a verification of one configuration for each number of players has come to."""
    numbers = sorted({each.players for each in verdicts})
    found = {n: tuple(v for v in verdicts if v.players == number) for n, number in enumerate(numbers)}
    return Outcome(tuple(part(number) for number in numbers), found, **rest)
