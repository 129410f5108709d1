"""pytest in a folder with rulebooks."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from claimed import FALSE, OPEN, TRUE, counter
from clicalls import write
from tiny import TINY, changed

# As loaded by its entry point where that is installed; by its module alone where it is not.
PLUGIN = ("-p", "no:rulespec", "-p", "rulespec.pytest_plugin", "-p", "no:cacheprovider")
# Ours is imported by these tests already, as no other plugin is.
QUIET = ("-W", "ignore::pytest.PytestAssertRewriteWarning")


@pytest.fixture
def folder(all_modules: None, pytester: pytest.Pytester) -> Path:
    """An empty folder, where strictness about markers is on."""
    pytester.makeini("[pytest]\naddopts = --strict-markers --strict-config\n")
    return pytester.path


def _run(pytester: pytest.Pytester, *args: str) -> pytest.RunResult:
    return pytester.runpytest_inprocess(*PLUGIN, *QUIET, *args)


def _collected(pytester: pytest.Pytester, *args: str) -> list[str]:
    return [line for line in _run(pytester, "--collect-only", "-q", *args).outlines if "::" in line]


def test_names_say_what_each_item_is(pytester: pytest.Pytester, folder: Path) -> None:
    write(folder / "tiny.rules", TINY)

    items = _collected(pytester)
    assert items == _collected(pytester)
    for expected in (
        "tiny.rules::check",
        "tiny.rules::format",
        "tiny.rules::example::spending",
        "tiny.rules::property::thrift[3 players]",
        "tiny.rules::property::range of purse[2 players]",
        "tiny.rules::property::thrift[pocket]",
        "tiny.rules::conformance::undo[2 players]",
        "tiny.rules::conformance::engines_agree[3 players]",
    ):
        assert items.count(expected) == 1, expected
    assert len(set(items)) == len(items)


def test_modules_and_what_is_passed_over_are_not_collected(pytester: pytest.Pytester, folder: Path) -> None:
    write(folder / "lots.rules", 'rule lots "Lots":\n    nothing\n')
    write(folder / "snort.rules", "alert tcp any any -> any 80\n")

    assert _run(pytester).ret == pytest.ExitCode.NO_TESTS_COLLECTED


@pytest.mark.usefixtures("in_this_process")
def test_a_good_rulebook_passes_and_verdicts_are_counted(pytester: pytest.Pytester, folder: Path) -> None:
    write(folder / "tiny.rules", TINY)

    said = _run(pytester)
    outcomes = said.parseoutcomes()
    assert set(outcomes) == {"passed"}
    assert outcomes["passed"] > 50
    said.stdout.re_match_lines([r"claims: \d+ proved, .*\d+ exhaustive"])
    assert not (folder / "rulespec.lock").exists()


@pytest.mark.parametrize(
    ("option", "kinds"),
    [
        ("-m rulespec_example", {"example"}),
        ("-m rulespec_property", {"property"}),
        ("-m rulespec_check or rulespec_format", {"check", "format"}),
        (
            "-m rulespec and not rulespec_property and not rulespec_conformance",
            {"check", "format", "example"},
        ),
        ("-k spending", {"example"}),
        ("-k thrift", {"property"}),
    ],
)
def test_items_are_chosen_by_marker_and_name(
    pytester: pytest.Pytester, folder: Path, option: str, kinds: set[str]
) -> None:
    write(folder / "tiny.rules", TINY)

    items = _collected(pytester, option[:2], option[3:])
    assert {item.split("::")[1] for item in items} == kinds


def test_a_failing_example_shows_its_diagnostics_and_no_traceback(
    pytester: pytest.Pytester, folder: Path
) -> None:
    write(folder / "tiny.rules", changed("p1.purse = 1\n", "p1.purse = 2\n"))

    said = _run(pytester, "-m", "rulespec_example")
    said.assert_outcomes(failed=1)
    text = said.stdout.str()
    assert "error[R0690]: example `spending` fails: this does not hold" in text
    assert "--> tiny.rules:" in text
    assert "purse[p1] is 1" in text
    assert "Traceback" not in text
    assert ".py:" not in text
    assert re.search(r"^FAILED tiny\.rules::example::spending - error\[R0690\]", text, re.MULTILINE)


@pytest.mark.usefixtures("in_this_process")
def test_a_refuted_claim_fails_with_its_play(pytester: pytest.Pytester, folder: Path) -> None:
    write(folder / "counter.rules", counter(TRUE, FALSE))

    said = _run(pytester, "-k", "poor or pace")
    said.assert_outcomes(passed=1, failed=1)
    text = said.stdout.str()
    assert "`invariant poor` is refuted, with 2 players" in text
    assert "takes a coin" in text
    assert "Traceback" not in text


@pytest.mark.usefixtures("in_this_process")
@pytest.mark.parametrize(("setting", "outcome"), [("fail", "failed"), ("xfail", "xfailed")])
def test_what_is_unknown_never_passes(
    pytester: pytest.Pytester, folder: Path, setting: str, outcome: str
) -> None:
    pytester.makeini(f"[pytest]\nrulespec_unknown = {setting}\nrulespec_time = 1\n")
    write(folder / "counter.rules", counter(OPEN))

    said = _run(pytester, "-k", "lucky", "-rx")
    assert said.parseoutcomes() == {outcome: 1, "deselected": said.parseoutcomes()["deselected"]}
    assert "lucky" in said.stdout.str()
    assert "unknown" in said.stdout.str()


@pytest.mark.usefixtures("in_this_process")
def test_what_is_only_sampled_passes_unless_strict(pytester: pytest.Pytester, folder: Path) -> None:
    hard = TRUE.replace("1 * (turns + 1)", "1 * (turns + 1) or code = 5").replace("pace", "odd")
    write(folder / "counter.rules", counter(OPEN, hard.replace("all p", "code * code != 999998 and all p")))
    pytester.makeini("[pytest]\nrulespec_time = 1\n")

    plain = _run(pytester, "-k", "odd")
    strict = _run(pytester, "-k", "odd", "--rulespec-strict")
    plain.assert_outcomes(passed=1)
    strict.assert_outcomes(failed=1)
    assert re.search(r"claims: 1 (sampled|bounded)", plain.stdout.str())


def test_locked_needs_a_lock_that_vouches(
    pytester: pytest.Pytester, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from here import Here

    from rulespec.verifying import processes

    write(folder / "tiny.rules", TINY)
    without = _run(pytester, "-k", "thrift and players", "--rulespec-locked")
    without.assert_outcomes(failed=2)
    assert "`invariant thrift` is not vouched for by the lock file: not there" in without.stdout.str()

    monkeypatch.setattr(processes, "Workers", Here)
    _verify(folder / "tiny.rules")
    monkeypatch.delattr(Here, "do")
    _run(pytester, "-k", "thrift", "--rulespec-locked").assert_outcomes(passed=3)


def _verify(path: Path) -> None:
    from rulespec.cli.guard import run
    from rulespec.cli.main import app

    assert run(app, ["verify", str(path), "--jobs", "1"]) == 0


@pytest.mark.usefixtures("in_this_process")
def test_what_was_proved_once_is_not_proved_again(
    pytester: pytest.Pytester, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from here import Here

    write(folder / "tiny.rules", TINY.replace("Tiny", "Proved once"))
    _run(pytester, "-k", "thrift").assert_outcomes(passed=3)

    monkeypatch.delattr(Here, "do")
    _run(pytester, "-k", "thrift").assert_outcomes(passed=3)


def test_a_broken_rulebook_fails_with_its_diagnostics(pytester: pytest.Pytester, folder: Path) -> None:
    write(folder / "tiny.rules", changed("pay n from p.purse", "pay n from p.prse"))

    said = _run(pytester)
    said.assert_outcomes(failed=1, passed=1)
    text = said.stdout.str()
    assert "error[R0202]" in text or "did you mean `purse`?" in text
    assert "INTERNALERROR" not in text
    assert "Traceback" not in text


@pytest.mark.parametrize("content", [b"\xff\xfe", b"```rules\ngame\n```\n", b'```rules\ngame tiny "T\n'])
def test_nothing_that_a_file_holds_breaks_the_run(
    pytester: pytest.Pytester, folder: Path, content: bytes
) -> None:
    (folder / "odd.rules.md").write_bytes(content)

    said = _run(pytester)
    assert said.ret == pytest.ExitCode.TESTS_FAILED
    assert "odd.rules.md::check" in said.stdout.str()
    assert "INTERNALERROR" not in said.stdout.str() + said.stderr.str()


def test_what_goes_wrong_with_some_players_alone_is_found(pytester: pytest.Pytester, folder: Path) -> None:
    late = "param most: coin = 3\n\nwhen players = 3:\n    most = 1000000\n\nvariant rich"
    text = changed("in 1..p.purse", "in 1..most").replace("variant rich", late)
    write(folder / "tiny.rules", text)

    said = _run(pytester, "-m", "rulespec_check or rulespec_format")
    said.assert_outcomes(failed=1, passed=1)
    assert "found with 3 players" in said.stdout.str()


def test_the_layout_is_shown_as_a_difference(pytester: pytest.Pytester, folder: Path) -> None:
    write(folder / "tiny.rules", changed("score 1 to p", "score  1 to p"))

    said = _run(pytester, "-m", "rulespec_format")
    said.assert_outcomes(failed=1)
    said.stdout.fnmatch_lines(
        ["*`tiny.rules` is not in the one layout*", "-*score  1 to p", "+*score 1 to p"]
    )


def test_junit_names_the_items_and_their_verdicts(pytester: pytest.Pytester, folder: Path) -> None:
    write(folder / "tiny.rules", changed("p1.purse = 1\n", "p1.purse = 2\n"))
    _run(pytester, "--junitxml=out.xml", "-m", "rulespec_example or rulespec_check")

    suite = ElementTree.parse(folder / "out.xml").getroot()[0]
    cases = {case.get("name"): case for case in suite.iter("testcase")}
    assert set(cases) == {"check", "spending"}
    failure = cases["spending"].find("failure")
    assert failure is not None
    assert failure.get("message", "").startswith("error[R0690]: example `spending` fails")
    assert "purse[p1] is 1" in (failure.text or "")
    assert cases["check"].find("failure") is None


@pytest.mark.usefixtures("in_this_process")
def test_junit_has_the_verdicts(pytester: pytest.Pytester, folder: Path) -> None:
    write(folder / "tiny.rules", TINY)
    _run(pytester, "--junitxml=out.xml", "-k", "thrift and players")

    cases = list(ElementTree.parse(folder / "out.xml").getroot()[0].iter("testcase"))
    told = {case.get("name"): [each.get("value") for each in case.iter("property")] for case in cases}
    assert told == {"thrift[2 players]": ["proved"], "thrift[3 players]": ["proved"]}


def test_a_setting_that_cannot_be_is_refused(pytester: pytest.Pytester, folder: Path) -> None:
    write(folder / "tiny.rules", TINY)

    said = _run(pytester, "--rulespec-time", "0")
    assert said.ret != pytest.ExitCode.OK
    assert "rulespec_time is `0.0`" in said.stdout.str() + said.stderr.str()


def test_two_processes_collect_the_same_and_share_the_work(pytester: pytest.Pytester, folder: Path) -> None:
    write(folder / "tiny.rules", changed("p1.purse = 1\n", "p1.purse = 2\n"))

    said = pytester.runpytest_subprocess(*PLUGIN, "-n", "2", "-m", "not rulespec_property")
    outcomes = said.parseoutcomes()
    assert outcomes["failed"] == 1
    assert outcomes["passed"] > 20
    assert "error[R0690]: example `spending` fails" in said.stdout.str()


def test_other_projects_pay_next_to_nothing(tmp_path: Path) -> None:
    write(tmp_path / "test_one.py", "def test_one():\n    pass\n")
    code = (
        "import sys, pytest\n"
        "status = pytest.main(['-q', '-p', 'no:rulespec', '-p', 'rulespec.pytest_plugin'])\n"
        "ours = [name for name in sys.modules if name.startswith('rulespec')]\n"
        "print(status, sorted(ours), 'z3' in sys.modules, 'lark' in sys.modules)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    last = done.stdout.splitlines()[-1]
    assert last == "0 ['rulespec', 'rulespec.pytest_plugin'] False False" or last.startswith(
        "ExitCode.OK ['rulespec', 'rulespec.pytest_plugin'] False False"
    )
