"""A small game with secret answers, private cards and private money, and a person who types."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from rulespec import api
from rulespec.cli.guard import run
from rulespec.cli.main import app
from rulespec.compiler.core.tree import Core

DUEL = Path(__file__).with_name("games") / "duel.rules"


@pytest.fixture(scope="session", autouse=True)
def _cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """One cache for these tests, so that the small games are compiled once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RULESPEC_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="session")
def duel() -> str:
    """The path of the small game."""
    return str(DUEL)


@pytest.fixture(scope="session")
def duel_core(_cache: None) -> Core:
    """The small game for two players."""
    book = api.open_rulebook(DUEL)
    return book.core(book.configuration(players=2))


@dataclass(frozen=True)
class Said:
    """What a command printed, and its exit status."""

    status: int
    out: str
    err: str


Typing = Callable[..., Said]


@pytest.fixture
def rulespec(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Typing:
    """Run a command line, with lines typed if there are any."""

    def call(*args: object, typed: str = "") -> Said:
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        capsys.readouterr()
        status = run(app, list(map(str, args)))
        captured = capsys.readouterr()
        return Said(status, captured.out, captured.err)

    return call
