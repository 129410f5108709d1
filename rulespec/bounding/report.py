"""What is known of extremes, as a table, as plain data, and as files of moves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from rulespec.compiler.core.tree import Configuration, Core
from rulespec.proofs.assumed import has_symbols
from rulespec.proofs.extremes import CEILING, FLOOR, Extremes, Side
from rulespec.proofs.verdicts import Play, step_json

WORDS = {FLOOR: "least", CEILING: "most"}
EXPLAINED = {
    "ranges": "what is read never leaves its range",
    "facts": "by the facts that were proved at each control point, or at those a path before it",
    "potential": "by a linear sum that nothing makes greater, which was found and proved",
    "every position": "each position of the game was visited",
}


def heading(core: Core) -> str:
    """`Harbor with 2 players`."""
    chosen = core.configuration
    return ", ".join(
        [f"{core.title} with {chosen.players} player{'s' * (chosen.players != 1)}", *chosen.variants]
    )


def label(found: Extremes) -> str:
    """What the line is about."""
    quantity = found.target.quantity
    return quantity.title or quantity.name


def table(core: Core, results: Sequence[Extremes]) -> Table:
    made = Table(box=SIMPLE_HEAD, title=heading(core), title_justify="left", pad_edge=False)
    made.add_column("")
    for column in ("floor", "lowest play", "highest play", "ceiling", "gap", "stated"):
        made.add_column(column, justify="right")
    made.add_column("shown by")
    for found in results:
        low, high = found.low, found.high
        gaps = "exact" if found.exact else f"{_number(low.gap)} + {_number(high.gap)}"
        how = dict.fromkeys(side.how or "–" for side in (low, high))
        cells = (_number(low.proved), _number(low.found), _number(high.found), _number(high.proved))
        name = Text(f"{label(found)}{' (at the end)' if found.target.at_end else ''}")
        made.add_row(name, *cells, gaps, _stated(found), ", ".join(how))
    return made


def _number(value: int | None) -> str:
    return "unknown" if value is None else f"{value:,}"


def _stated(found: Extremes) -> str:
    low, high = found.target.quantity.stated
    if low is None and high is None:
        return ""
    return f"{'' if low is None else low}..{'' if high is None else high}"


def notes(core: Core, results: Sequence[Extremes]) -> Iterator[RenderableType]:
    """What the words of the table mean, how much tighter stated bounds could be, and why what is not known is
    not.
    """
    used = {side.how for found in results for side in (found.low, found.high)}
    for how, words in EXPLAINED.items():
        if how in used:
            yield Text(f"{how}: {words}")
    if has_symbols(core):
        yield Text("numbers that the rulebook assumes are taken as they are: with others it may be different")
    for found in results:
        for sign in (FLOOR, CEILING):
            side = found.side(sign)
            told = [_against_stated(found, sign)]
            if side.proved is None and side.reason:
                told.append(f"{label(found)}, {WORDS[sign]}: {side.reason}")
            yield from (Text(line) for line in told if line)


def _against_stated(found: Extremes, sign: int) -> str:
    stated = found.target.quantity.stated[sign == CEILING]
    side = found.side(sign)
    if stated is None or side.proved is None or sign * side.proved >= sign * stated:
        return ""
    kind = "ceiling" if sign == CEILING else "floor"
    return f"{label(found)}: the rulebook states the {kind} {stated}, and {side.proved} is proved"


def plays(results: Sequence[Extremes]) -> Iterator[str]:
    """The best play found for each end, as an example of the rules language."""
    for found in results:
        for sign in (FLOOR, CEILING):
            play = found.side(sign).play
            if play is not None:
                yield play.example


# --- for programs -------------------------------------------------------------------------------------------


def as_json(core: Core, results: Sequence[Extremes]) -> dict[str, Any]:
    """One object: the configuration, and under `bounds` one for each line of the table."""
    chosen = core.configuration
    return {
        "game": chosen.game,
        "players": chosen.players,
        "variants": list(chosen.variants),
        "readings": dict(chosen.readings),
        "bounds": [_json_of(found) for found in results],
    }


def _json_of(found: Extremes) -> dict[str, Any]:
    target = found.target
    data: dict[str, Any] = {
        "name": target.quantity.name,
        "title": target.quantity.title,
        "kind": target.kind,
        "when": "end" if target.at_end else "always",
        "exact": found.exact,
        "positions": found.positions or None,
        "stated": list(target.quantity.stated),
    }
    return data | {WORDS[sign]: _side_json(found.side(sign)) for sign in (FLOOR, CEILING)}


def _side_json(side: Side) -> dict[str, Any]:
    data: dict[str, Any] = {
        "proved": side.proved,
        "method": side.how,
        "found": side.found,
        "gap": side.gap,
        "exact": side.exact,
    }
    if side.proved is None:
        data["reason"] = side.reason
    if side.play is not None:
        data["play"] = [step_json(step) for step in side.play.steps]
        data["moves"] = moves(side.play)
        data["example"] = side.play.example
    return data


# --- for `rulespec run --moves` -----------------------------------------------------------------------------


def moves(play: Play) -> list[str]:
    """The steps as lines of a file of moves."""
    return [step.example for step in play.steps if step.example]


def files(core: Core, results: Sequence[Extremes]) -> Iterator[tuple[str, str]]:
    """A file of moves for each best play: its name and its text."""
    for number, found in enumerate(results, 1):
        for sign in (FLOOR, CEILING):
            side = found.side(sign)
            if side.play is not None:
                name = "".join(c if c.isalnum() else "_" for c in found.target.quantity.name)[:40].strip("_")
                lines = [
                    f"# {heading(core)}: {label(found)} is {side.found}, the {WORDS[sign]} that was found"
                ]
                lines += [
                    f"# rulespec run {_options(core.configuration)} --moves FILE",
                    *moves(side.play),
                ]
                yield f"{number:02}_{name.lower()}_{WORDS[sign]}.moves", "\n".join(lines) + "\n"


def _options(chosen: Configuration) -> str:
    parts = [chosen.game, f"--players {chosen.players}", *(f"--variant {v}" for v in chosen.variants)]
    return " ".join([*parts, *(f"--reading {name}={meaning}" for name, meaning in chosen.readings)])
