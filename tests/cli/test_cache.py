"""What is kept on disk, and that nothing found there is trusted or needed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from rulespec import cache
from rulespec.cache import Cache


@pytest.fixture
def kept(tmp_path: Path) -> Cache:
    return Cache(tmp_path / "kept" / "tool-0123456789abcdef")


NAME = cache.key("some text")


def test_what_is_kept_comes_back(kept: Cache) -> None:
    assert kept.get("check", NAME) is None

    kept.put("check", NAME, "line\nümlaut\n")

    assert kept.get("check", NAME) == "line\nümlaut\n"
    assert kept.get("core", NAME) is None
    assert kept.get("check", cache.key("other text")) is None


def test_a_key_tells_texts_apart_however_they_are_cut() -> None:
    keys = [cache.key("ab", "c"), cache.key("a", "bc"), cache.key("abc"), cache.key("ab", "c", "")]

    assert len(set(keys)) == 4


@pytest.mark.parametrize(
    "damage", [b"", b"\n", b"no hash at all", b"0" * 64 + b"\nline\n", b"\xff\xfe\n\x00"]
)
def test_a_broken_entry_counts_as_absent(kept: Cache, damage: bytes) -> None:
    kept.put("check", NAME, "line\n")
    assert kept.folder is not None
    (kept.folder / f"check-{NAME}").write_bytes(damage)

    assert kept.get("check", NAME) is None

    kept.put("check", NAME, "line\n")
    assert kept.get("check", NAME) == "line\n"


def test_one_flipped_bit_counts_as_absent(kept: Cache) -> None:
    kept.put("check", NAME, "line\n")
    assert kept.folder is not None
    path = kept.folder / f"check-{NAME}"
    path.write_bytes(path.read_bytes().replace(b"line", b"lime"))

    assert kept.get("check", NAME) is None


def test_nothing_half_written_is_ever_seen(kept: Cache, monkeypatch: pytest.MonkeyPatch) -> None:
    kept.put("check", NAME, "old")

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("rulespec.cache.os.replace", fail)
    kept.put("check", NAME, "new")

    assert kept.get("check", NAME) == "old"
    assert kept.folder is not None
    assert [path.name for path in kept.folder.iterdir()] == [f"check-{NAME}"]


def test_a_place_that_cannot_be_written_keeps_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    kept = Cache(tmp_path / "file" / "tool-0123456789abcdef")

    kept.put("check", NAME, "line")

    assert kept.get("check", NAME) is None
    assert Cache(None).get("check", NAME) is None


def test_others_may_not_read_what_is_kept(kept: Cache) -> None:
    kept.put("check", NAME, "line")

    assert kept.folder is not None
    assert kept.folder.stat().st_mode & 0o077 == 0
    assert (kept.folder / f"check-{NAME}").stat().st_mode & 0o077 == 0


def test_old_entries_and_old_tools_go_and_what_is_not_ours_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "KEPT_ENTRIES", 2)
    monkeypatch.setattr(cache, "KEPT_TOOLS", 1)
    (tmp_path / "tool-mine").mkdir()
    old, new = Cache(tmp_path / ("tool-" + "a" * 16)), Cache(tmp_path / ("tool-" + "b" * 16))
    old.put("check", NAME, "line")
    os.utime(tmp_path / ("tool-" + "a" * 16), (1, 1))
    names = [cache.key(str(number)) for number in range(4)]
    for age, name in enumerate(names):
        new.put("check", name, name)
        assert new.folder is not None
        os.utime(new.folder / f"check-{name}", (age, age))
    new.put("check", NAME, "line")

    assert sorted(path.name for path in tmp_path.iterdir()) == ["tool-" + "b" * 16, "tool-mine"]
    assert [name in names[2:] for name in names if new.get("check", name)] == [True]
    assert new.get("check", NAME) == "line"


def test_the_users_own_folder_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULESPEC_CACHE", str(tmp_path / "mine"))
    assert cache.opened() == Cache(tmp_path / "mine" / f"tool-{cache.tool()[:16]}")

    monkeypatch.delenv("RULESPEC_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert cache.opened() == Cache(tmp_path / "xdg" / "rulespec" / f"tool-{cache.tool()[:16]}")

    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache.opened() == Cache(tmp_path / ".cache" / "rulespec" / f"tool-{cache.tool()[:16]}")


@pytest.mark.parametrize("value", ["", "off"])
def test_the_cache_can_be_turned_off(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULESPEC_CACHE", value)

    assert cache.opened() == Cache(None)


def test_a_change_of_the_tool_is_another_tool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stage = tmp_path / "compiler" / "surface"
    stage.mkdir(parents=True)
    (stage / "rules.lark").write_text("start: A")
    monkeypatch.setattr(cache, "PACKAGE", tmp_path)
    cache.tool.cache_clear()
    before = cache.tool()
    cache.tool.cache_clear()
    (stage / "rules.lark").write_text("start: B")

    try:
        assert cache.tool() != before
    finally:
        cache.tool.cache_clear()
