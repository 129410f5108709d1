"""A play as golden text: what is offered and what each seat observes at every step."""

from __future__ import annotations

import random
import textwrap
from collections.abc import Iterator

from rulespec.engine import observation
from rulespec.engine.game import Game, random_step
from rulespec.engine.state import Played, State

_WIDTH = 110


def playthrough(game: Game, seed: int) -> str:
    """The random play of this seed. Observations are given whole at first, then as what has changed."""
    configuration = game.core.configuration
    lines = [
        f"game: {configuration.game}, {game.players} players",
        f"variants: {', '.join(configuration.variants) or 'none'}",
        f"readings: {', '.join(f'{name} is {taken}' for name, taken in configuration.readings) or 'none'}",
        f"moves in all: {game.num_moves}, bytes of a state: {game.state_bytes}, seed: {seed}",
    ]
    state = game.start(seed, auto_chance=False)
    rng = random.Random(seed)
    lines += _views(state)
    while not state.over:
        lines += ["", *_offer(state)]
        before = state.copy()
        random_step(state, rng)
        lines += _step(before, state)
    return "\n".join([*lines, "", *_end(state)]) + "\n"


def _views(state: State) -> Iterator[str]:
    for seat in range(state.game.players):
        yield f"seen by p{seat}:"
        for line in state.observation_text(seat).splitlines():
            yield from _wrapped(line)


def _offer(state: State) -> Iterator[str]:
    number = len(state.history) + 1
    if state.kind == "chance":
        yield f"{number}. chance"
        offered = ", ".join(f"{o.name} {o.probability}" for o in state.chance())
    else:
        yield f"{number}. p{state.actor}{' in secret' if state.secret else ''}"
        offered = ", ".join(f"{m.number} {m.text}" for m in state.moves())
    yield from _wrapped(f"offered: {offered}")


def _step(before: State, after: State) -> Iterator[str]:
    step = after.history[-1]
    if isinstance(step, Played):
        yield f"    taken: {step.move.text} ({step.move.phrase})"
    else:
        seen = {-1: "all", -2: "nobody"}.get(step.seen_by, f"p{step.seen_by}")
        yield f"    decided: {step.outcome.name}, seen by {seen}"
    for seat in range(after.game.players):
        old, new = before.observation(seat), after.observation(seat)
        changes = [str(c) for c in observation.changes(after.game.core, old["slots"], new["slots"])]
        if old["asked"] != new["asked"]:
            changes.append(f"waiting: {after.waiting_text(seat)}")
        if changes:
            yield from _wrapped(f"p{seat} sees {'; '.join(changes)}")


def _end(state: State) -> Iterator[str]:
    yield f"over after {len(state.history)} steps"
    for seat, keys in enumerate(state.keys):
        yield f"p{seat} ranks by {', '.join(str(key) for key in keys)}"
    yield f"winners: {', '.join(f'p{seat}' for seat in state.winners) or 'none'}"
    yield f"fingerprint: {state.fingerprint()}"


def _wrapped(line: str) -> list[str]:
    return textwrap.wrap(
        line,
        _WIDTH,
        initial_indent="    ",
        subsequent_indent="        ",
        break_long_words=False,
        break_on_hyphens=False,
    )
