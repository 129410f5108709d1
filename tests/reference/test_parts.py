"""Components as data: values in words, numbers for each configuration, who sees what, what is assumed."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulespec import api
from rulespec.reference.amounts import Change, runs
from rulespec.reference.parts import Parts, parts
from rulespec.reference.values import TOGETHER, said

SMALL = Path(__file__).parents[1] / "games" / "small"


def _parts(game: str) -> Parts:
    book = api.open_rulebook(game)
    assert book.checked is not None
    assert book.checked.rulebook is not None
    return parts(book.checked.rulebook, book.checked.documents)


@pytest.fixture(scope="module")
def principe() -> Parts:
    return _parts("il_principe")


@pytest.fixture(scope="module")
def market() -> Parts:
    return _parts(str(SMALL / "market.rules"))


def test_cells_are_told_in_words(principe: Parts) -> None:
    city = next(sort for sort in principe.sorts if sort.name == "City")
    milan = next(entry for entry in city.entries if entry.name == "milan")
    told = [said(cell).replace(TOGETHER, " ") for cell in milan.cells]
    assert told == [
        "1 red, 2 blue, 1 yellow",
        "4 ducats",
        "6 points",
        "2",
        "the blue region, the green region",
    ]
    assert [(run.enum, run.member) for run in milan.cells[4] if run.member] == [
        ("Region", "blue_region"),
        ("Region", "green_region"),
    ]


def test_cells_of_every_kind() -> None:
    mix = _parts(str(SMALL / "mix.rules"))
    plan = next(sort for sort in mix.sorts if sort.name == "Plan")
    told = [[said(cell).replace(TOGETHER, " ") for cell in entry.cells] for entry in plan.entries]
    assert told == [
        ["red", "red: 1, green: 2, blue: 3", "2 red", "-2", "red"],
        ["green, blue", "red: 3, green: 3, blue: 3", "none", "3", "blue"],
    ]


def test_rows_are_printed_or_assumed_with_reason_and_limits(principe: Parts) -> None:
    city = next(sort for sort in principe.sorts if sort.name == "City")
    assumed = {entry.name: entry.assumed for entry in city.entries}
    assert assumed["milan"] is None
    florence = assumed["florence"]
    assert florence is not None
    assert florence.why.startswith("Florence is described")
    assert [limit.words for limit in florence.limits] == ["borders: from 1 to 3 in all"]
    verona = assumed["verona"]
    assert verona is not None
    assert "price: from 2 to 6 ducats" in [limit.words for limit in verona.limits]
    assert sum(why is not None for why in assumed.values()) == 14
    region = next(sort for sort in principe.sorts if sort.name == "Region")
    assert [entry.name for entry in region.entries if entry.assumed] == ["white_region", "purple_region"]


def test_totals_are_those_of_each_number_of_players(principe: Parts) -> None:
    pieces = {piece.name: piece for piece in principe.pieces}
    assert runs(pieces["Building"].total.usual) == [((2, 3, 4, 5), 100)]
    assert dict(pieces["Blazon"].total.usual) == {2: 24, 3: 36, 4: 48, 5: 60}
    income = next(param for param in principe.params if param.name == "income")
    assert runs(income.value.usual) == [((2,), 6), ((3, 4, 5), 5)]
    assert dict(income.value.changed)[Change("generous")] == ((2, 6), (3, 6), (4, 6), (5, 6))
    assert [given.where for given in income.given] == ["players = 2", "generous"]


def test_money_is_endless_only_where_the_readings_say_so(principe: Parts, market: Parts) -> None:
    ducat = principe.currencies[0]
    assert {value for _, value in ducat.supply.usual} == {None}
    assert dict(ducat.supply.changed)[Change("bank", "limited")][0] == (2, 73)
    coin = next(each for each in market.currencies if each.name == "coin")
    assert {value for _, value in coin.supply.usual} == {12}
    assert [change for change, _ in coin.supply.changed] == [Change("bank", "endless")]


def test_who_sees_what(principe: Parts) -> None:
    places = {place.name: place for place in principe.places}
    assert (places["pile"].sight, places["pile"].counted, places["pile"].per_player) == (
        "hidden",
        True,
        False,
    )
    assert (places["hand"].sight, places["hand"].counted, places["hand"].per_player) == (
        "private",
        True,
        True,
    )
    purse = places["purse"]
    assert (purse.sight, purse.counted, purse.unless) == ("private", False, "money_shown")
    assert (places["row"].sight, places["row"].counted) == ("open", False)
    assert (places["pile"].starts, places["box"].starts, places["bank"].starts) == (
        "all of them",
        "empty",
        "all of it",
    )


def test_boards_have_their_squares() -> None:
    cups = _parts(str(SMALL / "cups.rules"))
    square = next(board for board in cups.boards if board.name == "Square")
    assert (square.columns, square.rows) == (3, 2)
    assert square.squares == ("a1", "b1", "c1", "a2", "b2", "c2")
    assert "Square" not in [sort.name for sort in cups.sorts]
