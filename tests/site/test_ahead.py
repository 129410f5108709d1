"""A second process makes what takes longest meanwhile, and nothing depends on it."""

from __future__ import annotations

import multiprocessing
import time
from pathlib import Path

import pytest
from clicalls import write
from tiny import TINY

from rulespec.site import ahead

PATIENCE = 120  # seconds, on a machine that is busy with other things


def test_what_it_finds_out_is_kept_for_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = tmp_path / "cache"
    monkeypatch.setenv("RULESPEC_CACHE", str(kept))
    book = write(tmp_path / "tiny.rules", TINY)

    with ahead.working([str(book)]):
        until = time.monotonic() + PATIENCE
        while not list(kept.rglob("playouts-*")) and time.monotonic() < until:
            time.sleep(0.05)

    assert list(kept.rglob("playouts-*"))
    assert multiprocessing.active_children() == []


def test_it_does_not_mind_a_game_that_is_not_there(capfd: pytest.CaptureFixture[str]) -> None:
    with ahead.working(["nowhere.rules"]):
        process = multiprocessing.active_children()[0]
        process.join(PATIENCE)

    assert process.exitcode == 0
    assert capfd.readouterr().err == ""
