"""Plays as text for files: the seed and every step, checked against the rules when they are read back."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from rulespec.engine.faults import Fault
from rulespec.engine.state import IllegalMove, Played, State

if TYPE_CHECKING:
    from rulespec.engine.game import Game

FORMAT = "rulespec play"
VERSION = 1


class SaveError(ValueError):
    """A saved play that cannot be taken up again; the text says why."""


def save(game: Game, state: State) -> str:
    """One JSON object. Steps are `["move", number]` and `["chance", outcome]` in their order."""
    steps = [
        ["move", step.move.number] if isinstance(step, Played) else ["chance", step.outcome.number]
        for step in state.history
    ]
    return json.dumps(
        {
            "format": FORMAT,
            "version": VERSION,
            "game": game.core.configuration.game,
            "players": game.players,
            "rules": game.digest,
            "seed": state.seed,
            "auto_chance": state.auto_chance,
            "steps": steps,
            "fingerprint": state.fingerprint(),
        }
    )


def load(game: Game, text: str) -> State:
    """The saved play, stepped again from its start, so that nothing the rules do not allow gets in."""
    saved = _read(text)
    _check_rules(game, saved)
    seed, auto, steps = saved.get("seed"), saved.get("auto_chance"), saved.get("steps")
    if type(seed) is not int or type(auto) is not bool or not isinstance(steps, list):
        raise SaveError("the saved play is damaged: seed, auto_chance or steps are missing")
    try:
        state = State.retrace(game, seed, auto, [_step(step) for step in steps])
    except (IllegalMove, Fault) as trouble:
        raise SaveError(f"the saved play is damaged: {trouble}") from None
    if state.fingerprint() != saved.get("fingerprint"):
        raise SaveError("the saved play is damaged: its steps lead to another state")
    return state


def _read(text: str) -> dict[str, Any]:
    try:
        saved = json.loads(text)
    except (ValueError, RecursionError):
        raise SaveError("this is not a saved play: it is not JSON") from None
    if not isinstance(saved, dict) or saved.get("format") != FORMAT:
        raise SaveError("this is not a saved play")
    if saved.get("version") != VERSION:
        raise SaveError(f"the play was saved in format {saved.get('version')}, this reads format {VERSION}")
    return saved


def _check_rules(game: Game, saved: dict[str, Any]) -> None:
    name, players = saved.get("game"), saved.get("players")
    if name != game.core.configuration.game:
        raise SaveError(f"the saved play is of `{name}`, not of `{game.core.configuration.game}`")
    if players != game.players:
        raise SaveError(f"the saved play is for {players} players, not for {game.players}")
    if saved.get("rules") != game.digest:
        raise SaveError(
            "the rules have changed since the play was saved, or it has other variants or readings"
        )


def _step(step: object) -> tuple[str, int]:
    match step:
        case ["move" | "chance" as kind, int(number)]:
            return kind, number
        case _:
            raise SaveError("the saved play is damaged: a step is neither a move nor chance")
