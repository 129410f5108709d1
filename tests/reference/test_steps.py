"""Examples told step by step: what each step is, by which rule, and what it changes."""

from __future__ import annotations

from pathlib import Path

import pytest
from clicalls import write
from tiny import TINY, changed

from rulespec import api
from rulespec.reference import steps
from rulespec.reference.steps import ACT, BEGIN, REFUSED, Told


def _told(folder: Path, text: str = TINY) -> Told:
    book = api.open_rulebook(write(folder / "tiny.rules", text))
    checked = book.checked
    assert checked is not None
    assert checked.rulebook is not None
    (told,) = steps.told(checked.rulebook, book.sources, book.rules_hash)
    return told


def test_each_step_says_what_it_is_and_what_it_changes(tmp_path: Path) -> None:
    told = _told(tmp_path)
    assert [(step.kind, step.text, step.rule) for step in told.steps] == [
        (BEGIN, "", "spend"),
        (REFUSED, "p1 cannot spend 4", "spend"),
        (ACT, "p1 spends 2", "spend"),
    ]
    assert told.steps[2].changes == "bank +2; p1: purse 3 → 1, points 0 → 1"
    assert told.steps[2].citation == "@rb(5)"
    assert told.rules == ("spend",)
    assert told.wrong == ""


def test_positions_are_before_and_after_each_step(tmp_path: Path) -> None:
    told = _told(tmp_path)
    assert told.given.rows["purse"] == ("0", "3")
    assert told.steps[1].after == told.given
    assert told.steps[2].after.rows["purse"] == ("0", "1")
    assert told.titles["purse"] == "coins"


def test_conditions_come_with_their_values(tmp_path: Path) -> None:
    told = _told(tmp_path)
    assert [(check.text, check.values, check.holds) for check in told.checks] == [
        ("p1.points = 1", ("points[p1] is 1",), True),
        ("p1.purse = 1", ("purse[p1] is 1",), True),
    ]


def test_an_example_that_fails_says_where(tmp_path: Path) -> None:
    told = _told(tmp_path, changed("        p1.purse = 1\n", "        p1.purse = 2\n"))
    assert "does not hold" in told.wrong
    assert [check.holds for check in told.checks] == [True, False]


def test_an_example_that_breaks_off_says_nothing_of_its_end(tmp_path: Path) -> None:
    told = _told(tmp_path, changed("        p1 spend 2\n", "        p0 keep\n"))
    assert told.wrong
    assert [step.kind for step in told.steps] == [BEGIN, REFUSED]
    assert [check.holds for check in told.checks] == [None, None]


def test_what_is_kept_is_what_was_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULESPEC_CACHE", str(tmp_path / "cache"))
    first = _told(tmp_path)
    monkeypatch.setattr(steps, "_one", None)
    assert _told(tmp_path) == first


def test_examples_are_found_by_the_rules_that_they_exercise() -> None:
    book = api.open_rulebook("tic_tac_toe")
    assert book.checked is not None
    assert book.checked.rulebook is not None
    told = steps.told(book.checked.rulebook, book.sources, book.rules_hash)
    by_rule = steps.exercised(told)
    assert set(by_rule["play"]) <= {each.name for each in told}
    assert by_rule["play"]
