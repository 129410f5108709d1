"""Il Principe: disputes at the table, each an example from outside that says how the source settles it."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulespec import api, examples

DISPUTES = Path(__file__).with_name("il_principe_disputes.rules")


@pytest.mark.slow
def test_each_dispute_goes_as_the_source_has_it() -> None:
    collection = examples.outside(api.open_rulebook("il_principe"), str(DISPUTES))
    assert collection.diagnostics == ()
    assert collection.rulebook is not None
    assert len(collection.examples) >= 65
    for example in collection.examples:
        ran = examples.run(collection.rulebook, example)
        assert ran.passed, f"{example.name}: {ran.result} {ran.diagnostics}"
