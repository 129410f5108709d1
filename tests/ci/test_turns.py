"""Processes take turns, so that the second finds done what the first did."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from rulespec import turns

pytestmark = pytest.mark.skipif(find_spec("fcntl") is None, reason="there are no such locks on this system")

# Says that it is inside, and stays there until it is told to go on.
HOLD = """
from rulespec.turns import turn
with turn("work", "here"):
    print("inside", flush=True)
    input()
"""
WAIT = """
from rulespec.turns import turn
print("asking", flush=True)
with turn("work", "{key}"):
    print("inside", flush=True)
"""


def _started(code: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> subprocess.Popen[str]:
    monkeypatch.setenv("RULESPEC_CACHE", str(folder))
    return subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )


@pytest.mark.parametrize("ends", ["well", "killed"])
def test_the_second_waits_until_the_first_ends_however_it_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ends: str
) -> None:
    with _started(HOLD, tmp_path, monkeypatch) as first:
        assert first.stdout is not None
        assert first.stdout.readline() == "inside\n"
        with _started(WAIT.format(key="elsewhere"), tmp_path, monkeypatch) as other:
            assert other.communicate()[0] == "asking\ninside\n"
        with _started(WAIT.format(key="here"), tmp_path, monkeypatch) as second:
            assert second.stdout is not None
            assert second.stdout.readline() == "asking\n"
            with pytest.raises(subprocess.TimeoutExpired):
                second.wait(0.3)
            if ends == "well":
                first.communicate("\n")
            else:
                first.kill()
            assert second.stdout.readline() == "inside\n"


def test_without_a_folder_for_it_nobody_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULESPEC_CACHE", "off")

    with turns.turn("work"), turns.turn("work"):
        inside = True
    assert inside
