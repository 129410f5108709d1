"""How a play looks: the table before a player, the moves, what happened, and the end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from rulespec.compiler.core.tree import Core, Expr, Read, Var
from rulespec.engine.state import State
from rulespec.play.events import Event, told
from rulespec.play.menu import Entry
from rulespec.play.screen import clean
from rulespec.play.table import Line, Table

QUIET = "bright_black"
OWN = "bold cyan"


def seen(
    table: Table, workings: Sequence[Line], names: Sequence[str], seat: int | None, *, wide: bool
) -> RenderableType:
    """The table as a seat sees it, its own column marked, and what the rules at work have in mind.

    Where it is not `wide`, the columns of the players need the room, and rows have short names.
    """
    parts: list[RenderableType] = []
    if table.lines:
        parts.append(_lines(table.lines))
    if table.rows:
        players = Grid(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 2, 0, 0))
        players.add_column("", style=QUIET)
        for number, name in enumerate(names):
            own = number == seat
            players.add_column(
                _text(f"{name} (you)" if own else name), header_style=OWN if own else "bold", overflow="fold"
            )
        for row in table.rows:
            players.add_row(_text(row.title if wide else row.name), *map(_text, row.cells))
        parts.append(players)
    else:
        parts.append(Text())
    if workings:
        parts += [_lines(workings), Text()]
    return Group(*parts)


def _lines(lines: Sequence[Line]) -> RenderableType:
    grid = Grid(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    grid.add_column(style=QUIET)
    grid.add_column(overflow="fold")
    for line in lines:
        grid.add_row(_text(line.title), _text(line.content))
    return grid


def menu(numbered: Iterable[tuple[int, Entry]]) -> RenderableType:
    """Numbered moves, as they are typed and as they are told."""
    grid = Grid(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    grid.add_column(justify="right", style=OWN)
    grid.add_column(style="bold")
    grid.add_column(style=QUIET)
    for number, entry in numbered:
        grid.add_row(str(number), _text(entry.text), _text(entry.phrase))
    return grid


def story(events: Iterable[Event], names: tuple[str, ...], seat: int | None) -> Iterator[Text]:
    """What a seat may know of some events, under the rule and citation of each."""
    known = [(event.where, line) for event in events if (line := told(event, names, seat)) is not None]
    for where, group in groupby(known, key=lambda one: one[0]):
        yield Text(clean(str(where)), style=QUIET)
        for line, same in groupby(_joined([line for _, line in group])):
            times = len(list(same))
            yield Text(clean(f"  {line}" + (f" ({times} times)" if times > 1 else "")))


def _joined(lines: Sequence[str]) -> Iterator[str]:
    """Many things that chance decided one after the other in one line."""
    for chance, group in groupby(lines, key=lambda line: line.startswith("chance: ")):
        if chance:
            yield "chance: " + ", ".join(line.removeprefix("chance: ") for line in group)
        else:
            yield from group


def ranking(state: State, names: Sequence[str]) -> RenderableType:
    """The players from first to last with all that ranks them."""
    core = state.game.core
    grid = Grid(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 2, 0, 0))
    for heading in ("place", "player"):
        grid.add_column(heading)
    for heading in key_names(core):
        grid.add_column(_text(heading), justify="right")
    place = 1
    for seats in state.ranking:
        for seat in seats:
            style = "bold green" if seat in state.winners else ""
            keys = map(str, state.keys[seat])
            grid.add_row(str(place), _text(names[seat]), *keys, style=style)
        place += len(seats)
    return grid


def winners(state: State, names: Sequence[str]) -> str:
    """Who won, in a sentence."""
    won = [names[seat] for seat in state.winners]
    if not won:
        return "nothing in these rules ranks the players"
    return f"{won[0]} wins" if len(won) == 1 else f"{', '.join(won[:-1])} and {won[-1]} win together"


def key_names(core: Core) -> tuple[str, ...]:
    """What ranks the players: the score, then what breaks ties."""
    return tuple(_key_name(core, number, key) for number, key in enumerate(core.ranking))


def _key_name(core: Core, number: int, key: Expr) -> str:
    match key:
        case Read(slot, (Var("p"),)) if core.slot[slot].title:
            return core.slot[slot].title
        case _:
            return (
                "score" if number == 0 else "tie-break" if len(core.ranking) == 2 else f"tie-break {number}"
            )


def _text(text: str) -> Text:
    return Text(clean(text))
