"""The stages there are, in their order."""

from __future__ import annotations

from collections.abc import Sequence

from rulespec.ci.finding import Opened
from rulespec.ci.stage import Stage, Told, Work


def _check(books: Sequence[Opened], work: Work) -> Told:
    from rulespec.ci import texts

    return texts.check(books, work)


def _layout(books: Sequence[Opened], work: Work) -> Told:
    from rulespec.ci import texts

    return texts.layout(books, work)


def _examples(books: Sequence[Opened], work: Work) -> Told:
    from rulespec.ci import texts

    return texts.run_examples(books, work)


def _verdicts(books: Sequence[Opened], work: Work) -> Told:
    from rulespec.ci import verdicts

    return verdicts.locked(books, work)


def _coverage(books: Sequence[Opened], work: Work) -> Told:
    from rulespec.ci import sources

    return sources.covered(books, work)


def _site(books: Sequence[Opened], work: Work) -> Told:
    from rulespec.ci import publishing

    return publishing.built(books, work)


STAGES: tuple[Stage, ...] = (
    Stage("check", _check),
    Stage("format", _layout),
    Stage("examples", _examples),
    Stage("verdicts", _verdicts),
    Stage("coverage", _coverage),
    Stage("site", _site),
)
