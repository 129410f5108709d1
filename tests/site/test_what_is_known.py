"""Pages of what is known of a game: claims, examples and play-outs, and what stands beside its rules."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from clicalls import write
from tiny import TINY, changed

from rulespec.proofs.claims import Claims
from rulespec.proofs.saved import VERIFIER
from rulespec.proofs.verdicts import Limits, Play, Step, Verdict
from rulespec.site import address
from rulespec.site.page import Page
from rulespec.site.pages import examples, playouts, properties
from rulespec.site.pages.beside import beside, beside_property
from rulespec.site.subject import Subject
from rulespec.verifying import ledger as ledgers
from rulespec.verifying.before import Known
from rulespec.verifying.ledger import Ledger
from rulespec.verifying.plan import Wanted, make

EVIL = '<img src=x onerror=alert(1)> "&amp;'
MAKERS = (properties.page, examples.page, playouts.page)


def _subject(folder: Path, text: str = TINY) -> Subject:
    return Subject(str(write(folder / "tiny.rules", text)))


def _evil(folder: Path) -> Subject:
    """With a title that is no good everywhere."""
    bad = EVIL.replace('"', '\\"')
    text = TINY
    for title in ("Spending", "points", "coins", "A coin for a point", "Points cost coins", "Who begins?"):
        text = text.replace(f'"{title}"', f'"{title} {bad}"')
    return _subject(folder, text.replace('"spends {n}"', f'"spends {{n}} {bad}"'))


def _keep(subject: Subject, *, refuted: str = "", facts: tuple[str, ...] = ()) -> None:
    """Write down that all claims are proved with two players, but one refuted by the shortest play."""
    part = make(subject.book, Wanted((2,), scopes=False), Limits()).parts[0]
    moves = (0, 3), (1,)  # p0 spends three coins, p1 keeps all
    play = Play(tuple(Step(-1, raw, "", "") for raw in moves), shortest=True)
    found = []
    for claim in Claims(part.core).all.values():
        verdict, shown = ("refuted", play) if claim.name == refuted else ("proved", None)
        made = Verdict("tiny", 2, claim.name, claim.kind, verdict, "induction", 0.5, title=claim.title)
        found.append(replace(made, play=shown, facts=facts))
    Ledger(subject.book, Limits()).keep(part, Known(), found)


def _all(page: Page | None) -> str:
    assert page is not None
    return page.body + "".join(page.chunks)


# --- claims ------------------------------------------------------------------------------------------------


def test_each_claim_has_its_place_and_its_verdict(tmp_path: Path) -> None:
    subject = _subject(tmp_path)
    _keep(subject)
    shown = _all(properties.page(subject))
    for claimed in subject.verdicts.claims:
        assert f'id="{address.claim_anchor(claimed.name)}"' in shown
    assert (
        'data-place="2 players"><span class="unseen">2 players: </span><span class="verdict verdict--proved">'
        in shown
    )
    assert "induction" in shown
    assert f"edition {VERIFIER} of its verifier" in shown


def test_without_a_lock_file_the_page_says_so(tmp_path: Path) -> None:
    shown = _all(properties.page(_subject(tmp_path)))
    assert "Nothing of this has been verified yet" in shown
    cells = re.findall(r'claim-cell"[^>]*>.*?verdict--([\w-]+)', shown)
    assert cells
    assert set(cells) == {"not-verified"}


def test_what_is_stale_is_not_called_proved(tmp_path: Path) -> None:
    _keep(_subject(tmp_path))
    subject = _subject(tmp_path, changed("score 1 to p", "score 2 to p"))
    claim = next(c for c in _claims(subject) if 'id="claim-range-of-points"' in c)
    summary, _, inside = claim.partition("</summary>")
    assert "verdict--stale" in summary
    assert "proved" not in summary
    assert f"It was proved: {ledgers.CHANGED}." in inside


def _claims(subject: Subject) -> list[str]:
    return _all(properties.page(subject)).split('<details class="claim"')


def test_what_is_refuted_comes_with_its_play(tmp_path: Path) -> None:
    text = TINY.replace("scope pocket", "invariant thrifty: all p in players: p.purse >= 1\n\nscope pocket")
    _keep(_subject(tmp_path, text), refuted="invariant thrifty")
    claim = next(c for c in _claims(_subject(tmp_path, text)) if 'id="claim-invariant-thrifty"' in c)
    assert "A play that breaks it" in claim
    assert "<strong>p0 spends 3</strong>" in claim
    assert "purse[p0] 3 -&gt; 0" in claim
    assert "example invariant_thrifty" in claim


# --- beside a rule -----------------------------------------------------------------------------------------


def test_beside_a_rule_stands_what_is_known_of_it(tmp_path: Path) -> None:
    subject = _subject(tmp_path)
    _keep(subject)
    shown = beside(subject, "spend")
    assert 'href="site:tiny/coverage/#rb-5">@rb(5)<' in shown
    assert "whoever is asked has a move" in shown
    assert f'href="{address.example("tiny", "spending")}"' in shown
    assert "3.0 times a game, in 100 %" in shown
    assert re.search(r"chosen: spend \d+ %, keep \d+ %", shown)
    assert address.picture("tiny", "spend") in shown


def test_a_rule_says_which_questions_it_leans_on(tmp_path: Path) -> None:
    subject = _subject(tmp_path)
    assert address.reading("tiny", "first") in beside(subject, "play")
    assert address.reading("tiny", "first") not in beside(subject, "spend")


def test_what_stands_beside_has_no_ids_and_unknown_rules_have_nothing(tmp_path: Path) -> None:
    subject = _subject(tmp_path)
    assert " id=" not in beside(subject, "play") + beside_property(subject, "thrift")
    assert beside(subject, "no_such_rule") == ""
    assert beside_property(subject, "no_such_property") == ""


def test_a_property_says_how_it_stands(tmp_path: Path) -> None:
    subject = _subject(tmp_path)
    _keep(subject)
    shown = beside_property(subject, "thrift")
    assert "verdict--proved" in shown
    assert "with 2 players" in shown
    assert "not verified</span> with 3 players" in shown
    assert address.claim("tiny", "invariant thrift") in shown


def test_a_badge_opens_the_play_against_a_property(tmp_path: Path) -> None:
    text = TINY.replace("scope pocket", "invariant thrifty: all p in players: p.purse >= 1\n\nscope pocket")
    _keep(_subject(tmp_path, text), refuted="invariant thrifty")
    shown = beside_property(_subject(tmp_path, text), "thrifty")
    assert "verdict--refuted" in shown.partition("</summary>")[0]
    assert "<strong>p0 spends 3</strong>" in shown.partition("</summary>")[2]


def test_a_badge_opens_the_facts_behind_a_proof(tmp_path: Path) -> None:
    subject = _subject(tmp_path)
    _keep(subject, facts=("share <= 3    # everywhere",))
    inside = beside_property(subject, "thrift").partition("</summary>")[2]
    assert "What the proof rests on, with 2 players" in inside
    assert "<code>share &lt;= 3</code>" in inside
    assert "everywhere" in inside


# --- examples and play-outs --------------------------------------------------------------------------------


def test_each_step_names_the_cells_that_it_changes(tmp_path: Path) -> None:
    shown = _all(examples.page(_subject(tmp_path)))
    steps = [json.loads(html.unescape(data)) for data in re.findall(r'data-cells="([^"]*)"', shown)]
    assert steps == [{}, {}, {"purse 1": "1", "points 1": "1"}]
    cells = set(re.findall(r'data-cell="([^"]*)"', shown))
    assert {"purse 0", "purse 1", "points 0", "points 1"} <= cells
    assert "{#example-spending}" in shown


def test_a_game_without_examples_has_no_such_page(tmp_path: Path) -> None:
    assert examples.page(_subject(tmp_path, TINY[: TINY.index("example spending")])) is None


def test_plots_say_what_they_show_and_have_a_table(tmp_path: Path) -> None:
    shown = _all(playouts.page(_subject(tmp_path)))
    plots = re.findall(r'<svg class="plot" role="img" aria-label="([^"]+)"', shown)
    figures = shown.split("<figure>")[1:]
    assert len(plots) == len(figures)
    assert all('<table class="numbers">' in figure for figure in figures)
    assert any(label.startswith("Games won by each seat: p0 ") for label in plots)
    assert " id=" not in shown


def test_random_play_is_said_to_be_random(tmp_path: Path) -> None:
    shown = _all(playouts.page(_subject(tmp_path)))
    assert "400 games, seeds 1 to 400: all came to an end." in shown
    assert "not how people play" in shown


# --- untrusted text ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("make_page", MAKERS)
def test_no_text_of_a_rulebook_becomes_a_tag(
    tmp_path: Path, make_page: Callable[[Subject], Page | None]
) -> None:
    subject = _evil(tmp_path)
    _keep(subject)
    shown = _all(make_page(subject))
    assert "onerror" in shown
    assert "<img" not in shown
    assert not re.search(r'="[^"]*<', shown)


def test_no_text_of_a_rulebook_becomes_a_tag_beside_a_rule(tmp_path: Path) -> None:
    subject = _evil(tmp_path)
    _keep(subject)
    shown = "".join(beside(subject, rule.base) for rule in subject.rulebook.rules)
    shown += beside_property(subject, "thrift")
    assert "onerror" in shown
    assert "<img" not in shown
