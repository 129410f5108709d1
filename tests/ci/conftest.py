"""Rulebooks as tests of pytest, and the parts of `rulespec ci`."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator

import pytest
from here import Here

import rulespec
from rulespec.verifying import processes

PARTS = ("compiler", "engine", "proofs", "verifying", "pytest_plugin", "examples", "agreement", "formatting")


@pytest.fixture(scope="session")
def all_modules() -> None:
    """All of ours that is imported late: a test of pytest inside pytest forgets what it has imported, and a
    module imported twice is two."""
    for found in pkgutil.walk_packages(rulespec.__path__, "rulespec.", onerror=lambda name: None):
        if found.name.startswith(tuple(f"rulespec.{part}" for part in PARTS)):
            importlib.import_module(found.name)


@pytest.fixture(scope="session", autouse=True)
def _cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RULESPEC_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture
def in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Proofs are made without other processes, which would take a second each time."""
    monkeypatch.setattr(processes, "Workers", Here)
