"""The grammar is LALR(1) without conflicts, and the tables beside it are its own."""

from __future__ import annotations

import logging
from pathlib import Path

import lark
import pytest
from golden import Golden

from rulespec.compiler.spans import NOWHERE
from rulespec.compiler.surface import build, grammar, keywords, trouble
from rulespec.compiler.surface.parser import Parser
from rulespec.compiler.surface.tree import Name

SURFACE = Path(grammar.__file__).parent


@pytest.fixture(scope="module")
def made() -> tuple[grammar.Tables, str]:
    """The tables, made afresh, and what Lark says of conflicts while it makes them."""
    said: list[str] = []
    handler = logging.Handler()
    handler.emit = lambda record: said.append(record.getMessage())  # type: ignore[method-assign]
    lark.logger.addHandler(handler)
    level = lark.logger.level
    lark.logger.setLevel(logging.DEBUG)
    try:
        tables = grammar.build((SURFACE / "rules.lark").read_text("utf-8"), debug=True)
    finally:
        lark.logger.removeHandler(handler)
        lark.logger.setLevel(level)
    return tables, "\n".join(said)


def test_no_two_ways_to_read_a_text(made: tuple[grammar.Tables, str]) -> None:
    assert "conflict" not in made[1].lower()


def test_lark_is_heard_when_there_is_a_conflict(caplog: pytest.LogCaptureFixture) -> None:
    level = lark.logger.level
    lark.logger.setLevel(logging.DEBUG)
    try:
        with caplog.at_level(logging.DEBUG, logger=lark.logger.name):
            lark.logger.addHandler(caplog.handler)
            grammar.build('declaration: "a" declaration? declaration? "b"?', debug=True)
    finally:
        lark.logger.removeHandler(caplog.handler)
        lark.logger.setLevel(level)

    assert "conflict" in caplog.text.lower()


def test_kept_tables_are_those_of_the_grammar(made: tuple[grammar.Tables, str], golden: Golden) -> None:
    golden.check(SURFACE / "rules.json", grammar.dumps(made[0]))


def test_tables_are_read_as_they_were_written(made: tuple[grammar.Tables, str]) -> None:
    assert grammar.loads(grammar.dumps(made[0])) == made[0]


def test_every_rule_has_a_function_and_every_function_a_rule() -> None:
    tables = grammar.tables()
    wanted = {rule.action for rule in tables.rules if not (rule.plain and rule.size == 1)}

    assert wanted - set(build.ACTIONS) == set()
    assert set(build.ACTIONS) - {rule.action for rule in tables.rules} == set()


def test_reserved_words_are_words_of_the_grammar() -> None:
    known = {word for row in grammar.tables().actions for kind in row for word in kind.split()}

    assert keywords.RESERVED - known == set()


def test_values_begin_as_the_grammar_says() -> None:
    parser = Parser(grammar.tables(), build.ACTIONS)
    for kind in ("param", "NAME", ":", "NAME", "="):
        assert parser.feed(kind, Name("x", NOWHERE) if kind == "NAME" else kind, NOWHERE)

    assert parser.expected() == trouble.VALUES


def test_declarations_begin_with_words() -> None:
    assert {"game", "rule", "example"} <= trouble.openings()
    assert all(word.isalpha() for word in trouble.openings())
