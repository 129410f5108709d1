"""Moves as people and programs see them: named, phrased, and numbered once and for all for a game.

A `Form` is an option with the parameters it takes. Options of several choices that have the same name,
phrase and parameters share one form, so that `pass` is the same move wherever it is offered.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from math import prod

from rulespec.compiler.core.tree import Choose, Core, Domain, Option
from rulespec.engine.layout import value_label, value_name
from rulespec.engine.stepper import RawMove

Phrase = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Argument:
    """A parameter of a form: its values go from `least` to `most`."""

    name: str
    domain: Domain
    least: int
    most: int

    @property
    def size(self) -> int:
        return self.most - self.least + 1


@dataclass(frozen=True, slots=True)
class Form:
    """All moves of one option: their numbers are `base` to `base + size - 1`."""

    option: str
    arguments: tuple[Argument, ...]
    phrase: Phrase
    base: int

    @property
    def size(self) -> int:
        return prod(a.size for a in self.arguments)


@dataclass(frozen=True, slots=True)
class Move:
    """An option with a value for each of its parameters."""

    form: Form
    values: tuple[int, ...]

    @property
    def option(self) -> str:
        """The option's name in the rules."""
        return self.form.option

    @property
    def number(self) -> int:
        """The move's integer, the same in every state of the game: below `Game.num_moves`."""
        number = 0
        for argument, value in zip(self.form.arguments, self.values, strict=True):
            number = number * argument.size + value - argument.least
        return self.form.base + number

    @property
    def arguments(self) -> tuple[str, ...]:
        """The names of the parameters' values."""
        pairs = zip(self.form.arguments, self.values, strict=True)
        return tuple(value_name(argument.domain, value) for argument, value in pairs)

    @property
    def text(self) -> str:
        """The move as one types it: `build milan`."""
        return " ".join((self.form.option, *self.arguments))

    @property
    def phrase(self) -> str:
        """The move as one tells it: `builds Milan`."""
        parts = []
        for part in self.form.phrase:
            if isinstance(part, str):
                parts.append(part)
            else:
                parts.append(value_label(self.form.arguments[part].domain, self.values[part]))
        return "".join(parts) or self.text

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Move {self.number}: {self.text}>"


class Encoding:
    """The numbering of all moves of a core, in the order in which its blocks offer them."""

    def __init__(self, core: Core) -> None:
        options = [
            (block, option)
            for block, b in enumerate(core.blocks)
            if isinstance(b.end, Choose)
            for option in b.end.options
        ]
        merged: dict[tuple[object, ...], list[Option]] = {}
        for _, option in options:
            merged.setdefault(_key(option), []).append(option)
        forms: dict[tuple[object, ...], Form] = {}
        self.size = 0
        for key, same in merged.items():
            forms[key] = _form(same, self.size)
            self.size += forms[key].size
        self.forms = tuple(forms.values())
        self._bases = [form.base for form in self.forms]
        self._offered: dict[int, list[Form]] = {}
        for block, option in options:
            self._offered.setdefault(block, []).append(forms[_key(option)])

    def move(self, block: int, raw: RawMove) -> Move:
        """The move that option number `raw[0]` of a block's choice makes with these parameters."""
        return Move(self._offered[block][raw[0]], tuple(raw[1:]))

    def offered(self, block: int) -> tuple[Form, ...]:
        """The forms that a block's choice may offer, in the order of its options."""
        return tuple(self._offered[block])

    def option(self, block: int, move: Move) -> int:
        """The number of the option, in a block's choice, that `move` takes."""
        return self._offered[block].index(move.form)

    def decode(self, number: int) -> Move:
        """The move with this number; `ValueError` if there is none."""
        if not 0 <= number < self.size:
            raise ValueError(f"there is no move {number}: they are numbered from 0 to {self.size - 1}")
        form = self.forms[bisect_right(self._bases, number) - 1]
        rest = number - form.base
        values: list[int] = []
        for argument in reversed(form.arguments):
            rest, place = divmod(rest, argument.size)
            values.append(argument.least + place)
        return Move(form, tuple(reversed(values)))


def _key(option: Option) -> tuple[object, ...]:
    return option.name, option.phrase, tuple((p.name, p.domain) for p in option.params)


def _form(same: list[Option], base: int) -> Form:
    first = same[0]
    arguments = tuple(
        Argument(p.name, p.domain, min(o.params[i].least for o in same), max(o.params[i].most for o in same))
        for i, p in enumerate(first.params)
    )
    return Form(first.name, arguments, first.phrase, base)
