"""The repository's own files, as these tests see them."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CODE = ("rulespec", "compiler", "engine", "proofs")
NOT_OURS = {
    ".git", ".venv", ".hypothesis", ".mypy_cache", ".pytest_cache", ".ruff_cache", ".import_linter_cache",
    "__pycache__", "build", "dist",
}  # fmt: skip
BUILT = ROOT / "site"  # where `rulespec docs build` puts a site; `rulespec/site` is ours


def files_below(folder: Path) -> list[Path]:
    """Every file of the repository below a folder; links are not followed."""
    found: list[Path] = []
    for path in sorted(folder.iterdir()):
        if path.is_symlink() or path.name in NOT_OURS or path.name.endswith(".egg-info") or path == BUILT:
            continue
        found += files_below(path) if path.is_dir() else [path]
    return found


@pytest.fixture(scope="session")
def root() -> Path:
    """The top folder of the repository."""
    return ROOT


@pytest.fixture(scope="session")
def repository_files() -> list[Path]:
    """Every file of the repository."""
    return files_below(ROOT)


@pytest.fixture(scope="session")
def code_files() -> list[Path]:
    """Every Python file of the four code folders."""
    return [path for folder in CODE for path in files_below(ROOT / folder) if path.suffix == ".py"]
