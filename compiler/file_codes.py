"""Diagnostic codes R00xx: what keeps a file from being read. The compiler reads none; whoever does uses
these."""

from __future__ import annotations

from rulespec.compiler.diagnostics import Code

FILES: tuple[Code, ...] = (
    Code(
        "R0001",
        "no such rulebook",
        "the file that was asked for, or that `use` names, is not there",
        "nothing can be checked or played without its text; most often a name is misspelled",
        'use "aucton"',
        'use "auction"',
    ),
    Code(
        "R0002",
        "not a file of text",
        "the path leads to a folder, a device, a pipe or something else that is not a plain file",
        "a rulebook is a plain file: reading anything else could wait for ever or have no end",
        "rulespec check rulebooks/",
        "rulespec check rulebooks/duel.rules.md",
    ),
    Code(
        "R0003",
        "file may not be read",
        "the system refuses to let this user read the file, or failed while reading it",
        "the text is needed; `ls -l` shows who may read it",
        "rulespec check private.rules",
        "chmod u+r private.rules",
    ),
    Code(
        "R0004",
        "not UTF-8",
        "the file holds bytes that are no UTF-8 text",
        "a text that is guessed at could mean something else on another machine; save it as UTF-8",
        "a file saved as Latin-1 or UTF-16",
        "the same file saved as UTF-8",
    ),
    Code(
        "R0005",
        "file too large",
        "the file is larger than 1 MB",
        "rulebooks are a tenth of that; a limit keeps time and memory bounded whatever is handed in",
        "a rulebook with its pictures inside",
        "a rulebook that links to its pictures, or several files joined by `use`",
    ),
    Code(
        "R0006",
        "file outside the folder",
        "`use` names a file by an absolute path, by `..`, or through a link that leads elsewhere",
        "a rulebook from somebody else must not read what lies elsewhere on your machine",
        'use "../secret"',
        'use "auction"  # of the standard library, or beside the rulebook',
    ),
    Code(
        "R0007",
        "not named like a rulebook",
        "the name of the file ends neither in `.rules.md` nor in `.rules`",
        "the ending says how it is read: as Markdown with blocks of rules, or as rules alone",
        "rulespec check duel.md",
        "rulespec check duel.rules.md",
    ),
    Code(
        "R0008",
        "too many modules",
        "the rulebook uses more than 30 modules, those that its modules use among them",
        "a limit keeps time and memory bounded; no game needs a tenth of it",
        'use "one"  # and thirty others',
        'use "all"  # one file with what the others held',
    ),
)
