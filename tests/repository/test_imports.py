"""Which folder may import which, and what the compiler may not do at all."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

# What ruff's banned-api cannot see: these need no import.
IMPURE = {"open", "input", "print", "exec", "eval", "compile", "breakpoint", "__import__"}


def test_import_directions_hold(root: Path) -> None:
    command = Path(sys.executable).with_name("lint-imports")

    done = subprocess.run([command, "--no-cache"], cwd=root, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stdout + done.stderr


def test_compiler_is_pure(root: Path, code_files: list[Path]) -> None:
    compiler = root / "compiler"

    impure = [
        f"{path.relative_to(root)}:{line}"
        for path in code_files
        if path.is_relative_to(compiler) and path != compiler / "front_door.py"
        for line in _impure_calls(path.read_text())
    ]

    assert impure == []


@pytest.mark.parametrize(
    ("code", "lines"),
    [("x = 1\nopen('a')", [2]), ("def f():\n    print(1)", [2]), ("a.open()", []), ("re.compile('a')", [])],
)
def test_impure_calls_are_seen(code: str, lines: list[int]) -> None:
    assert _impure_calls(code) == lines


def _impure_calls(code: str) -> list[int]:
    return [
        node.lineno
        for node in ast.walk(ast.parse(code))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in IMPURE
    ]
