"""All of the sources of the bundled games is accounted for, and the sources are as they were indexed.

The sources are others' texts and not in this repository. They are looked for in the folders that
`RULESPEC_SOURCES` names, else in the folder `shared` beside the repository; those of the classic games are
files of OpenSpiel, and come with it. Where a source is not, its test says that it did not run.
"""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from rulespec import api
from rulespec.coverage import accounts, given, report

# Of each game where its sources are: in a folder of sources, or (`open_spiel/...`) in OpenSpiel.
FILES = {
    ("il_principe", "rb"): "rulebooks/il-principe.txt",
    ("il_principe", "data"): "data/il-principe.md",
    **{
        (name, "os"): f"open_spiel/games/{name}/{name}.h"
        for name in (
            "breakthrough",
            "connect_four",
            "first_sealed_auction",
            "goofspiel",
            "kuhn_poker",
            "leduc_poker",
            "liars_dice",
            "tic_tac_toe",
        )
    },
}


def folders() -> Iterator[Path]:
    """Where sources may be."""
    named = os.environ.get("RULESPEC_SOURCES")
    if named:
        yield from map(Path, named.split(os.pathsep))
    else:
        yield Path(__file__).parents[3] / "shared"
    spiel = importlib.util.find_spec("open_spiel")
    if spiel is not None and spiel.origin is not None:
        yield Path(spiel.origin).parents[1]


def test_every_source_of_every_game_is_known_here() -> None:
    declared = {
        (name, source.name) for name in api.games() for source in accounts.of(api.open_rulebook(name)).sources
    }

    assert declared == set(FILES)


@pytest.mark.parametrize("game", api.games())
def test_every_paragraph_is_accounted_for_by_the_index(game: str) -> None:
    coverage = accounts.of(api.open_rulebook(game))

    assert list(report.lines(coverage, coverage, {}, updated=False))
    assert [(s.name, report.span(one.paragraph)) for s in coverage.sources for one in s.open] == []
    assert coverage.good


@pytest.mark.parametrize(("game", "name"), FILES)
def test_the_source_is_as_it_was_indexed(game: str, name: str) -> None:
    file = FILES[game, name]
    there = [folder / file for folder in folders() if (folder / file).is_file()]
    if not there:
        pytest.skip(
            f"`{file}` is not here: it was not held against the index of {game} (see RULESPEC_SOURCES)"
        )
    coverage = accounts.of(api.open_rulebook(game))
    found = given.sources([f"{name}={there[0]}"], coverage)

    assert found[name].changes is not None
    assert not found[name].changes
    (source,) = (source for source in coverage.sources if source.name == name)
    assert source.indexed == found[name].now
