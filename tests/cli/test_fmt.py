"""`rulespec fmt`."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from clicalls import Cli, write
from tiny import TINY, changed

from rulespec.cli.exit_code import ExitCode

UGLY = changed("    p chooses:\n", "    p   chooses :   # asks\n")
NEAT = changed("    p chooses:\n", "    p chooses:  # asks\n")
WRONG = changed("    p chooses:\n", "    p choses:\n")


@pytest.fixture
def ugly(tmp_path: Path) -> Path:
    return write(tmp_path / "ugly.rules", UGLY)


def test_a_file_is_rewritten_with_its_comments_and_its_permissions(cli: Cli, ugly: Path) -> None:
    ugly.chmod(0o640)

    said = cli("fmt", ugly)

    assert (said.status, said.out, said.err) == (ExitCode.FINE, "", f"rewrote {ugly}\n")
    assert ugly.read_text() == NEAT
    assert ugly.stat().st_mode & 0o777 == 0o640
    assert [each.name for each in ugly.parent.iterdir()] == ["ugly.rules"]


def test_a_neat_file_is_not_touched(cli: Cli, tmp_path: Path) -> None:
    path = write(tmp_path / "neat.rules", NEAT)
    os.utime(path, (1, 1))

    assert cli("fmt", path).err == ""
    assert path.stat().st_mtime == 1


def test_prose_is_not_touched(cli: Cli, tmp_path: Path) -> None:
    prose = "#  Tiny\n\nA   game.\n\n```rules\n{}```\n\n- end   \n"
    path = write(tmp_path / "tiny.rules.md", prose.format(UGLY))

    assert cli("fmt", path).status == ExitCode.FINE
    assert path.read_text() == prose.format(NEAT)


def test_check_changes_nothing_and_fails(cli: Cli, ugly: Path) -> None:
    neat = write(ugly.with_name("neat.rules"), NEAT)

    said = cli("fmt", "--check", ugly, neat)

    assert (said.status, said.err) == (ExitCode.PROBLEMS, f"would rewrite {ugly}\n")
    assert ugly.read_text() == UGLY
    assert cli("fmt", "--check", neat).status == ExitCode.FINE


def test_diff_shows_what_would_change(cli: Cli, ugly: Path) -> None:
    said = cli("fmt", "--diff", ugly)

    assert said.status == ExitCode.PROBLEMS
    assert said.out.startswith(f"--- {ugly}\n+++ {ugly} (formatted)\n@@ ")
    assert "-    p   chooses :   # asks\n+    p chooses:  # asks\n" in said.out
    assert ugly.read_text() == UGLY


def test_diff_says_that_the_last_line_had_no_end(cli: Cli, tmp_path: Path) -> None:
    said = cli("fmt", "--diff", write(tmp_path / "open.rules", TINY.rstrip("\n")))

    assert "\\ no newline at the end\n" in said.out


def test_a_file_with_an_error_is_left_as_it_is_and_the_others_are_not(cli: Cli, ugly: Path) -> None:
    wrong = write(ugly.with_name("wrong.rules"), WRONG)

    said = cli("fmt", wrong, ugly)

    assert said.status == ExitCode.PROBLEMS
    assert f"--> {wrong}:" in said.err
    assert wrong.read_text() == WRONG
    assert ugly.read_text() == NEAT


def test_standard_input_goes_to_standard_output(cli: Cli) -> None:
    for text in (UGLY, f"# Tiny\n\n```rules\n{UGLY}```\n"):
        said = cli("fmt", "-", typed=text)

        assert (said.status, said.out) == (ExitCode.FINE, text.replace(UGLY, NEAT))


def test_standard_input_that_is_not_text_is_a_finding(cli: Cli) -> None:
    said = cli("fmt", "-", typed=b"game \xff")

    assert (said.status, said.out) == (ExitCode.PROBLEMS, "")
    assert "error[R0004]" in said.err


def test_a_link_stays_a_link(cli: Cli, ugly: Path) -> None:
    link = ugly.with_name("link.rules")
    link.symlink_to(ugly)

    assert cli("fmt", link).status == ExitCode.FINE
    assert link.is_symlink()
    assert ugly.read_text() == NEAT


def test_a_failed_write_leaves_the_file_as_it_was(
    cli: Cli, ugly: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("rulespec.cli.fmt.os.replace", fail)

    said = cli("fmt", ugly)

    assert said.status == ExitCode.PROBLEMS
    assert "no space left on device" in said.err
    assert ugly.read_text() == UGLY
    assert [each.name for each in ugly.parent.iterdir()] == ["ugly.rules"]


def test_a_name_of_a_game_is_no_file(cli: Cli) -> None:
    said = cli("fmt", "il_principe")

    assert said.status == ExitCode.PROBLEMS
    assert "error[R0001]" in said.err


def test_every_bundled_rulebook_is_neat(cli: Cli) -> None:
    package = Path(__file__).resolve().parents[2] / "rulespec"
    files = [*package.glob("games/*/*.rules.md"), *package.glob("std/*.rules")]

    said = cli("fmt", "--check", *files)

    assert len(files) >= 3
    assert (said.status, said.err) == (ExitCode.FINE, "")
