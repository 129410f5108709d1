"""Verdicts as plain data: whatever fields they have are there again when they are read."""

from __future__ import annotations

import dataclasses
import json
import types
from typing import Any, Union, get_args, get_origin, get_type_hints

import pytest
from samples import sample

from rulespec.proofs.claims import Claim
from rulespec.proofs.saved import from_data, to_data
from rulespec.proofs.verdicts import Other, Play, Step, Verdict

CORE = sample("duel")
CLAIM = Claim("bound total", "bound", "A ceiling")


def _other(hint: Any) -> Any:
    """A value of a type that is not the usual one of any field."""
    origin, parts = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return _other(next(part for part in parts if part is not type(None)))
    if origin is tuple:
        kinds = parts[:1] * 2 if parts[-1] is Ellipsis else parts
        return tuple(_other(kind) for kind in kinds)
    if dataclasses.is_dataclass(hint):
        return hint(**{name: _other(each) for name, each in get_type_hints(hint).items()})  # type: ignore[operator]
    return {bool: True, int: 7, str: "seven", float: 0.125}[hint]


def _full() -> Verdict:
    """With every field set that a verdict has, or comes to have."""
    hints = get_type_hints(Verdict)
    hints.pop("origin")
    play = dataclasses.replace(_other(Play), steps=(Step(-1, (3, 1), "", ""), Step(-1, (2,), "", "")))
    other = Other(-1, (Step(-1, (1,), "", ""),), (), (), ())
    place = CORE.configuration
    return dataclasses.replace(
        Verdict(**{name: _other(hint) for name, hint in hints.items()}),
        game=place.game,
        players=place.players,
        variants=place.variants,
        readings=place.readings,
        property=CLAIM.name,
        title=CLAIM.title,
        scope="small",
        locked="",
        play=dataclasses.replace(play, conjunct="", example="", other=other),
    )


def test_every_field_is_there_again() -> None:
    before = _full()

    text = json.dumps(to_data(before))
    assert from_data(json.loads(text), CORE.configuration, CLAIM, "small") == before


def test_what_is_as_usual_takes_no_room() -> None:
    plain = Verdict("duel", 2, "bound total", "bound", "proved", "induction", 0.25)

    assert to_data(plain) == {
        "kind": "bound",
        "verdict": "proved",
        "method": "induction",
        "seconds": 0.25,
    }


@pytest.mark.parametrize(
    "change",
    [
        {"verdict": 3},
        {"count": "many"},
        {"count": True},
        {"later": "a field of a later version"},
        {"play": []},
        {"play": {"moves": [["first"]]}},
        {"play": {"shortest": True}},
    ],
)
def test_what_is_no_verdict_is_refused(change: dict[str, Any]) -> None:
    data = to_data(_full()) | change

    with pytest.raises(ValueError, match="this is no verdict"):
        from_data(data, CORE.configuration, CLAIM, "")
