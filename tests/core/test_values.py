"""The classes of the trees are what the standard library would have made of them, and much sooner."""

from __future__ import annotations

import dataclasses
import pickle
from collections.abc import Callable
from typing import Any

import pytest

from rulespec.compiler import values


def pair(decorate: Callable[[type[Any]], type[Any]]) -> type[Any]:
    class Pair:
        left: int
        right: tuple[int, ...] = ()
        origin: str = dataclasses.field(default="", compare=False)

    return decorate(Pair)


def nothing(decorate: Callable[[type[Any]], type[Any]]) -> type[Any]:
    class Nothing:
        pass

    return decorate(Nothing)


OURS = values.dataclass(frozen=True, slots=True)
THEIRS = dataclasses.dataclass(frozen=True, slots=True)


@pytest.mark.parametrize(
    ("one", "other"),
    [((1,), (1, ())), ((1, (2,)), (1, (3,))), ((1, (), "here"), (1, (), "there")), ((1, ()), (True, ()))],
)
def test_equal_and_hashed_as_usual(one: tuple[Any, ...], other: tuple[Any, ...]) -> None:
    ours, theirs = pair(OURS), pair(THEIRS)

    assert (ours(*one) == ours(*other)) is (theirs(*one) == theirs(*other))
    assert (hash(ours(*one)) == hash(ours(*other))) is (hash(theirs(*one)) == hash(theirs(*other)))
    assert ours(*one) != theirs(*one)
    assert ours(*one) != one


def test_shown_and_taken_apart_as_usual() -> None:
    ours, theirs = pair(OURS), pair(THEIRS)

    assert repr(ours(1, (2,))) == repr(theirs(1, (2,)))
    assert ours.__match_args__ == theirs.__match_args__
    assert [f.name for f in dataclasses.fields(ours)] == [f.name for f in dataclasses.fields(theirs)]
    assert dataclasses.replace(ours(1), left=2) == ours(2)
    assert not hasattr(ours(1), "__dict__")


def test_a_class_without_fields_is_one_value() -> None:
    ours = nothing(OURS)

    assert ours() == ours()
    assert len({ours(), ours()}) == 1
    assert repr(ours()) == repr(nothing(THEIRS)())


@values.dataclass(frozen=True, slots=True)
class Own:
    """Says itself what it is equal to."""

    number: int

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Own) and (self.number - other.number) % 2 == 0

    def __hash__(self) -> int:
        return self.number % 2


def test_what_a_class_says_itself_stays() -> None:
    assert Own(1) == Own(3)
    assert len({Own(1), Own(3)}) == 1


def test_survives_another_process() -> None:
    assert pickle.loads(pickle.dumps(Own(4))).number == 4


def test_other_kinds_are_left_to_the_standard_library() -> None:
    @values.dataclass
    class Open:
        number: int

    changed = Open(1)
    changed.number = 2

    assert changed == Open(2)
