"""What the compiler says about a text: facts only. `render` turns them into lines, the CLI prints them."""

from __future__ import annotations

from enum import Enum

from rulespec.compiler.spans import Span
from rulespec.compiler.values import dataclass


class Severity(Enum):
    """Whether rules with such a finding can be used: an error says no."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class Label:
    """A place involved, and what it has to do with the matter ("" for the main place)."""

    span: Span
    text: str = ""


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding. `message` is one sentence, no capital, no full stop, the user's text in backticks."""

    code: str  # "R0123", listed in `codes.REGISTRY`
    message: str
    span: Span
    labels: tuple[Label, ...] = ()
    help: tuple[str, ...] = ()
    severity: Severity = Severity.ERROR
    breadcrumb: tuple[str, ...] = ()  # headings of the rulebook above the place, outermost first


@dataclass(frozen=True, slots=True)
class Code:
    """A kind of mistake: what `rulespec explain CODE` shows.

    Stages list theirs; all are in `codes.REGISTRY`.
    """

    code: str  # "R0123"
    title: str  # a few words, no full stop
    what: str  # what was found
    why: str  # why that is a mistake
    example_bad: str  # rules text that has it
    example_good: str  # the same, put right
