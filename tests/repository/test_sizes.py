"""Files and functions stay short enough to be read in one go."""

from __future__ import annotations

import ast
from pathlib import Path

FILE_LINES = 600
FUNCTION_LINES = 60


def test_no_file_is_long(root: Path, code_files: list[Path]) -> None:
    lengths = {str(path.relative_to(root)): len(path.read_text().splitlines()) for path in code_files}

    assert {name: lines for name, lines in lengths.items() if lines > FILE_LINES} == {}


def test_no_function_is_long(root: Path, code_files: list[Path]) -> None:
    long = {
        f"{path.relative_to(root)}:{node.lineno} {node.name}": _lines(node)
        for path in code_files
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and _lines(node) > FUNCTION_LINES
    }

    assert long == {}


def _lines(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    assert node.end_lineno is not None
    return node.end_lineno - node.lineno + 1
