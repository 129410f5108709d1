"""The lock: names, versions and hashes; complete, and nothing more."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import NormalizedName, canonicalize_name


@pytest.fixture(scope="module")
def lock_text(root: Path) -> str:
    return (root / "requirements.lock").read_text()


@pytest.fixture(scope="module")
def locked(lock_text: str) -> list[Requirement]:
    return [Requirement(line) for line in _entries(lock_text)]


@pytest.fixture(scope="module")
def declared(root: Path) -> list[Requirement]:
    pyproject = tomllib.loads((root / "pyproject.toml").read_text())
    extras = pyproject["project"]["optional-dependencies"].values()
    lines = [
        *pyproject["build-system"]["requires"],
        *pyproject["project"]["dependencies"],
        *(line for extra in extras for line in extra),
    ]
    return [Requirement(line) for line in lines]


def test_lock_has_no_address(lock_text: str) -> None:
    assert "://" not in lock_text
    assert not re.search(r"^\s*-(?!-hash=sha256:[0-9a-f]{64}\b)", lock_text, re.MULTILINE)
    assert not re.search(r"\b(index|find-links|localhost)\b|@", lock_text)


def test_every_locked_package_has_a_version_and_a_hash(lock_text: str, locked: list[Requirement]) -> None:
    assert locked
    for requirement in locked:
        assert re.fullmatch(r"==[^,*]+", str(requirement.specifier)), requirement
    for entry in re.split(r"\n(?=\S)", lock_text):
        assert entry.startswith("#") or "--hash=sha256:" in entry, entry


def test_lock_satisfies_every_declared_requirement(
    locked: list[Requirement], declared: list[Requirement]
) -> None:
    versions = _versions_here(locked)

    unmet = [
        str(requirement)
        for requirement in declared
        if not requirement.specifier.contains(versions.get(canonicalize_name(requirement.name), "0"))
    ]

    assert unmet == []


def test_lock_holds_what_is_needed_and_no_more(
    locked: list[Requirement], declared: list[Requirement]
) -> None:
    needed: set[NormalizedName] = set()
    waiting = list(declared)
    while waiting:
        requirement = waiting.pop()
        name = canonicalize_name(requirement.name)
        if name not in needed:
            needed.add(name)
            waiting += _requirements_of(name)

    assert set(_versions_here(locked)) == needed


def _entries(text: str) -> Iterator[str]:
    for line in text.splitlines():
        if line and not line.startswith((" ", "#")):
            yield line.removesuffix("\\").strip()


def _versions_here(locked: list[Requirement]) -> dict[NormalizedName, str]:
    return {
        canonicalize_name(requirement.name): str(requirement.specifier).removeprefix("==")
        for requirement in locked
        if requirement.marker is None or requirement.marker.evaluate()
    }


def _requirements_of(name: str) -> list[Requirement]:
    found = [Requirement(line) for line in metadata.requires(name) or []]
    return [one for one in found if one.marker is None or one.marker.evaluate({"extra": ""})]
