"""Which files are rulebooks."""

from __future__ import annotations

from pathlib import Path

import pytest
from clicalls import write
from tiny import TINY

from rulespec import projects

IN_PROSE = f"# Tiny\n\n```rules\n{TINY}```\n"
MODULE = 'rule extra "More":\n    nothing\n'


def _below(folder: Path) -> list[str]:
    return [path.relative_to(folder).as_posix() for path in projects.below(folder)]


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("tiny.rules", TINY, True),
        ("tiny.rules.md", IN_PROSE, True),
        ("lots.rules", MODULE, False),
        ("slip.rules.md", IN_PROSE.replace("game tiny", "gmae tiny"), True),
        ("prose.rules.md", "# A game\n\nNothing but prose.\n", False),
        ("dispute.rules.md", '```rules\nexample one "One":\n    players 2\n```\n', False),
        ("dispute.rules", 'example one "One":\n    players 2\n', False),
        ("firestore.rules", "service cloud.firestore {\n  match /game {}\n}\n", False),
        ("tiny.md", IN_PROSE, False),
    ],
)
def test_a_rulebook_declares_a_game(tmp_path: Path, name: str, text: str, expected: bool) -> None:
    assert projects.is_rulebook(write(tmp_path / name, text)) is expected


def test_a_module_in_prose_is_told_by_who_uses_it(tmp_path: Path) -> None:
    module = write(tmp_path / "more.rules.md", f"```rules\n{MODULE}```\n")
    assert projects.is_rulebook(module)

    user = write(tmp_path / "tiny.rules", TINY.replace("players 2..3", 'use "more"\nplayers 2..3'))
    assert not projects.is_rulebook(module)
    assert projects.rulebooks_of(module) == [user]


def test_a_module_of_a_module_stands_for_the_rulebook(tmp_path: Path) -> None:
    write(tmp_path / "tiny.rules", TINY.replace("players 2..3", 'use "one"\nplayers 2..3'))
    write(tmp_path / "one.rules", 'use "two.rules"\n')
    inner = write(tmp_path / "two.rules", 'use "one"\n' + MODULE)  # a circle ends, too

    assert projects.named([str(inner)]) == [str(tmp_path / "tiny.rules")]


def test_folders_are_searched_in_a_fixed_order_and_only_where_people_write(tmp_path: Path) -> None:
    for place in ("b", "a/deep", ".hidden", "node_modules/x", "build", "env"):
        (tmp_path / place).mkdir(parents=True)
        write(tmp_path / place / "tiny.rules", TINY)
    write(tmp_path / "env" / "pyvenv.cfg", "")
    write(tmp_path / "z.rules.md", IN_PROSE)
    (tmp_path / "a" / "again").symlink_to(tmp_path / "b")

    assert _below(tmp_path) == ["z.rules.md", "a/deep/tiny.rules", "b/tiny.rules"]


def test_what_cannot_be_read_is_not_passed_over_in_prose(tmp_path: Path) -> None:
    (tmp_path / "latin.rules.md").write_bytes(b"# Caf\xe9\n```rules\ngame x\n```\n")
    (tmp_path / "other.rules").write_bytes(b"\xff\xfe\x00")

    assert _below(tmp_path) == ["latin.rules.md"]


def test_names_stand_for_themselves_once(tmp_path: Path) -> None:
    path = str(write(tmp_path / "tiny.rules", TINY))

    assert projects.named([path, "il_principe", str(tmp_path), "no_such"]) == [path, "il_principe", "no_such"]


def test_one_file_named_in_two_ways_is_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path / "tiny.rules", TINY)
    monkeypatch.chdir(tmp_path)

    assert projects.named([".", "./tiny.rules", str(path)]) == ["tiny.rules"]


def test_the_line_of_the_declaration_is_found(tmp_path: Path) -> None:
    assert projects.look(write(tmp_path / "a.rules.md", IN_PROSE)).line == 4
    assert projects.look(write(tmp_path / "b.rules", MODULE)).line == 1
