"""A picture of a whole table: boards drawn, and all else written out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from rulespec.compiler.core.tree import Domain, Slot
from rulespec.engine.layout import value_label
from rulespec.engine.observation import lines, slots

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PIL.ImageDraw import ImageDraw

    from rulespec.engine.state import State

_WIDTH = 900
_LINE = 18
_MARGIN = 12
_SQUARE = 48
_LETTERS = 118  # as many as have room in a line
_COLUMNS = "abcdefghijklmnoqrstuvwxyz"
_INK, _PAPER, _WOOD = (30, 30, 30), (250, 248, 240), (222, 203, 164)
# One for each seat, told apart by people who do not see all colors.
_SEATS = ((0, 114, 178), (213, 94, 0), (0, 158, 115), (204, 121, 167), (230, 159, 0), (86, 180, 233))


def text(state: State) -> str:
    """Everything on the table, whoever may see it, and what the game waits for."""
    core = state.game.core
    seen = slots(core, state.record, None, everything=True)
    return "\n".join([*lines(core, seen), f"waiting: {state.waiting_text(state.actor)}"])


def picture(state: State) -> NDArray[np.uint8]:
    """The same as an array of height, width and 3 colors; all pictures of one game have one size."""
    from PIL import Image, ImageDraw

    boards = [slot for slot in state.game.core.slots if squares(slot) and slot.role == "state"]
    written = [state.game.title, *text(state).splitlines()]
    written = [line for line in written if not any(line.startswith(f"{slot.name}: ") for slot in boards)]
    tall = max((rows for slot in boards for _, rows in [_size(slot.dims[-1])]), default=0)
    wide = sum(_size(slot.dims[-1])[0] * _SQUARE + _MARGIN for slot in boards) + _MARGIN
    image = Image.new("RGB", (max(_WIDTH, wide), 3 * _MARGIN + tall * _SQUARE + len(written) * _LINE), _PAPER)
    draw = ImageDraw.Draw(image)
    left = _MARGIN
    for slot in boards:
        _board(draw, state, slot, left)
        left += _size(slot.dims[-1])[0] * _SQUARE + _MARGIN
    for number, line in enumerate(written):
        shown = line if len(line) <= _LETTERS else line[: _LETTERS - 1] + "…"
        draw.text((_MARGIN, 2 * _MARGIN + tall * _SQUARE + number * _LINE), shown, _INK)
    return np.asarray(image, dtype=np.uint8).copy()


def squares(slot: Slot) -> dict[tuple[int, int], int]:
    """If a slot has a value for each square of a grid: the element at each column and row, from 0."""
    if len(slot.dims) != 1:
        return {}
    found: dict[tuple[int, int], int] = {}
    for number, name in enumerate(slot.dims[0].names):
        place = _place(name)
        if place is None:
            return {}
        found[place] = number
    columns, rows = _extent(found)
    return found if len(found) == columns * rows > 1 else {}


def _place(name: str) -> tuple[int, int] | None:
    """Column and row of a square, from 0: `a1` is (0, 0). No column is called `p`; after `z` comes `aa`."""
    match = re.fullmatch(r"([a-oq-z]?)([a-oq-z])([1-9][0-9]*)", name)
    if match is None:
        return None
    more = _COLUMNS.index(match[1]) + 1 if match[1] else 0
    return more * len(_COLUMNS) + _COLUMNS.index(match[2]), int(match[3]) - 1


def _extent(places: Sequence[tuple[int, int]] | dict[tuple[int, int], int]) -> tuple[int, int]:
    return max(column for column, _ in places) + 1, max(row for _, row in places) + 1


def _size(domain: Domain) -> tuple[int, int]:
    """Columns and rows of a grid."""
    return _extent([place for name in domain.names if (place := _place(name)) is not None])


def _board(draw: ImageDraw, state: State, slot: Slot, left: int) -> None:
    """A grid with its first row at the bottom; what belongs to a seat is a disc in its color."""
    content: Any = state.record[state.game.core.offset[slot.name] :]
    _, rows = _size(slot.dims[0])
    for (column, row), element in squares(slot).items():
        x, y = left + column * _SQUARE, _MARGIN + (rows - 1 - row) * _SQUARE
        draw.rectangle((x, y, x + _SQUARE, y + _SQUARE), fill=_WOOD, outline=_INK)
        value = content[element]
        if slot.domain.name == "Player?":
            if value >= 0:
                color = _SEATS[value % len(_SEATS)]
                draw.ellipse((x + 7, y + 7, x + _SQUARE - 7, y + _SQUARE - 7), fill=color)
        else:
            draw.text((x + 6, y + _SQUARE // 2 - 6), value_label(slot.domain, value), _INK)
