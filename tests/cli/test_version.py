"""`rulespec version`."""

from __future__ import annotations

import json
import platform
from importlib import metadata

import pytest

from rulespec.cli.guard import run
from rulespec.cli.main import app


def test_a_person_reads_rulespec_first(capsys: pytest.CaptureFixture[str]) -> None:
    run(app, ["version"])

    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["rulespec", metadata.version("rulespec")]
    assert ["z3-solver", metadata.version("z3-solver")] in [line.split() for line in lines]


def test_a_program_reads_an_object(capsys: pytest.CaptureFixture[str]) -> None:
    run(app, ["version", "--json"])

    found = json.loads(capsys.readouterr().out)
    assert found["python"] == platform.python_version()
    assert set(found) == {"python", "rulespec", "lark", "z3-solver", "hypothesis"}
