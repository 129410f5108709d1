"""`rulespec ci`: all stages, whatever becomes of each, and what is told of them and where."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from claimed import FALSE, TRUE, counter
from clicalls import Cli, write
from tiny import TINY, changed

from rulespec.ci import publishing, stages, texts
from rulespec.ci.stage import Stage, Told
from rulespec.cli import ci
from rulespec.cli.exit_code import ExitCode

pytestmark = pytest.mark.usefixtures("in_this_process")

TEXTS = ("--stage", "check", "--stage", "format", "--stage", "examples")
WRONG = changed("score 1 to p", "score 1 to q")
FAILING = changed("p1.purse = 1\n", "p1.purse = 2\n")
UGLY = changed("score 1 to p", "score  1 to p")


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in (ci.GITHUB, ci.SUMMARY, "GITHUB_WORKSPACE"):
        monkeypatch.delenv(name, raising=False)


def _results(said: Any) -> dict[str, str]:
    return {each["stage"]: each["result"] for each in said.json["stages"]}


def test_a_verified_rulebook_passes_every_stage(cli: Cli) -> None:
    write(Path("tiny.rules"), TINY)
    cli("verify", "tiny.rules", "--jobs", "1")

    said = cli("ci", "--stage", "verdicts", *TEXTS)
    assert said.status == ExitCode.FINE
    assert re.search(r"^examples +passed +\d+\.\d s +1 example holds *$", said.out, re.MULTILINE)
    assert re.search(r"^verdicts +passed .* proved", said.out, re.MULTILINE)
    assert said.out.endswith("good: 4 of 4 stages passed\n")


def test_a_folder_without_a_rulebook_does_not_pass(cli: Cli) -> None:
    said = cli("ci")

    assert said.status == ExitCode.PROBLEMS
    assert "there is no rulebook in `.`" in said.err


def test_each_stage_is_carried_out_though_an_earlier_one_failed(cli: Cli) -> None:
    write(Path("a.rules"), WRONG)
    write(Path("b.rules"), FAILING)

    said = cli("ci", "--json", *TEXTS, "--stage", "verdicts")
    assert said.status == ExitCode.PROBLEMS
    assert _results(said) == {
        "check": "failed",
        "format": "passed",
        "examples": "failed",
        "verdicts": "failed",
    }
    examples = said.json["stages"][2]
    assert examples["text"] == "1 of 1 example failed; not tried, because of errors: a.rules"
    # What `check` has found of `a.rules` is not found again.
    assert [each["rule"] for each in examples["findings"]] == ["R0690"]


def test_findings_are_shown_with_the_text_around_them(cli: Cli) -> None:
    write(Path("tiny.rules"), FAILING)

    said = cli("ci", *TEXTS)
    assert "error[R0690]: example `spending` fails" in said.out
    assert "purse[p1] is 1" in said.out
    assert said.out.endswith("not good: 2 of 3 stages passed; failed: examples\n")


def test_the_layout_stage_also_looks_at_modules(cli: Cli) -> None:
    write(Path("tiny.rules"), TINY.replace("players 2..3", 'use "more"\nplayers 2..3'))
    write(Path("more.rules"), 'rule  more "More":\n    nothing\n')

    said = cli("ci", "--stage", "format", "--json")
    (finding,) = said.json["stages"][0]["findings"]
    assert finding["file"] == "more.rules"
    assert said.status == ExitCode.PROBLEMS


def test_a_module_stands_for_the_rulebook_that_uses_it(cli: Cli) -> None:
    write(Path("tiny.rules"), FAILING.replace("players 2..3", 'use "more"\nplayers 2..3'))
    write(Path("more.rules"), "function more() -> Int = 1\n")

    assert "example `spending` fails" in cli("ci", "more.rules", "--stage", "examples").out


def test_what_the_lock_file_lacks_is_told(cli: Cli) -> None:
    write(Path("tiny.rules"), TINY)
    without = cli("ci", "--stage", "verdicts")
    cli("verify", "tiny.rules", "--jobs", "1")
    write(Path("tiny.rules"), changed("share = 5", "share = 4").replace("score 1 to p", "score 2 to p"))
    stale = cli("ci", "--stage", "verdicts", "--json")

    assert without.status == stale.status == ExitCode.PROBLEMS
    assert "tiny.rules: `rulespec.lock` has no verdict that holds; " in without.out
    told = [each["message"] for each in stale.json["stages"][0]["findings"]]
    assert any("the rules have changed; `rulespec verify tiny.rules` brings" in each for each in told)
    assert {each["rule"] for each in stale.json["stages"][0]["findings"]} == {"lock-behind"}


def test_a_damaged_lock_file_is_told(cli: Cli) -> None:
    write(Path("tiny.rules"), TINY)
    write(Path("rulespec.lock"), '{"rulespec.lock": 99}\n')

    said = cli("ci", "--stage", "verdicts")
    assert said.status == ExitCode.PROBLEMS
    assert "was written by another version of rulespec" in said.out


def test_a_refuted_claim_is_a_finding_where_it_is_claimed(cli: Cli) -> None:
    text = counter(TRUE, FALSE)
    write(Path("counter.rules"), text)
    cli("verify", "counter.rules", "--jobs", "1")

    said = cli("ci", "--stage", "verdicts", "--json")
    (finding,) = said.json["stages"][0]["findings"]
    assert said.status == ExitCode.PROBLEMS
    assert finding["rule"] == "claim-refuted"
    assert finding["line"] == 1 + text[: text.index(FALSE)].count("\n")
    assert finding["message"].startswith("Nobody has four coins: refuted, with 2 players: a play of ")
    assert "takes a coin" in cli("ci", "--stage", "verdicts").out


@pytest.mark.parametrize(
    ("options", "status"),
    [((), ExitCode.PROBLEMS), (("--allow-unknown",), ExitCode.FINE)],
)
def test_what_is_unknown_does_not_pass_unless_allowed(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...], status: ExitCode
) -> None:
    from dataclasses import replace

    from rulespec.verifying import ledger

    write(Path("tiny.rules"), TINY)
    cli("verify", "tiny.rules", "--jobs", "1", "--no-scopes")
    known = ledger.Ledger.known

    def doubtful(self: ledger.Ledger, part: Any, games: bool) -> Any:
        found = known(self, part, games)
        name = "invariant thrift"
        unknown = replace(found.verdicts[name], verdict="unknown", reason="nobody could say")
        return replace(found, verdicts={**found.verdicts, name: unknown})

    cli("verify", "tiny.rules", "--jobs", "1")
    monkeypatch.setattr(ledger.Ledger, "known", doubtful)

    said = cli("ci", "--stage", "verdicts", "--json", *options)
    assert said.status == status
    found = said.json["stages"][0]["findings"]
    assert {each["rule"] for each in found} == {"claim-unknown"}
    assert "Points cost coins: unknown, with 2 and 3 players: nobody could say" in found[0]["message"]


# --- sources and the site ----------------------------------------------------------------------------------

LEAFLET = "".join(f"Sentence {n} of the leaflet ends here.\n" for n in range(1, 10))


def test_every_paragraph_of_a_source_is_to_be_accounted_for(cli: Cli) -> None:
    write(Path("tiny.rules"), TINY)
    write(Path("leaflet.txt"), LEAFLET)
    without = cli("ci", "--stage", "coverage")
    cli("coverage", "tiny.rules", "--source", "leaflet.txt", "--update")
    left = cli("ci", "--stage", "coverage", "--json")
    cited = TINY.replace("aside", "") + "\naside:\n    heading @rb(7, 9)\n"
    write(Path("tiny.rules"), cited)
    all_of_it = cli("ci", "--stage", "coverage")

    assert without.status == left.status == ExitCode.PROBLEMS
    assert (
        "the source `rb` has no index; `rulespec coverage tiny.rules --source FILE --update`" in without.out
    )
    found = left.json["stages"][0]["findings"]
    assert {each["rule"] for each in found} == {"source-open"}
    assert [each["line"] for each in found] == [2] * len(found)  # where the source is declared
    assert found[0]["message"] == "`@rb(7)` is not accounted for by a citation or an aside"
    assert all_of_it.status == ExitCode.FINE, all_of_it.out
    assert "9 paragraphs of 1 source accounted for" in all_of_it.out


def test_a_citation_is_of_something(cli: Cli) -> None:
    write(Path("tiny.rules"), TINY + "aside heading @rb(7, 9)\n")
    write(Path("leaflet.txt"), LEAFLET.replace("Sentence 8 of the leaflet ends here.", "---"))
    cli("coverage", "tiny.rules", "--source", "leaflet.txt", "--update")
    said = cli("ci", "--stage", "coverage", "--json")

    (found,) = said.json["stages"][0]["findings"]
    assert said.status == ExitCode.PROBLEMS
    assert (found["rule"], found["line"]) == ("source-nothing", 8)
    assert found["message"] == "`@rb(8)` is of lines where nothing stands"


def test_a_game_without_a_source_has_nothing_to_cover(cli: Cli) -> None:
    write(Path("counter.rules"), counter(TRUE))

    said = cli("ci", "--json", "--stage", "check", "--stage", "coverage")
    assert said.status == ExitCode.FINE
    assert said.json["stages"][1]["text"] == "no rulebook names a source"
    assert _results(said)["coverage"] == "skipped"


def test_without_what_makes_sites_the_site_is_skipped_in_plain_words(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(Path("tiny.rules"), TINY)
    monkeypatch.setattr(publishing, "NEEDED", ("no_such_module",))

    said = cli("ci", "--stage", "check", "--stage", "site")
    assert said.status == ExitCode.FINE
    assert "the extra `site` is not installed" in said.out
    assert said.out.endswith("good: 1 of 2 stages passed; skipped: site\n")


def test_a_site_that_cannot_be_built_fails(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    from rulespec.site import build
    from rulespec.site.links import Broken

    def broken(*_: object, **__: object) -> None:
        raise build.BrokenLinks([Broken("tiny/index.html", "nothing is there")])

    write(Path("tiny.rules"), TINY)
    monkeypatch.setattr(build, "build", broken)

    said = cli("ci", "--stage", "site", "--json")
    assert said.status == ExitCode.PROBLEMS
    (finding,) = said.json["stages"][0]["findings"]
    assert finding["rule"] == "site-link"
    assert finding["message"] == "in the site, `tiny/index.html`: nothing is there"


def test_the_site_is_built_and_nothing_of_it_is_kept(cli: Cli) -> None:
    pytest.importorskip("material")
    write(Path("tiny.rules"), TINY)

    said = cli("ci", "--stage", "site")
    assert said.status == ExitCode.FINE, said.out + said.err
    assert re.search(r"^site +passed .* \d+ pages", said.out, re.MULTILINE)
    assert [path.name for path in Path().iterdir()] == ["tiny.rules"]


def test_warnings_count_when_strict(cli: Cli) -> None:
    write(Path("odd.rules"), changed("left of eldest if reading first is oldest else eldest", "eldest"))

    assert cli("ci", "--stage", "check").status == ExitCode.FINE
    assert cli("ci", "--stage", "check", "--strict").status == ExitCode.PROBLEMS


def test_a_rulebook_that_is_not_there_fails_every_stage(cli: Cli) -> None:
    said = cli("ci", "nowhere.rules", "--json")

    assert said.status == ExitCode.PROBLEMS
    assert "passed" not in _results(said).values()
    (finding,) = said.json["stages"][0]["findings"]
    assert finding["rule"] == "R0001"
    for name in _results(said):
        alone = cli("ci", "nowhere.rules", "--stage", name)
        assert alone.status == ExitCode.PROBLEMS
        assert "there is no file `nowhere.rules`" in alone.out, name


# --- what is handed to GitHub ------------------------------------------------------------------------------


def test_annotations_come_by_themselves_on_github(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    write(Path("tiny.rules"), WRONG)
    assert "::error" not in cli("ci", "--stage", "check").out

    monkeypatch.setenv(ci.GITHUB, "true")
    said = cli("ci", "--stage", "check")
    line = WRONG[: WRONG.index("score 1 to q")].count("\n") + 1
    assert f"\n::error file=tiny.rules,line={line},endLine={line},title=rulespec R02" in said.out
    assert "::error" not in cli("ci", "--stage", "check", "--no-annotations").out


def test_a_rulebook_gives_github_no_orders(cli: Cli) -> None:
    write(Path("tiny.rules"), UGLY.replace("    p chooses:", "    p chooses:\n        # ::add-mask::a"))
    write(Path("b.rules.md"), '::warning::oh\n\n```rules\ngame b "B"\nplayers  2\n```\n\n::warning::oh\n')

    said = cli("ci", "--stage", "format", "--annotations").out.splitlines()
    token = said[0].removeprefix("::stop-commands::")
    assert len(token) == 32
    assert said[-1] == f"::{token}::"
    heard = False
    orders = []
    for text in said:
        if text.strip() in (f"::{token}::", f"::stop-commands::{token}"):
            heard = text == f"::{token}::"
        elif heard:
            orders.append(text)
        elif "::warning::" in text:
            orders.append("unheard")
    assert "unheard" in orders
    assert all(each == "unheard" or each.startswith("::error file=") for each in orders)
    assert token not in cli("ci", "--stage", "format", "--annotations").out


def test_annotations_leave_json_alone(cli: Cli) -> None:
    write(Path("tiny.rules"), WRONG)

    said = cli("ci", "--stage", "check", "--json", "--annotations")
    assert said.json["good"] is False
    assert "::error" in said.err


def test_files_are_named_from_the_top_of_the_workspace(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("games", "a b").mkdir(parents=True)
    write(Path("games", "a b", "tiny.rules"), WRONG)
    monkeypatch.setenv("GITHUB_WORKSPACE", str(Path.cwd()))
    monkeypatch.chdir("games")

    said = cli("ci", "--stage", "check", "--annotations", "--sarif", "out.sarif")
    assert "::error file=games/a b/tiny.rules," in said.out
    log = json.loads(Path("out.sarif").read_text())
    place = log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
    assert place == {"uri": "games/a%20b/tiny.rules", "uriBaseId": "%SRCROOT%"}


def test_the_summary_is_added_to_the_page_of_the_job(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    write(Path("tiny.rules"), FAILING)
    page = write(Path("page.md"), "earlier\n")
    monkeypatch.setenv(ci.SUMMARY, str(page))

    cli("ci", *TEXTS)
    text = page.read_text()
    assert text.startswith("earlier\n### rulespec\n")
    assert re.search(
        r"^\| ❌ \| examples \| failed \| \d+\.\d s \| 1 of 1 example failed \|$", text, re.MULTILINE
    )


def test_a_page_that_cannot_be_written_is_told(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    write(Path("tiny.rules"), TINY)
    monkeypatch.setenv(ci.SUMMARY, "no/such/page.md")

    said = cli("ci", "--stage", "check")
    assert said.status == ExitCode.FINE
    assert f"`{ci.SUMMARY}` cannot be written" in said.err


def test_a_sarif_file_that_cannot_be_written_is_told_at_once(cli: Cli) -> None:
    write(Path("tiny.rules"), TINY)

    said = cli("ci", "--sarif", "no/such/out.sarif")
    assert said.status == ExitCode.USAGE
    assert "`no/such/out.sarif` cannot be written" in said.err


# --- when something goes wrong with rulespec itself --------------------------------------------------------


def _broken(*_: object) -> Told:
    raise ZeroDivisionError("by nothing")


def _interrupted(*_: object) -> Told:
    raise KeyboardInterrupt


def _skipped(*_: object) -> Told:
    return Told("not installed", skipped=True)


CHECK = Stage("check", texts.check)


def _with(monkeypatch: pytest.MonkeyPatch, *made: Stage) -> None:
    monkeypatch.setattr(ci, "STAGES", made)


def test_a_fault_in_one_stage_does_not_keep_others_from_being_carried_out(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(Path("tiny.rules"), TINY)
    _with(monkeypatch, Stage("broken", _broken), CHECK)

    said = cli("ci", "--json", "--sarif", "out.sarif")
    assert said.status == ExitCode.FAULT
    assert _results(said) == {"broken": "failed", "check": "passed"}
    assert "ZeroDivisionError: by nothing" in said.err
    run = json.loads(Path("out.sarif").read_text())["runs"][0]
    assert run["invocations"] == [{"executionSuccessful": False}]


def test_after_an_interruption_the_summary_says_what_was_not_reached(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(Path("tiny.rules"), TINY)
    _with(monkeypatch, CHECK, Stage("slow", _interrupted), Stage("last", texts.check))

    said = cli("ci")
    assert said.status == ExitCode.INTERRUPTED
    assert said.out.endswith("not good: 1 of 3 stages passed; stopped: slow, last\n")


def test_what_is_skipped_is_named_and_does_not_count_as_passed(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(Path("tiny.rules"), TINY)
    _with(monkeypatch, CHECK, Stage("site", _skipped))
    both = cli("ci")
    _with(monkeypatch, Stage("site", _skipped))
    alone = cli("ci")

    assert both.status == ExitCode.FINE
    assert both.out.endswith("good: 1 of 2 stages passed; skipped: site\n")
    assert alone.status == ExitCode.PROBLEMS


def test_the_stages_have_names_of_their_own() -> None:
    names = [each.name for each in stages.STAGES]

    assert len(set(names)) == len(names)
    assert names == ["check", "format", "examples", "verdicts", "coverage", "site"]
