"""The command line as a person calls it: a small game with secrets to play, and somebody who types."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from clicalls import Cli, Said
from here import Here

from rulespec import api
from rulespec.cli.guard import run
from rulespec.cli.main import app
from rulespec.compiler.core.tree import Core
from rulespec.verifying import processes

DUEL = Path(__file__).with_name("games") / "duel.rules"


@pytest.fixture(scope="session")
def kept_results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the cache that all tests of a process share, so that each game is compiled once."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="session", autouse=True)
def _cache(kept_results: Path) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RULESPEC_CACHE", str(kept_results))
        yield


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Cli:
    """Runs `rulespec` with these arguments, and what is typed into it."""

    def call(*args: object, typed: str | bytes = "") -> Said:
        data = typed.encode() if isinstance(typed, str) else typed
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"))
        capsys.readouterr()
        status = run(app, [str(arg) for arg in args])
        captured = capsys.readouterr()
        assert "Traceback" not in captured.err
        return Said(int(status), captured.out, captured.err)

    return call


@pytest.fixture(scope="session")
def duel() -> str:
    """The path of the small game."""
    return str(DUEL)


@pytest.fixture(scope="session")
def duel_core(_cache: None) -> Core:
    """The small game for two players."""
    book = api.open_rulebook(DUEL)
    return book.core(book.configuration(players=2))


@pytest.fixture
def in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """The work is done without other processes, which would take a second each time."""
    monkeypatch.setattr(processes, "Workers", Here)
