"""Which files are read, and what is said of those that are not."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from rulespec import library
from rulespec.compiler.codes import REGISTRY


def refusal(game: str) -> tuple[str, str, tuple[int, int], str]:
    """Code, message, place and advice of a main file that cannot be read."""
    with pytest.raises(library.Unreadable) as caught:
        library.read(library.find(game))
    found = caught.value.diagnostic
    assert found.code in REGISTRY
    return found.code, found.message, (found.span.line, found.span.column), " ".join(found.help)


def module_refusal(main: Path, name: str) -> str:
    with pytest.raises(library.Unreadable) as caught:
        library.load_module(library.find(str(main)), name)
    return caught.value.diagnostic.code


@pytest.fixture
def main(tmp_path: Path) -> Path:
    folder = tmp_path / "book"
    folder.mkdir()
    path = folder / "main.rules"
    path.write_text("game toy\n")
    return path


@pytest.mark.parametrize(
    ("name", "advice"),
    [("std/auction", "did you mean `std/"), ("std/xyzzy", "the proofs of the standard library are `std/")],
)
def test_of_the_standard_library_its_own_names_are_told(name: str, advice: str) -> None:
    code, _, _, told = refusal(name)

    assert code == "R0001"
    assert told.startswith(advice)


def test_a_bundled_game_is_found_by_its_name() -> None:
    assert "il_principe" in library.games()

    found = library.find("il_principe")

    assert found.shown == "rulespec/games/il_principe/il-principe.rules.md"
    assert library.read(found).startswith("# Il Principe")


def test_a_file_is_read_without_its_byte_order_mark_and_with_its_line_ends(tmp_path: Path) -> None:
    path = tmp_path / "toy.rules"
    path.write_bytes(b"\xef\xbb\xbfgame toy\r\n")

    assert library.read(library.find(str(path))) == "game toy\r\n"


def test_a_name_nearly_right_is_put_right() -> None:
    assert refusal("il_principle") == (
        "R0001",
        "there is no game and no file `il_principle`",
        (1, 1),
        "did you mean `il_principe`?",
    )
    assert "`il_principe`" in refusal("chess")[3]


def test_a_missing_file_is_told_from_its_neighbors(tmp_path: Path) -> None:
    (tmp_path / "harbor.rules").write_text("")

    code, _, _, advice = refusal(str(tmp_path / "habor.rules"))

    assert (code, advice) == ("R0001", f"did you mean `{tmp_path / 'harbor.rules'}`?")
    assert refusal(str(tmp_path / "harbor.rules" / "x.rules"))[0] == "R0001"
    assert refusal("\0.rules")[0] == "R0001"


def test_a_folder_names_the_rulebooks_in_it(tmp_path: Path) -> None:
    (tmp_path / "duel.rules.md").write_text("")
    (tmp_path / "odd.rules").mkdir()

    assert refusal(str(tmp_path))[0::3] == ("R0002", "it holds `duel.rules.md`, `odd.rules`")
    assert refusal(str(tmp_path / "odd.rules"))[0] == "R0002"


def test_a_folder_with_one_rulebook_stands_for_it(tmp_path: Path) -> None:
    (tmp_path / "duel.rules.md").write_text("")
    (tmp_path / "README.md").write_text("")

    found = library.find(tmp_path)
    assert (found.path, found.shown) == (tmp_path / "duel.rules.md", str(tmp_path / "duel.rules.md"))


def test_a_pipe_is_refused_without_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.rules")

    assert refusal(str(tmp_path / "pipe.rules"))[0] == "R0002"


def test_a_device_is_refused(tmp_path: Path) -> None:
    (tmp_path / "zero.rules").symlink_to("/dev/zero")

    assert refusal(str(tmp_path / "zero.rules"))[0] == "R0002"


def test_a_file_one_may_not_read_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("rulespec.library.os.open", refuse)

    assert refusal(str(tmp_path / "toy.rules"))[0] == "R0003"


def test_another_failure_of_the_system_gives_its_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> int:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr("rulespec.library.os.open", refuse)

    assert "input/output error" in refusal(str(tmp_path / "toy.rules"))[1]


def test_the_first_byte_that_is_not_utf8_has_its_place(tmp_path: Path) -> None:
    path = tmp_path / "latin.rules"
    path.write_bytes("game é\n# ä ".encode() + b"\xe4\n")

    code, message, place, _ = refusal(str(path))

    assert (code, place) == ("R0004", (2, 5))
    assert "0xe4" in message


def test_a_large_file_is_not_read_to_its_end(tmp_path: Path) -> None:
    fits, large = tmp_path / "fits.rules", tmp_path / "large.rules"
    fits.write_bytes(b"#" * library.LIMIT)
    large.write_bytes(b"#" * 5_000_000)

    assert len(library.read(library.find(str(fits)))) == library.LIMIT
    assert refusal(str(large))[0] == "R0005"


def test_a_file_with_another_ending_is_refused(tmp_path: Path) -> None:
    (tmp_path / "toy.md").write_text("")

    assert refusal(str(tmp_path / "toy.md"))[0] == "R0007"


def test_a_module_comes_from_the_standard_library_first(main: Path) -> None:
    (main.parent / "auction.rules").write_text("# mine\n")
    rulebook = library.find(str(main))

    assert library.load_module(rulebook, "auction").shown == "rulespec/std/auction.rules"
    assert library.load_module(rulebook, "auction.rules").text == "# mine\n"
    assert set(library.modules()) >= {"auction", "majority"}


@pytest.mark.parametrize("file", ["extra.rules", "extra.rules.md"])
def test_a_module_may_lie_beside_the_main_file(main: Path, file: str) -> None:
    (main.parent / file).write_text("# extra\n")

    found = library.load_module(library.find(str(main)), "extra")

    assert (found.text, found.shown) == ("# extra\n", str(main.parent / file))


@pytest.mark.parametrize(
    "name", ["../secret", "..", "/etc/passwd", "a/b", ".hidden", "", "a\0b", "C:x", "a\\b", "é"]
)
def test_a_module_is_never_looked_for_elsewhere(main: Path, name: str) -> None:
    (main.parent.parent / "secret.rules").write_text("# secret\n")

    assert module_refusal(main, name) == "R0006"


def test_a_link_out_of_the_folder_is_not_followed(main: Path) -> None:
    secret = main.parent.parent / "secret.rules"
    secret.write_text("# secret\n")
    (main.parent / "door.rules").symlink_to(secret)

    assert module_refusal(main, "door") == "R0006"


def test_a_missing_module_is_told_from_those_there_are(main: Path) -> None:
    with pytest.raises(library.Unreadable) as caught:
        library.load_module(library.find(str(main)), "aucton")

    assert caught.value.diagnostic.code == "R0001"
    assert caught.value.diagnostic.help == ("did you mean `auction`?",)


@pytest.mark.parametrize("name", ["a" * 300, "a" * 10_000, "a\0b"])
def test_a_name_that_no_file_can_have_is_not_there(name: str, main: Path) -> None:
    assert refusal(name)[0] == "R0001"
    assert module_refusal(main, name) == "R0006"


def test_a_link_that_leads_to_itself_is_no_module(main: Path) -> None:
    (main.parent / "round.rules").symlink_to("round.rules")

    assert module_refusal(main, "round") == "R0003"
