"""How findings look as text and as data."""

from __future__ import annotations

import json

from rulespec.compiler.diagnostics import Diagnostic, Label, Severity
from rulespec.compiler.render import as_json, render
from rulespec.compiler.spans import NOWHERE, Span

TEXT = "# Duel\n\n## Play\n\n```rules\nrule play:\n    round := 1\n\n\n\n    round := 2\n```\n"


def span(line: int, column: int, end: int, file: str = "duel.rules.md") -> Span:
    return Span(file, line, column, line, end)


def shown(d: Diagnostic, sources: dict[str, str] | None = None, color: bool = False) -> str:
    return render([d], {"duel.rules.md": TEXT} if sources is None else sources, color)


def test_a_message_shows_each_place_with_what_it_has_to_do_with_the_matter() -> None:
    labels = (Label(span(11, 5, 10), "changed here"), Label(span(6, 6, 10)))
    found = Diagnostic("R0001", "`round` changes twice", span(7, 5, 10), labels, ("say it once",))

    assert shown(found) == (
        "error[R0001]: `round` changes twice\n"
        "  --> duel.rules.md:7:5\n"
        "      in Duel > Play\n"
        "   |\n"
        " 6 | rule play:\n"
        "   |      ----\n"
        " 7 |     round := 1\n"
        "   |     ^^^^^\n"
        "...\n"
        "11 |     round := 2\n"
        "   |     ----- changed here\n"
        "   |\n"
        "   = help: say it once\n"
    )


def test_the_main_place_may_have_a_label_of_its_own() -> None:
    found = Diagnostic("R0001", "no", span(7, 5, 10), (Label(span(7, 5, 10), "this one"),))

    assert "^^^^^ this one" in shown(found)
    assert shown(found).count("^^^^^") == 1


def test_places_in_other_files_are_named() -> None:
    found = Diagnostic("R0001", "no", span(7, 5, 10), (Label(span(1, 1, 4, "std.rules"), "declared here"),))
    text = shown(found, {"duel.rules.md": TEXT, "std.rules": "use me"})

    assert "::: std.rules\n" in text
    assert "1 | use me\n  | --- declared here" in text


def test_without_the_source_the_place_is_still_named() -> None:
    assert (
        shown(Diagnostic("R0001", "no", span(7, 5, 10)), {}) == "error[R0001]: no\n --> duel.rules.md:7:5\n"
    )
    assert shown(Diagnostic("R0001", "no", NOWHERE), {}) == "error[R0001]: no\n"


def test_a_place_past_the_end_of_the_file_is_no_fault() -> None:
    assert "duel.rules.md:99:1" in shown(Diagnostic("R0001", "no", span(99, 1, 2)))


def test_several_lines_are_marked_on_the_first() -> None:
    found = Diagnostic("R0001", "no", Span("duel.rules.md", 6, 1, 7, 15))

    assert "6 | rule play:\n  | ^^^^^^^^^^\n" in shown(found)


def test_marks_stand_under_wide_characters_and_tabs() -> None:
    text = 'a\t"日本" x'

    assert '1 | a "日本" x\n  |          ^\n' in shown(
        Diagnostic("R0001", "no", span(1, 8, 9)), {"duel.rules.md": text}
    )


def test_long_lines_are_cut_around_the_place() -> None:
    text = "x" * 5_000 + "HERE" + "y" * 5_000
    lines = shown(Diagnostic("R0001", "no", span(1, 5_001, 5_005)), {"duel.rules.md": text}).split("\n")

    assert all(len(line) < 130 for line in lines)
    assert lines[3].index("HERE") == lines[4].index("^^^^")


def test_what_could_steer_a_terminal_is_not_shown() -> None:
    text = shown(Diagnostic("R0001", "no", span(1, 1, 2)), {"duel.rules.md": "a\x1b[31m\x07b\x9b"})

    assert "\x1b" not in text
    assert "\x07" not in text


def test_colors_only_paint() -> None:
    found = Diagnostic("R0001", "no", span(7, 5, 10), help=("do",), severity=Severity.WARNING)
    painted = shown(found, color=True)

    assert "\x1b[" in painted
    for code in ("\x1b[1;33m", "\x1b[34m", "\x1b[1m", "\x1b[36m", "\x1b[0m"):
        painted = painted.replace(code, "")
    assert painted == shown(found)


def test_findings_are_parted_by_an_empty_line() -> None:
    found = Diagnostic("R0001", "no", NOWHERE)

    assert render([found, found], {}, False) == "error[R0001]: no\n\nerror[R0001]: no\n"
    assert render([], {}, False) == ""


def test_as_data() -> None:
    found = Diagnostic(
        "R0001", "no", span(7, 5, 10), (Label(span(6, 1, 2), "here"),), ("do",), breadcrumb=("Duel",)
    )

    assert json.loads(json.dumps(as_json(found, {}))) == {
        "code": "R0001",
        "severity": "error",
        "message": "no",
        "file": "duel.rules.md",
        "line": 7,
        "column": 5,
        "end_line": 7,
        "end_column": 10,
        "breadcrumb": ["Duel"],
        "labels": [
            {"file": "duel.rules.md", "line": 6, "column": 1, "end_line": 6, "end_column": 2, "text": "here"}
        ],
        "help": ["do"],
    }


def test_headings_are_looked_up_for_who_knows_of_none() -> None:
    """As core does not, which is where this number of values is refused."""
    found = Diagnostic("R0524", "too many values", span(7, 5, 10))
    text = "# Duel\n\n## Strength\n\n```rules\nstate:\n    far: Int in 0..1000000000\n```\n"
    sources = {"duel.rules.md": text}

    assert as_json(found, sources)["breadcrumb"] == ["Duel", "Strength"]
    assert "in Duel > Strength" in render([found], sources, False)
