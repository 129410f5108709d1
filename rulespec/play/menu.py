"""The legal moves as a numbered list, and what a person typed as one of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from rulespec.engine.moves import Form, Move

# Runs of at least this many numbers stand in one line of the list.
SHORTEST_RUN = 4
_NAMED_AT_MOST = 6


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the list: one move, or moves that differ in their last number alone, without a gap."""

    moves: tuple[Move, ...]

    @property
    def text(self) -> str:
        """As one types it: `bid 3..17`."""
        return self._spanned(self.moves[0].text, self.moves[-1].arguments[-1:])

    @property
    def phrase(self) -> str:
        """As one tells it: `bids 3..17`."""
        first, last = self.moves[0], self.moves[-1]
        if len(self.moves) == 1:
            return first.phrase
        number = len(first.values) - 1
        parts = [
            part if isinstance(part, str) else _argument(first, last, part, spanned=part == number)
            for part in first.form.phrase
        ]
        return "".join(parts) or self.text

    def _spanned(self, text: str, last: Sequence[str]) -> str:
        return text if len(self.moves) == 1 else f"{text}..{last[0]}"


def _argument(first: Move, last: Move, part: int, spanned: bool) -> str:
    label = Move(Form("", (first.form.arguments[part],), (0,), 0), (first.values[part],)).phrase
    return f"{label}..{last.values[part]}" if spanned else label


def entries(moves: Iterable[Move]) -> list[Entry]:
    """The moves in their order, long runs of numbers drawn together."""
    result: list[Entry] = []
    for _, group in groupby(moves, key=_all_but_last):
        run: list[Move] = []
        for move in group:
            if run and not _follows(run[-1], move):
                result += _lines(run)
                run = []
            run.append(move)
        result += _lines(run)
    return result


def _all_but_last(move: Move) -> tuple[Form, tuple[int, ...]]:
    return move.form, move.values[:-1]


def _follows(before: Move, move: Move) -> bool:
    return (
        bool(move.values)
        and not move.form.arguments[-1].domain.names
        and move.values[-1] == before.values[-1] + 1
    )


def _lines(run: list[Move]) -> list[Entry]:
    if len(run) >= SHORTEST_RUN:
        return [Entry(tuple(run))]
    return [Entry((move,)) for move in run]


def begins(entry: Entry, typed: str) -> bool:
    """Whether a line holds moves that begin with the words typed."""
    return any(_begins(_words(move.text), _words(typed)) for move in entry.moves)


class Unclear(Exception):
    """What was typed is no legal move, or may be several; the text says what to do about it."""


def read(typed: str, moves: Sequence[Move]) -> Move | Entry:
    """The move that was typed: a number of the list, a move as listed, or a beginning that fits one alone.

    The number of a line that stands for several moves gives that line, whose last number is to be asked for;
    `1 5` gives it at once.

    Raises:
        Unclear: no move fits, or several do.
    """
    words = _words(typed)
    if not words:
        raise Unclear("type the number of a move, a move, or `help`")
    listed = entries(moves)
    if words[0].isdecimal():
        return _numbered(words, listed)
    fitting = [move for move in moves if _begins(_words(move.text), words)]
    exact = [move for move in fitting if _words(move.text) == words]
    # `build` is an option of its own where another is called `build_road`.
    same_option = [move for move in fitting if _words(move.text)[0] == words[0]]
    for found in (exact, same_option, fitting):
        if len(found) == 1:
            return found[0]
        if found and found is not exact:
            return _only_entry(typed, found, listed)
    raise Unclear(_no_such(typed, words, moves))


def with_last(entry: Entry, typed: str) -> Move:
    """The move of a line with this last number.

    Raises:
        Unclear: it is not one of the line's numbers.
    """
    for move in entry.moves:
        if typed.strip() == move.arguments[-1]:
            return move
    first, last = entry.moves[0].values[-1], entry.moves[-1].values[-1]
    raise Unclear(f"`{typed.strip()}` is not a number from {first} to {last}")


def _numbered(words: list[str], listed: list[Entry]) -> Move | Entry:
    """The line of that number; a second number is the last one of a line of several moves."""
    if len(words[0]) > 9 or not 1 <= int(words[0]) <= len(listed):
        raise Unclear(f"there is no move number {words[0][:20]}: they go from 1 to {len(listed)}")
    entry = listed[int(words[0]) - 1]
    if len(entry.moves) > 1:
        return with_last(entry, " ".join(words[1:])) if len(words) > 1 else entry
    if len(words) > 1:
        raise Unclear(f"move {words[0]} is `{entry.text}`, which takes no further number")
    return entry.moves[0]


def _only_entry(typed: str, found: list[Move], listed: list[Entry]) -> Entry:
    """The line that holds all moves found, so that just its number is missing."""
    for entry in listed:
        if len(entry.moves) > 1 and set(found) <= set(entry.moves):
            return entry
    raise Unclear(f"`{typed.strip()}` may be {_either(found)}")


def _either(moves: Sequence[Move]) -> str:
    lines = entries(moves)
    names = [f"`{entry.text}`" for entry in lines[:_NAMED_AT_MOST]]
    if len(lines) > _NAMED_AT_MOST:
        return ", ".join(names) + f", or {len(lines) - _NAMED_AT_MOST} more"
    if len(names) == 1:
        return names[0]
    return ", ".join(names[:-1]) + f" or {names[-1]}"


def _no_such(typed: str, words: list[str], moves: Sequence[Move]) -> str:
    shown = typed.strip()[:60]
    near = [move for move in moves if _begins(_words(move.text), words[:1])]
    if near:
        return f"`{shown}` is not legal now; legal is {_either(near)}"
    return f"`{shown}` is neither a legal move nor a command; `help` lists the commands"


def _begins(words: list[str], typed: list[str]) -> bool:
    """Whether each typed word begins the word in its place; numbers have to be whole."""
    return len(typed) <= len(words) and all(
        word == part if part.isdecimal() else word.startswith(part)
        for word, part in zip(words, typed, strict=False)
    )


def _words(text: str) -> list[str]:
    # A bag is typed as it is listed, `{red: 1, blue: 2}`, or without the marks.
    return re.sub(r"[{}:,]", " ", text.lower()).split()
