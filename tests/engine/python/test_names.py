"""Text from the rules never becomes anything but a harmless name, a comment or a docstring."""

from __future__ import annotations

import ast
import keyword

from hypothesis import given
from hypothesis import strategies as st

from rulespec.engine.python.names import Names, identifier
from rulespec.engine.python.writer import Writer, docstring, one_line, wrapped_docstring

anything = st.text(max_size=80) | st.text(alphabet='"\\\n\r\f\x00\u2028a', max_size=12)


@given(anything)
def test_an_identifier_is_one(text: str) -> None:
    name = identifier(text)

    assert name.isascii()
    assert name.isidentifier()
    assert not name.startswith("_")
    assert len(name) <= 49


@given(st.lists(st.sampled_from(["class", "sum", "r", "a b", "a_b", "", "2"]) | anything, max_size=12))
def test_module_names_are_unique_and_mean_nothing_in_python(texts: list[str]) -> None:
    names = Names(frozenset({"fault"}), frozenset({"r"}))

    given_out = [names.module(text) for text in texts]

    assert len(set(given_out)) == len(given_out)
    assert not {"r", "fault", "sum"} & set(given_out)
    assert not any(keyword.iskeyword(name) for name in given_out)


def test_a_local_is_never_called_like_anything_of_the_module() -> None:
    names = Names(frozenset(), frozenset())
    first = names.module("hand")
    scope = names.scope()
    local = scope.fresh("hand")

    assert local != first
    assert names.module("hand") not in (local, first)


def test_released_names_are_used_again_but_not_those_still_needed() -> None:
    scope = Names(frozenset(), frozenset()).scope()
    kept = scope.fresh("p")
    mark = scope.mark()
    inner = scope.fresh("p")
    scope.release(mark)

    assert scope.fresh("p") == inner != kept


@given(anything)
def test_a_docstring_says_its_text_and_ends_there(text: str) -> None:
    tree = ast.parse(f"def f():\n    {docstring(text)}\n")

    function = tree.body[0]
    assert isinstance(function, ast.FunctionDef)
    assert len(tree.body) == len(function.body) == 1
    assert ast.get_docstring(function, clean=False) == one_line(text)


@given(anything)
def test_a_comment_stays_a_comment(text: str) -> None:
    out = Writer()
    out.comment(text)

    assert ast.parse(out.text()).body == []


def test_an_empty_block_passes() -> None:
    out = Writer()
    with out.indent("if x:"):
        out.comment("nothing to do")

    assert out.text() == "if x:\n    # nothing to do\n    pass\n"


@given(st.lists(anything, min_size=30, max_size=40).map(" ".join))
def test_a_long_docstring_is_wrapped_and_says_the_same(text: str) -> None:
    lines = wrapped_docstring(text)
    tree = ast.parse("\n".join(lines))

    assert (ast.get_docstring(tree) or "").split() == one_line(text).split()
    assert all(len(line) <= 100 or " " not in line.strip() for line in lines)
