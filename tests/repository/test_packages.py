"""The package list, which is kept by hand, and the links, which builds do not read."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest


def test_every_package_on_disk_is_listed_and_no_other(root: Path, code_files: list[Path]) -> None:
    on_disk = {_package_name(path.parent.relative_to(root)) for path in code_files}

    pyproject = tomllib.loads((root / "pyproject.toml").read_text())

    assert sorted(pyproject["tool"]["setuptools"]["packages"]) == sorted({*on_disk, "rulespec.handbook"})


def test_every_package_says_what_it_is(code_files: list[Path]) -> None:
    folders = {path.parent for path in code_files}

    silent = [
        folder
        for folder in folders
        if not (folder / "__init__.py").exists() or '"""' not in (folder / "__init__.py").read_text()
    ]

    assert silent == []


@pytest.mark.parametrize(
    ("name", "folder"),
    [("compiler", "compiler"), ("engine", "engine"), ("proofs", "proofs"), ("handbook", "docs")],
)
def test_folders_are_linked_into_the_package(root: Path, name: str, folder: str) -> None:
    link = root / "rulespec" / name

    assert link.is_symlink()
    assert link.readlink() == Path("..") / folder


def _package_name(folder: Path) -> str:
    name = ".".join(folder.parts)
    return name if folder.parts[0] == "rulespec" else f"rulespec.{name}"
