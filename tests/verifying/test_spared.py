"""Where the lock file has it all, nothing is loaded that takes long to load."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from clicalls import write
from tiny import TINY

CALL = """
import sys
from rulespec.cli.guard import run
from rulespec.cli.main import app
status = run(app, ["verify", sys.argv[1], "--players", "2", "--no-scopes", "--jobs", "1"])
print(int(status), sorted(sys.modules.keys() & {"z3", "lark", "hypothesis", "rulespec.compiler.typed.tree"}))
"""


@pytest.mark.slow
def test_neither_solver_nor_compiler_is_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULESPEC_CACHE", str(tmp_path / "cache"))
    path = write(tmp_path / "tiny.rules", TINY)

    said = [
        subprocess.run([sys.executable, "-c", CALL, str(path)], capture_output=True, text=True, timeout=300)
        for _ in range(2)
    ]
    assert [each.returncode for each in said] == [0, 0], said[0].stderr
    assert said[1].stdout.splitlines()[-1] == "0 []"
