"""What is shown of a name on another page than that which defines it: one file for each game, fetched when
the first such name is pointed at.
"""

from __future__ import annotations

import json

from rulespec.compiler.typed.collect import module_name
from rulespec.reference.names import Definition
from rulespec.site import address
from rulespec.site.subject import Subject

FILE = "names.json"
LINES = 9


def definitions(subject: Subject) -> str:
    """From the place of each definition, as the rest of an address in the game's folder, to its title and its
    first lines, as JSON.
    """
    told = {
        _place(subject, each): [_title(each), _lines(subject, each)]
        for each in subject.names.definitions.values()
        if not each.local
    }
    return json.dumps(told, ensure_ascii=False, separators=(",", ":"))


def _place(subject: Subject, definition: Definition) -> str:
    anchor = subject.anchors.by_span[definition.span]
    file = definition.span.file
    if file == subject.main_file:
        return f"#{anchor}"
    return f"{address.module_folder(module_name(file))}#{anchor}"


def _title(definition: Definition) -> str:
    of = f" of {definition.of}" if definition.of else ""
    return definition.title or f"{definition.name}, {definition.sort}{of}"


def _lines(subject: Subject, definition: Definition) -> str:
    """The line that defines a name, and those below it that stand further in."""
    lines = subject.book.sources[definition.span.file].split("\n")[definition.span.line - 1 :]
    first = lines[0]
    left = len(first) - len(first.lstrip())
    kept = [first]
    for line in lines[1:]:
        if len(kept) == LINES or len(line) - len(line.lstrip()) <= left:
            break
        kept.append(line)
    more = ["..."] if len(kept) == LINES else []
    return "\n".join([*(line[left:].rstrip() for line in kept), *more])
