"""The stages that look at the text alone: errors and warnings, layout, and examples."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulespec import examples, examples_told, formatting
from rulespec.ci.finding import Finding, Opened
from rulespec.ci.stage import Told, Work
from rulespec.collection import no_collection
from rulespec.compiler.render import render

DIFF_LINES = 40  # of one file that are shown


def counted(number: int, thing: str) -> str:
    """`1 rule`, `2,000 rules`."""
    return f"{number:,} {thing}{'s' * (number != 1)}"


def check(books: Sequence[Opened], work: Work) -> Told:
    """Everything that is wrong with the text, and with the game for each number of players."""
    found: list[Finding] = []
    for opened in books:
        work.tell(f"checking {opened.name}")
        with no_collection():
            found += told_by_compiler(opened, work)
    errors = sum(each.level == "error" for each in found)
    told = [
        counted(number, what)
        for number, what in ((errors, "error"), (len(found) - errors, "warning"))
        if number
    ]
    return Told(", ".join(told) or f"{counted(len(books), 'rulebook')} without a mistake", tuple(found))


def told_by_compiler(opened: Opened, work: Work) -> Iterator[Finding]:
    """All diagnostics of a rulebook as findings."""
    for each in opened.book.all_diagnostics:
        shown = render([each], opened.book.sources, work.color).rstrip("\n")
        yield opened.found(each, shown)


def layout(books: Sequence[Opened], work: Work) -> Told:
    """Whether the rulebooks and their own modules are as `rulespec fmt` writes them."""
    found: list[Finding] = []
    looked: set[str] = set()
    for opened in books:
        if opened.book.path is None:
            found += told_by_compiler(opened, work)
        for file, text in opened.files.items():
            if file not in looked:
                looked.add(file)
                work.tell(f"looking at the layout of {file}")
                found += _layout(opened, file, text, work)
    wrong = len({each.span.file for each in found if each.rule == "layout"})
    unread = len({each.span.file for each in found if each.rule != "layout"})
    told = [f"{wrong} of {counted(len(looked), 'file')} not in the one layout"] if wrong else []
    told += [f"{counted(unread, 'file')} cannot be read"] if unread else []
    return Told(", ".join(told) or f"{counted(len(looked), 'file')} in the one layout", tuple(found))


def _layout(opened: Opened, file: str, text: str, work: Work) -> Iterator[Finding]:
    from rulespec.compiler.spans import Span

    laid = formatting.lay_out(text, file)
    for each in laid.diagnostics:
        yield opened.found(each, render([each], opened.book.sources, work.color).rstrip("\n"))
    if laid.changed:
        line = laid.first_change
        columns = len(text.split("\n")[line - 1]) + 1
        message = f"`{file}` is not in the one layout; `rulespec fmt {file}` puts it there"
        lines = list(formatting.difference(laid.before, laid.after, file))
        more = (
            [f"... and {counted(len(lines) - DIFF_LINES, 'more line')}\n"] if len(lines) > DIFF_LINES else []
        )
        shown = f"{message}\n{''.join([*lines[:DIFF_LINES], *more])}".rstrip("\n")
        yield opened.finding("layout", "error", message, Span(file, line, 1, line, columns), shown)


def run_examples(books: Sequence[Opened], work: Work) -> Told:
    """Every example of every rulebook."""
    found: list[Finding] = []
    failed = number = 0
    untried = []
    for opened in books:
        collection = examples.own(opened.book)
        if collection.rulebook is None:
            untried.append(opened.name)
            found += told_by_compiler(opened, work)
            continue
        for example in collection.examples:
            number += 1
            work.tell(f"{opened.name}: example {example.name}")
            ran = examples.run(collection.rulebook, example)
            failed += not ran.passed
            found += _of_example(opened, ran, work)
    told = [f"{failed} of {counted(number, 'example')} failed"] if failed else []
    told += [] if failed or not number else [f"{counted(number, 'example')} hold{'s' * (number == 1)}"]
    told += ["there are no examples"] if not number and not untried else []
    return Told("; ".join([*told, *not_tried(untried)]), tuple(found), failed=bool(untried))


def _of_example(opened: Opened, ran: examples.Ran, work: Work) -> Iterator[Finding]:
    if ran.passed:
        return
    sources = opened.book.sources
    paragraphs = list(examples_told.paragraphs(ran, sources, color=work.color))
    for number, each in enumerate(examples_told.findings(ran)):
        yield opened.found(each, "\n".join(paragraphs).rstrip("\n") if number == 0 else "")


def not_tried(names: Sequence[str]) -> list[str]:
    """What to say of rulebooks whose errors leave nothing to try."""
    return [f"not tried, because of errors: {', '.join(names)}"] if names else []
