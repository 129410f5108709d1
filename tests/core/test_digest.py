"""Hashes of trees: the same for the same rules, and another for others."""

from __future__ import annotations

from dataclasses import replace

import pytest
from books import opened, read
from samples import NAMES, sample

from rulespec.compiler.core import from_typed
from rulespec.compiler.core.from_text import parse
from rulespec.compiler.core.print import show
from rulespec.compiler.core.tree import Core, Origin
from rulespec.compiler.digest import Digests, digest
from rulespec.compiler.spans import Span


@pytest.mark.parametrize("name", NAMES)
def test_a_core_read_from_its_text_has_the_same_hash(name: str) -> None:
    core = sample(name)

    assert digest(parse(show(core))) == digest(core)


def test_a_compiled_core_has_the_hash_of_its_text() -> None:
    """What only the compiler knows of it makes no difference."""
    book = opened(read("follow_suit").path)
    assert book.checked is not None
    assert book.checked.rulebook is not None
    core, _ = from_typed.compile(book.checked.rulebook, book.configuration(players=3))
    assert core is not None

    assert digest(parse(show(core))) == digest(core)


def _changed(core: Core) -> list[Core]:
    block = core.blocks[0]
    slot = core.slots[0]
    return [
        replace(core, start=core.blocks[-1].name),
        replace(core, params=(*core.params, ("another", 1))),
        replace(core, ranking=()),
        replace(core, blocks=(replace(block, name="another"), *core.blocks[1:])),
        replace(core, blocks=(replace(block, origin=Origin(rule="another")), *core.blocks[1:])),
        replace(core, blocks=tuple(reversed(core.blocks))),
        replace(core, slots=(replace(slot, high=slot.high + 1), *core.slots[1:])),
        replace(core, slots=(replace(slot, sight="private"), *core.slots[1:])),
        replace(core, slots=(replace(slot, initial=tuple(v + 1 for v in slot.initial)), *core.slots[1:])),
    ]


def test_whatever_is_changed_changes_the_hash() -> None:
    core = sample("duel")
    found = [digest(each) for each in (core, *_changed(core))]

    assert len(set(found)) == len(found)


def test_prose_does_not_count() -> None:
    core = sample("duel")
    block = core.blocks[0]
    place = replace(block.origin, span=Span("elsewhere.rules", 7, 1, 7, 9))
    other = replace(
        core,
        title="Another title",
        slots=tuple(replace(slot, title="Another") for slot in core.slots),
        blocks=(replace(block, origin=place), *core.blocks[1:]),
    )

    assert digest(other) == digest(core)


def test_what_is_in_a_tuple_is_told_apart() -> None:
    texts: list[object] = [("a", "b"), ("ab",), ("a", ("b",)), ("ab", ""), (1,), ("1",), (True,), (None,), ()]

    assert len({digest(each) for each in texts}) == len(texts)


def test_only_trees_have_a_hash() -> None:
    with pytest.raises(TypeError, match="no hash can be made of `list`"):
        Digests().of(([],))
