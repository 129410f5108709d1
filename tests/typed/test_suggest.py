"""`did you mean`: near names, likeliest first, and none when nothing is near."""

from __future__ import annotations

import pytest

from rulespec.compiler.typed.suggest import did_you_mean, listing, nearest


@pytest.mark.parametrize(
    ("name", "known", "found"),
    [
        ("pille", ["pile", "hand", "purse"], ("pile",)),
        ("Purse", ["purse", "pulse"], ("purse", "pulse")),
        ("colour", ["Color", "column"], ("Color",)),
        ("x", ["y", "z"], ()),
        ("reserve", ["reserve"], ()),
        ("aaaa", [f"aaa{n}" for n in range(9)], ("aaa0", "aaa1", "aaa2")),
    ],
)
def test_the_nearest_names_come_first(name: str, known: list[str], found: tuple[str, ...]) -> None:
    assert nearest(name, known) == found


def test_advice_is_one_line_or_nothing() -> None:
    assert did_you_mean("pille", ["pile"]) == ("did you mean `pile`?",)
    assert did_you_mean("aaaa", ["aaab", "aaac", "aaad"]) == ("did you mean `aaab`, `aaac` or `aaad`?",)
    assert did_you_mean("zzz", ["pile"]) == ()


def test_long_lists_are_cut() -> None:
    assert listing("abc") == "`a`, `b`, `c`"
    assert listing(map(str, range(10)), most=3) == "`0`, `1`, `2` and 7 more"
