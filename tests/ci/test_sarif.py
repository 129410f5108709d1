"""SARIF and annotations: in the form that code scanning asks for, whatever a rulebook says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rulespec.ci import github, report, sarif
from rulespec.ci.finding import Finding
from rulespec.ci.kinds import KINDS
from rulespec.ci.places import Top
from rulespec.ci.stage import Result, Stage, Told
from rulespec.compiler.codes import REGISTRY
from rulespec.compiler.diagnostics import Label
from rulespec.compiler.spans import Span

TOP = Top(Path("/top"), Path("/top/here"))
PLACE = Span("a.rules", 3, 5, 3, 9)


def _finding(**changes: Any) -> Finding:
    usual: dict[str, Any] = {
        "rule": "R0201",
        "level": "error",
        "message": "there is no `x`",
        "span": PLACE,
        "line": "let y = x",
    }
    return Finding(**{**usual, **changes})


def _run(*findings: Finding) -> dict[str, Any]:
    log = sarif.log(findings, TOP, complete=True)
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    return dict(run)


def test_every_rule_says_what_it_is_and_what_to_do() -> None:
    run = _run(*(_finding(rule=name) for name in [*REGISTRY, *KINDS]))

    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == [*REGISTRY, *KINDS]
    for rule in rules:
        assert rule["name"].isalnum()
        for text in (rule["shortDescription"]["text"], rule["fullDescription"]["text"]):
            assert 3 < len(text) <= 1024  # more is cut
        assert rule["help"]["text"]
        assert rule["help"]["markdown"]
    results = run["results"]
    assert all(rules[each["ruleIndex"]]["id"] == each["ruleId"] for each in results)


def test_a_result_has_a_place_relative_to_the_top() -> None:
    label = Label(Span("b c.rules", 1, 1, 2, 1), "here too")
    (result,) = _run(_finding(related=(label,), help=("say `y`",)))["results"]

    assert result["level"] == "error"
    assert result["message"] == {"text": "There is no `x`.\nHelp: say `y`"}
    assert result["locations"] == [
        {
            "physicalLocation": {
                "artifactLocation": {"uri": "here/a.rules", "uriBaseId": "%SRCROOT%"},
                "region": {"startLine": 3, "startColumn": 5, "endLine": 3, "endColumn": 9},
            }
        }
    ]
    (related,) = result["relatedLocations"]
    assert related["message"] == {"text": "here too"}
    assert related["physicalLocation"]["artifactLocation"]["uri"] == "here/b%20c.rules"
    assert _run(_finding())["originalUriBaseIds"] == {"%SRCROOT%": {"uri": "file:///top/"}}


@pytest.mark.parametrize(
    "span", [Span("a", 0, 0, 0, 0), Span("a", 1, 1, 1, 1), Span("a", 2, 9, 4, 1), Span("a", 5, 3, 4, 0)]
)
def test_regions_are_never_empty_and_count_from_one(span: Span) -> None:
    region = _run(_finding(span=span))["results"][0]["locations"][0]["physicalLocation"]["region"]

    assert min(region.values()) >= 1
    assert (region["startLine"], region["startColumn"]) < (region["endLine"], region["endColumn"])


def test_a_fingerprint_stays_when_lines_move_and_tells_twins_apart() -> None:
    def marks(*findings: Finding) -> list[str]:
        return [each["partialFingerprints"]["rulespecLine/v1"] for each in _run(*findings)["results"]]

    first, twin = marks(_finding(), _finding(span=Span("a.rules", 9, 5, 9, 9)))
    (moved,) = marks(_finding(span=Span("a.rules", 40, 7, 40, 11), line="    let y = x"))
    (other,) = marks(_finding(line="let y = z"))

    assert first == moved
    assert len({first, twin, other}) == 3


def test_what_has_no_entry_of_its_own_is_left_out() -> None:
    run = _run(_finding(rule="nonsense"))

    assert run["results"] == []
    assert run["tool"]["driver"]["rules"] == []


def test_there_are_no_more_results_than_are_taken() -> None:
    assert len(_run(*[_finding()] * (sarif.MOST + 1))["results"]) == sarif.MOST


def test_an_annotation_stays_on_its_line_and_in_its_property() -> None:
    nasty = "50% of\r\n::error::x, y: z"
    line = github.line(
        _finding(message=nasty, span=Span("a,b:c%.rules", 3, 5, 3, 9), help=("do\nthat",)), TOP
    )

    assert line == (
        "::error file=here/a%2Cb%3Ac%25.rules,line=3,endLine=3,title=rulespec R0201,col=5,endColumn=9"
        "::50%25 of%0D%0A::error::x, y: z.%0Ahelp: do%0Athat"
    )


def test_over_several_lines_an_annotation_has_no_last_column() -> None:
    line = github.line(_finding(level="warning", span=Span("a", 3, 5, 4, 2)), TOP)

    assert line.startswith("::warning file=here/a,line=3,endLine=4,title=rulespec R0201,col=5::")


def test_on_the_page_of_a_job_a_rulebook_is_only_text() -> None:
    stage = Stage("check", lambda books, work: Told(""))
    nasty = "<img src=x onerror=y> | [a](b) `c` @you 'q' \n# head"
    found = _finding(message=nasty)

    page = report.page([Result(stage, "failed", "1 error", (found,))], [found], TOP)
    (line,) = (each for each in page.splitlines() if each.startswith("- "))
    for char in ("<img", "|", "[", "](", "`", "@", "# head"):
        assert char not in line.removeprefix("- error R0201, <code>here/a.rules&#58;3</code>").replace(
            "&#", ""
        ), char
    assert "&#39;" not in line


def test_a_file_outside_the_top_keeps_its_own_path() -> None:
    assert TOP.path("../../elsewhere/a.rules") == "/elsewhere/a.rules"
    assert TOP.path("../b.rules") == "b.rules"
