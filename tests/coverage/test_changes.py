"""What has changed in a source is told by the hashes of its paragraphs."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from rulespec.coverage.changes import Changes, between
from rulespec.coverage.paragraphs import Paragraph


def lines(words: str) -> list[Paragraph]:
    """A paragraph a line; each letter is one, `_` a line without any."""
    return [Paragraph(n, n, "text", word) for n, word in enumerate(words, 1) if word != "_"]


def told(was: str, now: str) -> dict[str, list[object]]:
    """What has changed, each paragraph as its hash and line."""
    changes = between(lines(was), lines(now))
    found: dict[str, list[object]] = {
        name: [(a.hash, a.first, b.hash, b.first) for a, b in getattr(changes, name)]
        for name in ("changed", "moved", "shifted")
    }
    found["gone"] = [(p.hash, p.first) for p in changes.gone]
    found["new"] = [(p.hash, p.first) for p in changes.new]
    return {name: of for name, of in found.items() if of}


def test_nothing_has_changed_where_all_is_as_it_was() -> None:
    changes = between(lines("abc"), lines("abc"))

    assert changes == Changes()
    assert not changes


def test_a_line_that_is_put_in_only_shifts_what_follows() -> None:
    assert told("abcd", "abxcd") == {"new": [("x", 3)], "shifted": [("c", 3, "c", 4), ("d", 4, "d", 5)]}


def test_an_empty_line_shifts_too() -> None:
    assert told("ab", "a_b") == {"shifted": [("b", 2, "b", 3)]}


def test_other_words_in_a_place_are_a_change_of_it() -> None:
    assert told("abc", "axc") == {"changed": [("b", 2, "x", 2)]}


def test_what_is_missing_is_gone() -> None:
    assert told("abc", "ac") == {"gone": [("b", 2)], "shifted": [("c", 3, "c", 2)]}


def test_what_stands_elsewhere_has_moved() -> None:
    found = told("abcde", "bcdea")

    assert found["moved"] == [("a", 1, "a", 5)]
    assert set(found) == {"moved", "shifted"}


def test_words_that_stand_twice_are_counted() -> None:
    assert told("aab", "ab") == {"gone": [("a", 1)], "shifted": [("a", 2, "a", 1), ("b", 3, "b", 2)]}


def test_more_in_a_place_than_was_there_is_new() -> None:
    assert told("abc", "axyc") == {
        "changed": [("b", 2, "x", 2)],
        "new": [("y", 3)],
        "shifted": [("c", 3, "c", 4)],
    }


WORDS = st.text(alphabet="abcd_", max_size=12)


@given(WORDS, WORDS)
def test_each_paragraph_is_told_of_once_or_is_where_it_was(was: str, now: str) -> None:
    before, after = lines(was), lines(now)
    changes = between(before, after)

    pairs = [*changes.changed, *changes.moved, *changes.shifted]
    old = [*(a for a, _ in pairs), *changes.gone]
    new = [*(b for _, b in pairs), *changes.new]
    same = [p for p in before if p in after and p not in old]
    assert sorted((*old, *same), key=lambda p: p.first) == before
    assert sorted((*new, *same), key=lambda p: p.first) == after
    assert all(a.hash == b.hash for a, b in (*changes.moved, *changes.shifted))
    assert all(a.hash != b.hash for a, b in changes.changed)
