"""Warnings for what is defined and never used. Modules are for others to use, so they get none."""

from __future__ import annotations

from rulespec.compiler.surface import tree as s
from rulespec.compiler.typed.scope import Book

CODES = {"rule": "R0491", "function": "R0492", "param": "R0493"}
STARTING = ("setup", "play")


def warn_unused(book: Book, document: s.Document) -> None:
    for e in document.declarations:
        match e:
            case s.Rule() | s.Function() | s.Param():
                word = type(e).__name__.lower()
                if e.name.text not in book.used and not (word == "rule" and e.name.text in STARTING):
                    text = f"the {word} `{e.name.text}` is never used"
                    book.report.warning(CODES[word], text, e.name.span, help=("use it or remove it",))
            case s.Reading() if len(e.meanings) > 1 and f"reading {e.name.text}" not in book.used:
                text = f"the reading `{e.name.text}` is never asked for, so its meanings do not differ"
                advice = f"ask `reading {e.name.text} is {e.meanings[0].name.text}` where it matters"
                book.report.warning("R0494", text, e.name.span, help=(advice,))
