"""The index of sources: what is written is read, it holds no text, and what is broken is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rulespec.coverage import index
from rulespec.coverage.index import Indexed
from rulespec.coverage.paragraphs import lines_of, split

TEXT = "The Harbor\n\nEach player takes a ship.\n- Thirty crates\n"


def indexed(text: str) -> Indexed:
    lines = lines_of(text)
    return Indexed(len(lines), split(lines))


@pytest.mark.parametrize(
    "sources",
    [{}, {"rb": indexed(TEXT)}, {"rb": indexed(TEXT), "faq": indexed(""), "other": indexed("One.\n")}],
)
def test_what_is_written_is_read(sources: dict[str, Indexed], tmp_path: Path) -> None:
    path = tmp_path / "harbor.sources.json"
    index.write(path, sources)

    assert index.read(path) == sources
    assert list(json.loads(path.read_text())["sources"]) == list(sources)


def test_a_paragraph_is_a_line_and_no_word_of_it_is_there(tmp_path: Path) -> None:
    path = tmp_path / "harbor.sources.json"
    index.write(path, {"rb": indexed(TEXT)})

    text = path.read_text()
    assert sum(line.startswith("[") for line in text.splitlines()) == 3
    assert not any(word in text for word in ("Harbor", "player", "ship", "Thirty"))


def test_there_may_be_none(tmp_path: Path) -> None:
    assert index.read(tmp_path / "harbor.sources.json") == {}


@pytest.mark.parametrize(
    ("rulebook", "name"),
    [("harbor.rules.md", "harbor.sources.json"), ("a/b.rules", "a/b.sources.json")],
)
def test_it_stands_beside_the_rulebook(rulebook: str, name: str) -> None:
    assert index.path_of(Path(rulebook)) == Path(name)


def broken(**changes: object) -> str:
    data = {"rulespec.sources": 1, "sources": {"rb": {"lines": 3, "paragraphs": [[1, 1, "text", "a" * 16]]}}}
    return json.dumps(data | changes)


def of(*paragraphs: object) -> str:
    return broken(sources={"rb": {"lines": 3, "paragraphs": paragraphs}})


MARK = "0" * 16


def test_the_whole_one_is_read(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(of([1, 2, "text", MARK], [3, 3, "row", MARK]))

    assert len(index.read(tmp_path / "a.json")["rb"].paragraphs) == 2


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "<<<<<<< mine",
        broken(**{"rulespec.sources": 2}),
        broken(sources=[]),
        broken(sources={"rb": {}}),
        broken(sources={"rb": {"lines": "3", "paragraphs": []}}),
        of([1, 2, "text"]),
        of([1, 2, "song", MARK]),
        of([1, 2, "text", "short"]),
        of([1, 2, "text", 7]),
        of([1, True, "text", MARK]),
        of([0, 1, "text", MARK]),
        of([2, 1, "text", MARK]),
        of([1, 4, "text", MARK]),
        of([1, 2, "text", MARK], [2, 3, "text", MARK]),
        "[" * 100_000,
    ],
)
def test_what_is_broken_is_refused_with_advice(text: str, tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(text)

    with pytest.raises(index.Unusable, match=r"is not an index as rulespec writes it: .*--update"):
        index.read(path)


def test_what_is_no_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(index.Unusable):
        index.read(tmp_path / "a.json")
    with pytest.raises(index.Unusable, match="cannot be read"):
        index.read(tmp_path)
